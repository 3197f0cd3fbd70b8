import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { ToolDetail } from '../../src/shared/pages/messages';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import {
  agentMessage,
  asking,
  changedFile,
  pageWithSession,
  sessionA,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

const browser = useBrowser();

const thought = (id: string): Entry => ({
  id: id as EntryId,
  turn: 1,
  kind: 'agent_thought',
  startedAt: 1000,
  endedAt: 4000,
  content: [{ type: 'text', text: 'The limit is read twice.' }],
});

const edit = (id: string, path: string) =>
  toolCall(id, {
    title: `Edit ${path}`,
    toolKind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: `/home/me/harbor/${path}`, oldText: 'a\n', newText: 'b\n' }],
    rawInput: { path },
  });

const run = (id: string, status: 'completed' | 'failed' = 'completed') =>
  toolCall(id, {
    title: `Run ${id}`,
    toolKind: 'execute',
    status,
    rawInput: { command: `echo ${id}` },
    content: [{ type: 'content', content: { type: 'text', text: `output of ${id}` } }],
  });

const read = (id: string) => toolCall(id, { title: `Read ${id}`, toolKind: 'read', status: 'completed' });

const entries: readonly Entry[] = [
  userMessage('u', 'Go'),
  thought('t1'),
  read('r1'),
  edit('e1', 'src/kept.ts'),
  run('c1'),
  run('c2', 'failed'),
  edit('e2', 'src/waiting.ts'),
  read('r2'),
  agentMessage('m', 'Done.'),
];

async function show(chat: Chat, detail: ToolDetail, list = entries): Promise<void> {
  await chat.showPage(pageWithSession([], { toolDetail: detail }));
  await chat.showSession(sessionA, snapshot({}, list));
  await chat.receive({ type: 'changes', session: sessionA, files: [changedFile('src/waiting.ts')] });
  await chat.still();
}

const shown = (chat: Chat) =>
  chat.page
    .locator('.pl-col article')
    .evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label') ?? ''),
    );

test('a compact transcript folds finished calls but shows failures and changes', async () => {
  const chat = await browser.open();
  await show(chat, 'compact');
  const compact = [
    'You',
    '5 steps: 2 reads, 1 edit, 1 command, 1 thought',
    'Tool call: Run c2',
    'Tool call: Edit src/waiting.ts',
    'Claude',
  ];
  assert.deepEqual((await shown(chat)).slice(1), compact.slice(1));
  await chat.receive({ type: 'changes', session: sessionA, files: [] });
  await chat.still();
  assert.deepEqual((await shown(chat)).slice(1), [
    '6 steps: 2 reads, 2 edits, 1 command, 1 thought',
    'Tool call: Run c2',
    'Claude',
  ]);
  await chat.page.getByRole('button', { name: /^6 steps/ }).click();
  assert.equal((await shown(chat)).length, entries.length + 1);
  await chat.close();
});

test('three edits in a row fold into one line once something follows', async () => {
  const chat = await browser.open();
  const edits = ['a', 'b', 'c'].map((name) => edit(`e${name}`, `src/${name}.ts`));
  await show(chat, 'normal', [userMessage('u', 'Go'), read('r1'), read('r2'), read('r3'), ...edits.slice(0, 2)]);
  // Reads above fold although edits, which fold as well, follow.
  assert.deepEqual((await shown(chat)).slice(1), [
    'Tool calls: Read 3 files',
    'Tool call: Edit src/a.ts',
    'Tool call: Edit src/b.ts',
  ]);
  const [third] = edits.slice(2);
  assert.ok(third);
  await chat.apply(sessionA, 0, [
    { op: 'insert', entry: third },
    { op: 'insert', entry: run('c1') },
  ]);
  await chat.still();
  assert.deepEqual((await shown(chat)).slice(1), [
    'Tool calls: Read 3 files',
    'Tool calls: Edited 3 files',
    'Tool call: Run c1',
  ]);
  const row = chat.page.getByRole('button', { name: 'Edited 3 files' });
  assert.match((await row.innerText()).replace(/\s+/g, ' '), /Edited 3 files \+3 −3/);
  await row.click();
  await chat.still();
  assert.equal((await shown(chat)).length, 7);
  assert.equal(await chat.page.locator('.pl-tool.open').count(), 0, 'Each file is a row.');
  await chat.page.getByRole('article', { name: 'Tool call: Edit src/a.ts' }).getByRole('button').first().click();
  await chat.page.getByRole('figure', { name: /^Diff: .*a.ts/ }).waitFor();
  await chat.close();
});

