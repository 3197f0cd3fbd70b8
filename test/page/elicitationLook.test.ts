import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat } from './chat';
import { lowContrast } from './contrast';
import { address, answered, asked, everyField, form, release } from './elicitationSamples';
import type { Theme } from './pageServer';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();
const themes: readonly Theme[] = ['dark', 'light', 'highContrast'];
const widths = [320, 420, 900];

/** What is looked at, each with the way into it. */
const states: Record<string, (chat: Chat) => Promise<void>> = {
  form: async (chat) => {
    await show(chat, [asked('e', form(release))]);
    await chat.page.getByLabel('Version').pressSequentially('.');
  },
  everyField: async (chat) => {
    await show(chat, [
      asked(
        'e',
        { ...form(everyField), title: 'Release 2.8', description: 'All of it can be changed later.' },
        { message: 'A form with everything that there is' },
      ),
    ]);
    await chat.page.waitForSelector('.pl-ask[data-ready]');
    await chat.button('Submit').click();
  },
  addresses: async (chat) => {
    const urls = [
      'https://login.example.com/device?user_code=ABCD-EFGH&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fcallback&state=8f3a9d1c',
      'http://\u0430pple.com/login',
    ];
    await show(
      chat,
      urls.map((url, at) => asked(`e${at}`, address(url), { message: 'Log in to go on' })),
    );
    await chat.page.waitForSelector('.pl-ask[data-ready]');
  },
  answered: async (chat) => {
    await show(chat, answered);
  },
};

async function show(chat: Chat, entries: Parameters<typeof snapshot>[1]): Promise<void> {
  await chat.showPage(pageWithSession());
  const activity = { state: 'requires_action', since: Date.now() - 9000 } as const;
  const said = agentMessage(
    'a',
    'There are 24 commits since 2.7.3: 3 features, 19 fixes, nothing breaking. I need four answers.',
  );
  const call = toolCall('t', { title: 'git log 2.7.3..HEAD --oneline', status: 'completed' });
  const before = [userMessage('u', 'Prepare the next release.'), call, said];
  await chat.showSession(sessionA, snapshot({ activity }, [...before, ...(entries ?? [])]));
}

for (const [name, reach] of Object.entries(states)) {
  for (const theme of themes) {
    for (const width of widths) {
      test(`questions (${name}) in ${theme} at ${width} px: nothing sideways, no serious accessibility problem`, async () => {
        const height = name === 'everyField' ? 1700 : 860;
        const host = width === 900 ? 'editor' : 'view';
        const chat = await browser.open({ theme, width, height, host, scale: width === 900 ? 1 : 2 });
        await reach(chat);
        await chat.toolkit();
        await chat.screenshot(`question-${name}-${width}-${theme}`);
        assert.equal(await chat.hasHorizontalScroll(), false);
        assert.deepEqual(await chat.accessibilityProblems(), []);
        if (theme === 'highContrast') assert.deepEqual(await lowContrast(chat.page, 4.5), []);
        assert.deepEqual(await chat.violations(), []);
        assert.deepEqual(chat.errors, []);
        await chat.close();
      });
    }
  }
}
