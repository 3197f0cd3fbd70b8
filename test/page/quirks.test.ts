import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, RequestKey } from '../../src/shared/values/ids';
import type { Entry, PermissionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { agentMessage, pageWithSession, plan, sessionA, snapshot, toolCall, userMessage } from './samples';
import { terminal } from './transcriptSamples';

const browser = useBrowser();

async function open(entries: readonly Entry[], options: ChatOptions = {}, terminals = [terminal('t')]): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, entries, terminals);
  return chat;
}

async function show(chat: Chat, entries: readonly Entry[], terminals = [terminal('t')]): Promise<void> {
  await chat.showPage(pageWithSession());
  const running = { activity: { state: 'running', since: Date.now() } } as const;
  await chat.showSession(sessionA, { ...snapshot(running, [userMessage('u', 'Go'), ...entries]), terminals });
}

const asked: PermissionView = {
  state: 'asked',
  request: 'request' as RequestKey,
  options: [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ],
};

test('does not repeat text that a question already shows', async () => {
  const rawInput = { command: 'npm test', description: 'Runs the tests' };
  const reads = { title: 'Read', toolKind: 'read', rawInput: { path: '/a/b.ts' }, locations: [{ path: '/a/b.ts' }] };
  const read = toolCall('r', { ...reads, toolKind: 'read', permission: { ...asked, request: 'r' as RequestKey } });
  const chat = await open([toolCall('c', { rawInput, permission: asked }), read]);
  await chat.page.getByRole('group', { name: 'Permission' }).nth(1).waitFor();
  assert.equal(await chat.page.locator('.pl-raws').count(), 0);
  await chat.close();
});

test('shows raw output alone, as text, object, or list', async () => {
  const outputs = ['plain words', { stdout: 'words in an object' }, [{ result: 'words in a list' }]];
  const calls = outputs.map((rawOutput, index) =>
    toolCall(`c${index}`, { title: `call ${index}`, toolKind: 'other', status: 'completed', rawOutput }),
  );
  const chat = await open(calls);
  for (const [index, words] of ['plain words', 'words in an object', 'words in a list'].entries()) {
    await chat.page.getByRole('button', { name: `call ${index}` }).click();
    await chat.page
      .getByRole('article', { name: `Tool call: call ${index}` })
      .getByText(words)
      .waitFor();
  }
  await chat.close();
});

test('keeps titles of many lines or raw JSON in one row', async () => {
  const titles = [
    '\n\n*** Begin Patch\n*** Update File: a.md\n',
    '{"table":"orders",\n"limit":200}',
    `for i in 1 2
do
  echo $i
done`,
  ];
  const calls = titles.map((title, index) => toolCall(`c${index}`, { title, toolKind: 'other', status: 'completed' }));
  const chat = await open([...calls, toolCall('plain', { title: 'plain', toolKind: 'other', status: 'completed' })]);
  const heights = await chat.page
    .locator('.pl-tool .head')
    .evaluateAll((heads) => heads.map((head) => head.clientHeight));
  assert.equal(heights.length, 4);
  assert.equal(new Set(heights).size, 1, heights.join());
  await chat.close();
});

test('shows output of a command that never reports running', async () => {
  const content = [{ type: 'terminal', terminalId: 't' as never }] as const;
  const running = terminal('t', { driver: 'agent', output: 'half of it\r\n', exit: { state: 'running' } });
  const chat = await open([toolCall('c', { status: 'pending', content })], {}, [running]);
  await chat.page.getByRole('region', { name: 'Terminal' }).getByText('half of it').waitFor();
  await chat.close();
});

test("numbers a change's lines once its place is known", async () => {
  const diff = { type: 'diff', path: '/home/u/a.ts', oldText: 'a\nb', newText: 'a\nc' } as const;
  const call = toolCall('c', { toolKind: 'edit', status: 'completed', title: 'Edit', content: [diff] });
  const chat = await open([call]);
  // Compared in one step, because the entry may be drawn again between two.
  const shown = (words: readonly string[]) =>
    chat.page.waitForFunction(
      ({ selector, wanted }) =>
        [...document.querySelectorAll(selector)].map((one) => one.textContent).join() === wanted,
      { selector: '.pl-diff .l > span:first-child', wanted: words.join() },
    );
  await shown(['1', '2', '2']);
  const placed = (line: number) =>
    ({ op: 'patch', id: call.id, kind: 'tool_call', fields: { content: [{ ...diff, line }] } }) as const;
  await chat.apply(sessionA, 0, [placed(41)]);
  await shown(['41', '42', '42']);
  await chat.apply(sessionA, 1, [placed(0)]);
  await shown(['', '', '']);
  await chat.close();
});

test('shows that an agent has been silent for long', async () => {
  const chat = await browser.open({ ownWindow: true });
  const { clock } = chat.page;
  // Before the page counts seconds, so that it counts those of this clock.
  await clock.install({ time: Date.now() });
  await show(chat, []);
  const since = Date.now();
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since } } }]);
  await clock.pauseAt(since + 5000);
  // A longer jump would be a computer that slept.
  await clock.runFor(8000);
  assert.equal(await chat.page.getByText(/hasn’t responded/).count(), 0);
  await clock.runFor(5_000);
  await chat.page.getByText(/Claude hasn’t responded for 1\d s. The model may be busy./).waitFor();
  await chat.close();
});