test('edits between reads fold into one line, too, and it grows', async () => {
  const chat = await browser.open();
  const names = ['a', 'b', 'c', 'd'];
  const pairs = names.map((name) => [read(`r${name}`), edit(`e${name}`, `src/${name}.ts`)] as const);
  await show(chat, 'normal', [userMessage('u', 'Go'), ...pairs.slice(0, 3).flat()]);
  const before = await shown(chat);
  // The newest one stays until something follows.
  assert.deepEqual(before.slice(1), [
    'Tool calls: Read 3 files',
    'Tool call: Edit src/a.ts',
    'Tool call: Edit src/b.ts',
    'Tool call: Edit src/c.ts',
  ]);
  const [another = [] as never] = pairs.slice(3);
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: another[0] }]);
  await chat.still();
  assert.deepEqual((await shown(chat)).slice(1), [
    'Tool calls: Read 3 files',
    'Tool calls: Edited 3 files',
    'Tool call: Read rd',
  ]);
  await chat.apply(sessionA, 1, [{ op: 'insert', entry: another[1] }]);
  await chat.still();
  assert.deepEqual((await shown(chat)).slice(1), [
    'Tool calls: Read 4 files',
    'Tool calls: Edited 3 files',
    'Tool call: Edit src/d.ts',
  ]);
  await chat.apply(sessionA, 2, [{ op: 'insert', entry: agentMessage('m', 'Done') }]);
  await chat.still();
  assert.deepEqual((await shown(chat)).slice(1), ['Tool calls: Read 4 files', 'Tool calls: Edited 4 files', 'Claude']);
  await chat.page.getByRole('button', { name: 'Edited 4 files' }).click();
  await chat.still();
  assert.equal((await shown(chat)).filter((name) => name.startsWith('Tool call: Edit')).length, 4);
  assert.equal((await shown(chat)).filter((name) => name.startsWith('Tool call: Read')).length, 0);
  await chat.close();
});

test('edits that failed, or are looked at, stay by themselves', async () => {
  const chat = await browser.open();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => edit(`e${name}`, `src/${name}.ts`));
  assert.ok(a && b && c);
  await show(chat, 'normal', [userMessage('u', 'Go'), a, { ...b, status: 'failed' }, c, agentMessage('m', 'Hm')]);
  assert.equal((await shown(chat)).length, 5);
  await chat.close();
});

test("shows an open request in a compact transcript until it's done", async () => {
  const chat = await browser.open();
  await show(chat, 'compact', [userMessage('u', 'Go'), read('r1'), asking('q'), read('r2'), agentMessage('m', 'Hm')]);
  assert.ok((await shown(chat)).includes('Tool call: npm test'));
  const fields = { status: 'completed', permission: { state: 'none' } } as const;
  await chat.apply(sessionA, 0, [{ op: 'patch', id: 'q' as EntryId, kind: 'tool_call', fields }]);
  await chat.page.getByRole('button', { name: '3 steps: 2 reads, 1 command' }).waitFor();
  assert.ok(!(await shown(chat)).includes('Tool call: npm test'));
  await chat.close();
});

