import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ReviewFile } from '../../src/shared/changes/review';
import type { SessionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import {
  changedFile,
  changedFiles,
  changedInThreeTurns,
  pageWithSession,
  plan,
  sessionA,
  snapshot,
  userMessage,
} from './samples';

const browser = useBrowser();

async function openWith(
  files: readonly ReviewFile[],
  options: ChatOptions = {},
  view: Partial<SessionView> = {},
): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, files, view);
  return chat;
}

async function show(chat: Chat, files: readonly ReviewFile[], view: Partial<SessionView> = {}): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot(view, [userMessage('u1', 'Add retry to the upload client.')]));
  await chat.receive({ type: 'changes', session: sessionA, files });
}

const strip = (chat: Chat) => chat.page.getByRole('button', { name: /^\d+ files?/ });

const long = changedFile(`src/${'deep/'.repeat(12)}a-file-with-quite-a-long-name-of-its-own.component.ts`, {
  session: { added: 12_345, removed: 6789 },
  turns: [
    { turn: 1, added: 12_344, removed: 6789 },
    { turn: 2, added: 1, removed: 0 },
  ],
  hasUserText: true,
  others: ['Codex', 'Gemini CLI'],
});

testLooks(browser, [
  {
    name: 'changes',
    widths: [240, 320, 360],
    inTab: true,
    reach: async (chat) => {
      await show(chat, [...changedInThreeTurns, long]);
      await strip(chat).click();
    },
    again: (chat) => chat.page.getByRole('button', { name: /^client\.ts/ }).hover(),
    check: async (chat, width) => {
      const covered = await chat.page.evaluate(() =>
        [...document.querySelectorAll('.pl-changes :is(.num, .files, .all, .nm, .st)')].filter((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const at = (x: number) => document.elementFromPoint(x, (top + bottom) / 2);
          return right > left && ![at(left + 1), at(right - 1)].every((hit) => hit && element.contains(hit));
        }),
      );
      assert.deepEqual(covered, [], `${width} px`);
    },
  },
]);

test('fits the strip into one line at every width', async () => {
  const queue = [{ id: 'q1', text: 'Also remove moment-timezone' }];
  const view = { plans: [plan], queue, activity: { state: 'running', since: Date.now() } } as const;
  const chat = await openWith(changedFiles, {}, view);
  for (const width of [320, 360, 420, 900]) {
    await chat.page.setViewportSize({ width, height: 860 });
    const { height } = (await chat.page.locator('.pl-changes > .head').boundingBox()) ?? { height: 0 };
    assert.equal(height, 28, `${width} px`);
  }
  await chat.close();
});

test('keeps height for the transcript when plan and files are unfolded', async () => {
  const many = Array.from({ length: 30 }, (_, at) => changedFile(`src/file${at}.ts`));
  const items = Array.from(
    { length: 30 },
    (_, at) => ({ content: `Step ${at}`, priority: 'low', status: 'pending' }) as const,
  );
  const chat = await openWith(many, { height: 600 }, { plans: [{ ...plan, type: 'items', items }] });
  await strip(chat).click();
  await chat.page.getByRole('button', { name: /^Plan/ }).click();
  const { height } = (await chat.page.getByRole('feed').boundingBox()) ?? { height: 0 };
  assert.ok(height > 80, `${height} px`);
  await chat.close();
});
