import { useBrowser } from './chat';
import { testLooks } from './look';
import { pageWithSession, sessionA } from './samples';
import { everything } from './transcriptSamples';

testLooks(useBrowser(), [
  {
    name: 'transcript',
    height: 2600,
    widths: [240, 320, 420, 900],
    themed: [320, 420, 900],
    // A terminal's colours are made readable on its background when it is drawn.
    anew: true,
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, everything());
      await chat.page.waitForSelector('.pl-term > div > div');
      await chat.page.waitForSelector('.pl-diff .tk-k');
      await chat.page.waitForSelector('.pl-md .tk-k');
      await chat.page.waitForSelector('.pl-perm[data-ready]');
    },
    // Outside of high contrast, code hues on changed lines are the theme's own pair, as in the editor.
    isOfTheme: (problem, theme) =>
      theme !== 'highContrast' && /^color-contrast: <(?:span class="tk-|mark)/.test(problem),
  },
]);
