import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser } from './chat';
import type { Theme } from './pageServer';
import { pageWithSession, sessionA } from './samples';
import { everything } from './transcriptSamples';

const browser = useBrowser();
const themes: readonly Theme[] = ['dark', 'light', 'highContrast'];

for (const theme of themes) {
  for (const width of [320, 420, 900]) {
    test(`one of everything, ${theme}, ${width} px: no policy violation, no sideways scroll, no serious axe finding`, async () => {
      const chat = await browser.open({ theme, width, height: 3600, host: width === 900 ? 'editor' : 'view' });
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, everything());
      await chat.page.waitForSelector('.pl-term > div > div');
      await chat.page.waitForSelector('.pl-diff .tk-k');
      await chat.page.waitForSelector('.pl-md .tk-k');
      await chat.page.waitForSelector('.pl-perm[data-ready]');
      await chat.screenshot(`transcript-${width}-${theme}`);
      assert.deepEqual(await chat.violations(), []);
      assert.deepEqual(chat.errors, []);
      assert.equal(await chat.hasHorizontalScroll(), false);
      const problems = await chat.accessibilityProblems();
      // Outside of high contrast, code hues on changed lines are the theme's own pair, as in the editor.
      const isTheme = (problem: string) =>
        theme !== 'highContrast' && /^color-contrast: <(?:span class="tk-|mark)/.test(problem);
      assert.deepEqual(
        problems.filter((problem) => !isTheme(problem)),
        [],
      );
      await chat.close();
    });
  }
}

test('the transcript fits into 240 px', async () => {
  const chat = await browser.open({ width: 240, height: 3600 });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, everything());
  await chat.page.waitForSelector('.pl-perm[data-ready]');
  await chat.screenshot('transcript-240-dark');
  assert.equal(await chat.hasHorizontalScroll(), false);
  await chat.close();
});
