import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { Entry, ToolCallEntry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();

const text = (words: string) => [{ type: 'content', content: { type: 'text', text: words } }] as const;
const call = (id: string, words: string, fields: Partial<ToolCallEntry> = {}) =>
  toolCall(id, { title: `Call ${id}`, status: 'completed', content: text(words), ...fields });

async function open(entries: readonly Entry[]): Promise<Chat> {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, entries));
  return chat;
}

const card = (chat: Chat, id: string) => chat.page.getByRole('article', { name: `Tool call: Call ${id}`, exact: true });
const output = (chat: Chat, id: string) => chat.page.getByRole('region', { name: `Output: Call ${id}`, exact: true });
const unfold = (chat: Chat, id: string) => card(chat, id).getByRole('button').first().click();

const notes = '# Notes\n\n* one\n* two  **bold**\n\n    indented\n<b>tag</b>';

test('shows output as plain text, and other text as Markdown', async () => {
  const chat = await open([
    call('command', notes),
    call('file', notes, { toolKind: 'read' }),
    call('search', '```\na.ts:1:# Notes\n```', { toolKind: 'search' }),
    call('other', notes, { toolKind: 'other' }),
  ]);
  for (const id of ['command', 'file', 'search', 'other']) await unfold(chat, id);
  for (const id of ['command', 'file']) {
    await output(chat, id).getByText('indented').waitFor();
    const lines = await output(chat, id).locator('.pl-term > div > div').allTextContents();
    // An empty line is drawn as a line break.
    assert.deepEqual(
      lines,
      notes.split('\n').map((line) => line || '\n'),
    );
    assert.equal(await card(chat, id).getByRole('heading').count(), 0);
  }
  await output(chat, 'search').getByText('a.ts:1:# Notes', { exact: true }).waitFor();
  assert.doesNotMatch(await output(chat, 'search').innerText(), /```/);
  await card(chat, 'other').getByRole('heading', { name: 'Notes' }).waitFor();
  assert.equal(await output(chat, 'other').count(), 0);
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test('extends output in place with its colors and shows the end', async () => {
  const chat = await open([call('build', 'Build all', { status: 'pending' })]);
  await card(chat, 'build').getByText('Build all').waitFor();
  assert.equal(await output(chat, 'build').count(), 0, 'before it runs, the agent says what it will do');
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `\u001b[32mline ${at + 1}\u001b[0m\n`).join('');
  const shows = (count: number, rev: number) => {
    const fields = { status: 'in_progress', content: text(lines(count)) } as const;
    return chat.apply(sessionA, rev, [{ op: 'patch', id: 'build' as EntryId, kind: 'tool_call', fields }]);
  };
  await shows(3, 0);
  await output(chat, 'build').getByText('line 3', { exact: true }).waitFor();
  assert.equal(await output(chat, 'build').locator('[style*="color"], [class^="t-"]').first().innerText(), 'line 1');
  const first = await output(chat, 'build').elementHandle();
  await shows(700, 1);
  await output(chat, 'build').getByText('line 700', { exact: true }).waitFor();
  assert.equal(await first.evaluate((element) => element.isConnected), true);
  const box = await output(chat, 'build').boundingBox();
  assert.ok(box && box.height < 300, 'long output is scrolled, not spread over the page');
  assert.equal(
    await output(chat, 'build')
      .locator('.pl-term')
      .evaluate((term) => term.scrollTop + term.clientHeight >= term.scrollHeight - 1),
    true,
  );
  assert.equal(await output(chat, 'build').getByText('line 1', { exact: true }).count(), 0);
  await chat.close();
});

test('shows a long file from its start and copies all of it', async () => {
  const long = Array.from({ length: 700 }, (_, at) => `${at + 1}\tx`).join('\n');
  const chat = await open([call('long', `\`\`\`\n${long}\n\`\`\``, { toolKind: 'read' })]);
  await unfold(chat, 'long');
  await output(chat, 'long').getByText('1\tx').first().waitFor();
  const term = output(chat, 'long').locator('.pl-term');
  assert.equal(await term.evaluate((element) => element.scrollTop), 0);
  await card(chat, 'long').getByText('The rest of the output is hidden').waitFor();
  await card(chat, 'long').getByRole('button', { name: 'Copy output' }).press('Enter');
  assert.deepEqual(await chat.posted('copyText'), [{ type: 'copyText', text: long }]);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'output',
    // A terminal's colors are made readable on its background when it is drawn.
    anew: true,
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(
        sessionA,
        snapshot({}, [
          userMessage('u', 'Run the tests'),
          call(
            'tests',
            '# Subtest: retries\n\u001b[32mok 1\u001b[0m - retries\n\u001b[31mnot ok 2\u001b[0m - gives up\n',
            {
              status: 'failed',
              title: 'npm test',
              rawInput: { command: 'npm test' },
            },
          ),
        ]),
      );
      await chat.page.getByText('# Subtest: retries').waitFor();
    },
  },
]);