test('names options without a name by what they do', async () => {
  const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;
  const options = kinds.map((kind) => ({ optionId: kind, name: ' ', kind }));
  const chat = await open([toolCall('c', { permission: { ...asked, options } })]);
  const group = chat.page.getByRole('group', { name: 'Permission' });
  await group.waitFor();
  assert.deepEqual(await group.locator('.opts button > span:visible').allInnerTexts(), ['Allow', 'Reject']);
  await chat.button('More answers').click();
  const items = chat.page.getByRole('menuitem');
  assert.deepEqual(
    (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
    ['Always allow Claude remembers 2', 'Always reject Claude remembers 4', 'Reject with a reason… R'],
  );
  await chat.close();
});

test('spells out a title that would turn its text around', async () => {
  const chat = await open([toolCall('c', { title: 'photo\u202egpj.exe', toolKind: 'other', status: 'completed' })]);
  await chat.page.getByRole('article').getByText('photo\\u{202e}gpj.exe').waitFor();
  assert.equal((await chat.page.getByRole('feed').innerText()).includes('\u202e'), false);
  await chat.close();
});

test('says that only line breaks of a file changed', async () => {
  const diff = { type: 'diff', path: '/w/a.txt', oldText: 'a\r\nb\r\n', newText: 'a\nb\n' } as const;
  const chat = await open([toolCall('c', { title: 'Edit', toolKind: 'edit', status: 'completed', content: [diff] })]);
  await chat.page.getByRole('article').getByText('Only line breaks changed.', { exact: true }).waitFor();
  await chat.close();
});

test('hides a thought that ended without a word', async () => {
  const thought = (id: string, text: string): Entry => ({
    kind: 'agent_thought',
    id: id as EntryId,
    turn: 1,
    content: [{ type: 'text', text }],
    startedAt: 1000,
    endedAt: 1100,
  });
  const chat = await open([thought('t1', ' \n'), thought('t2', 'Hm.')]);
  await chat.page.getByRole('article', { name: 'Thought' }).waitFor();
  assert.equal(await chat.page.getByRole('article', { name: 'Thought' }).count(), 1);
  await chat.close();
});

test('an emptied plan leaves neither a strip nor a line', async () => {
  const chat = await browser.open();
  const entry = { kind: 'plan', id: 'plan:plan' as EntryId, turn: 1, planId: plan.planId } as const;
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ plans: [plan] }, [userMessage('u', 'Go'), entry]));
  const [strip, line] = [
    chat.page.getByRole('region', { name: 'Plan' }),
    chat.page.getByRole('article', { name: 'Plan' }),
  ];
  await strip.waitFor();
  await line.waitFor();
  const emptied = { ...plan, type: 'items', items: [] } as const;
  await chat.apply(sessionA, 0, [
    { op: 'view', fields: { plans: [emptied] } },
    { op: 'replace', entry: { ...entry } },
  ]);
  await strip.waitFor({ state: 'detached' });
  await line.waitFor({ state: 'hidden' });
  await chat.close();
});

test('a long plan opens at the step that runs', async () => {
  const items = Array.from({ length: 200 }, (_, at) => {
    const status = at < 150 ? 'completed' : at === 150 ? 'in_progress' : 'pending';
    return { content: `Step ${at + 1}`, priority: 'medium', status } as const;
  });
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const entry = { kind: 'plan', id: 'plan:plan' as EntryId, turn: 1, planId: plan.planId } as const;
  const long = { ...plan, type: 'items', items } as const;
  await chat.showSession(sessionA, snapshot({ plans: [long] }, [userMessage('u', 'Go'), entry]));
  await chat.page.getByRole('region', { name: 'Plan' }).getByRole('button').click();
  const isInView = (text: string) =>
    chat.page
      .getByRole('listitem')
      .filter({ hasText: text })
      .evaluate((item) => {
        const [box, list] = [item.getBoundingClientRect(), item.parentElement!.getBoundingClientRect()];
        return box.top >= list.top && box.bottom <= list.bottom;
      });
  assert.deepEqual([await isInView('Step 151'), await isInView('Step 200')], [true, false]);
  await chat.close();
});

test("a linked resource's tooltip says when it was modified", async () => {
  const lastModified = Date.UTC(2026, 0, 2, 12);
  const link = { type: 'resource_link', uri: 'https://example.test/a.md', name: 'a.md' } as const;
  const message: Entry = { ...agentMessage('m', ''), content: [{ ...link, lastModified }, link] } as Entry;
  const chat = await open([message]);
  const titles = await chat.page.locator('a.chip').evaluateAll((all) => all.map((one) => one.getAttribute('title')));
  assert.match(titles[0] ?? '', /^https:\/\/example\.test\/a\.md, modified .*2026/);
  assert.equal(titles[1], link.uri);
  await chat.close();
});