test('shows output, raw input, and thoughts, but keeps closed ones closed', async () => {
  const chat = await browser.open({ height: 2000 });
  await show(chat, 'everything');
  const text = await chat.page.locator('.pl-col').innerText();
  for (const part of ['The limit is read twice.', 'output of c1', '"command": "echo c1"'])
    assert.ok(text.includes(part), part);
  await chat.page.getByRole('article', { name: 'Thought' }).getByRole('button').first().click();
  await chat.showPage(pageWithSession([], { toolDetail: 'normal' }));
  await chat.still();
  assert.ok(!(await chat.page.locator('.pl-col').innerText()).includes('The limit is read twice.'));
  await chat.showPage(pageWithSession([], { toolDetail: 'everything' }));
  await chat.still();
  const again = await chat.page.locator('.pl-col').innerText();
  assert.ok(!again.includes('The limit is read twice.'));
  assert.ok(again.includes('output of c1'));
  await chat.close();
});

test("changes the level in the header and keeps the reader's place", async () => {
  const many = Array.from({ length: 40 }, (_, turn): Entry[] => [
    userMessage(`u${turn}`, `Question ${turn}`, turn),
    ...[read(`r${turn}`), run(`c${turn}`), edit(`e${turn}`, `src/${turn}.ts`)].map((entry) =>
      Object.assign(entry, { turn }),
    ),
    agentMessage(`m${turn}`, `Answer ${turn}`, turn),
  ]).flat();
  const chat = await browser.open();
  await show(chat, 'normal', many);
  await chat.page.locator('.pl-feed').hover();
  // Entries far from view may not be on the page, so the answer is one that is in view in the middle.
  await chat.page.evaluate(() => {
    const feed = document.querySelector('.pl-feed')!;
    feed.scrollTo(0, feed.scrollHeight / 2);
  });
  await chat.still();
  const name = await chat.page.evaluate(() => {
    const { top } = document.querySelector('.pl-feed')!.getBoundingClientRect();
    const answers = [...document.querySelectorAll('article.pl-prose')];
    const answer = answers.find((one) => one.getBoundingClientRect().top > top + 40);
    return answer?.textContent.trim() ?? '';
  });
  assert.match(name, /^Answer \d+$/);
  const answer = chat.page.getByText(name, { exact: true });
  await answer.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await chat.still();
  const top = async () => (await answer.boundingBox())?.y ?? -1;
  const before = await top();
  await chat.button('Tool detail: Normal').click();
  await chat.page.getByRole('menuitemradio', { name: 'Compact' }).click();
  assert.deepEqual(await chat.posted('setToolDetail'), [{ type: 'setToolDetail', detail: 'compact' }]);
  for (const detail of ['compact', 'everything', 'normal'] as const) {
    await chat.showPage(pageWithSession([], { toolDetail: detail }));
    await chat.still();
    assert.ok(Math.abs((await top()) - before) <= 1, `${detail}: ${await top()} instead of ${before}`);
  }
  await chat.page.getByText('Tool detail: Normal', { exact: true }).waitFor({ state: 'attached' });
  await chat.close();
});

for (const detail of ['compact', 'everything'] as const) {
  testLooks(browser, [{ name: `detail-${detail}`, widths: [290, 1200], reach: (chat) => show(chat, detail) }]);
}
testLooks(browser, [
  {
    name: 'detail-menu',
    widths: [290],
    reach: (chat) => show(chat, 'normal'),
    again: async (chat) => {
      if ((await chat.page.getByRole('menu').count()) === 0) await chat.button('Tool detail: Normal').click();
    },
  },
]);

test("selects a call's command with the mouse without opening the call", async () => {
  const chat = await browser.open();
  const rawInput = { command: 'npm run build -- --all' };
  await show(chat, 'normal', [
    userMessage('u', 'Go'),
    toolCall('c', { title: rawInput.command, status: 'completed', rawInput }),
  ]);
  const button = chat.page.getByRole('button', { name: rawInput.command });
  const box = await button.locator('.o').boundingBox();
  assert.ok(box);
  const { mouse } = chat.page;
  const middle = box.y + box.height / 2;
  const selected = () => chat.page.evaluate(() => String(document.getSelection()));
  await mouse.move(box.x + 1, middle);
  await mouse.down();
  await mouse.move(box.x + box.width - 1, middle, { steps: 5 });
  await mouse.up();
  assert.equal(await selected(), rawInput.command);
  assert.equal(await button.getAttribute('aria-expanded'), 'false');
  await button.click();
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await chat.close();
});
