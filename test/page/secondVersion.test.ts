import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, RequestKey, TerminalId, ToolCallId } from '../../src/shared/values/ids';
import type { LateWork, PermissionView, RequestWords, ToolCallEntry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';
import { terminal } from './transcriptSamples';

/* What only agents that speak version 2 of the protocol report, and what the user can do with it. */

const browser = useBrowser();
const since = 1_764_000_000_000;

const asked = (id: string, words: RequestWords): PermissionView => ({
  state: 'asked',
  request: id as RequestKey,
  options: [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ],
  words,
});

const call = (id: string, more: Partial<ToolCallEntry>): ToolCallEntry =>
  toolCall(id, { toolCallId: id as ToolCallId, ...more });
const dev = terminal('dev', { command: 'npm run dev', driver: 'agent', exit: { state: 'running' }, canCancel: true });
const terminals = [{ ...dev, output: 'ready on port 3000\n' }];
const runs = call('runs', {
  title: 'npm run dev',
  toolKind: 'execute',
  status: 'in_progress',
  content: [{ type: 'terminal', terminalId: 'dev' as TerminalId }],
});
const thinks = call('thinks', { title: 'Search the archive', status: 'in_progress', canCancel: true });
const pauses = call('pauses', { title: 'Index the workspace', status: 'paused' });
const moves = call('moves', {
  title: 'Tidy up',
  toolKind: 'edit',
  status: 'completed',
  content: [
    { type: 'change', operation: 'move', oldPath: '/home/me/harbor/a.txt', path: '/home/me/harbor/docs/a.txt' },
    { type: 'change', operation: 'delete', path: '/home/me/harbor/old\u202e.png', isBinary: true },
    { type: 'diff', path: '/home/me/harbor/b.txt', oldText: 'one\n', newText: 'two\n', line: 41 },
  ],
});
const background: readonly LateWork[] = [
  {
    kind: 'reported',
    terminal: 'dev' as TerminalId,
    entry: 'runs' as EntryId,
    toolCall: 'runs' as ToolCallId,
    canCancel: true,
    turn: 1,
    since,
  },
  { kind: 'reported', canCancel: false, turn: 1, since },
];

async function open(view: object, ...entries: readonly ToolCallEntry[]): Promise<Chat> {
  const chat = await browser.open();
  await show(chat, view, ...entries);
  return chat;
}

async function show(chat: Chat, view: object, ...entries: readonly ToolCallEntry[]): Promise<void> {
  await chat.showPage(pageWithSession());
  const all = [userMessage('u', 'Tidy up and start the server'), ...entries, agentMessage('m', 'It is starting.')];
  await chat.showSession(sessionA, { ...snapshot(view, all), terminals });
}

const running = { activity: { state: 'running', since }, canSteer: true, sendsAtOnce: true };

test("stops an agent's command or a tool call separately", async () => {
  const chat = await open(running, runs, thinks, pauses);
  await chat.page.getByRole('button', { name: 'Stop command' }).press('Enter');
  assert.deepEqual(await chat.posted('stopTerminal'), [{ type: 'stopTerminal', session: sessionA, terminal: 'dev' }]);
  await chat.page.getByRole('button', { name: 'Stop this tool call' }).press('Enter');
  assert.deepEqual(await chat.posted('stopWork'), [{ type: 'stopWork', session: sessionA, toolCall: 'thinks' }]);
  await chat.apply(sessionA, 0, [
    { op: 'patch', id: 'thinks' as EntryId, kind: 'tool_call', fields: { status: 'cancelled' } },
    { op: 'patchTerminal', id: 'dev' as TerminalId, fields: { exit: { state: 'exited', endedAt: since } } },
  ]);
  await chat.page.getByRole('button', { name: 'Stop this tool call' }).waitFor({ state: 'detached' });
  await chat.page.getByRole('button', { name: 'Stop command' }).waitFor({ state: 'detached' });
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test('lists background work during a turn and stops pieces separately', async () => {
  const chat = await open({ ...running, lateWork: background }, runs);
  const strip = chat.page.getByRole('region', { name: 'Still running' });
  await strip.getByRole('button', { name: '2 background tasks are running' }).press('Enter');
  const rows = strip.getByRole('listitem');
  assert.deepEqual(await rows.allInnerTexts(), ['npm run dev', 'Unknown background work']);
  await rows.first().getByRole('button', { name: 'Stop npm run dev' }).press('Enter');
  assert.deepEqual(await chat.posted('stopWork'), [
    { type: 'stopWork', session: sessionA, terminal: 'dev', toolCall: 'runs' },
  ]);
  assert.equal(await rows.nth(1).getByRole('button').count(), 0);
  await chat.close();
});

test('a message that the agent has can be sent only by stopping', async () => {
  const queue = [
    { id: 'queued:1', text: 'Also the docs', isOffered: true },
    { id: 'queued:2', text: 'Then commit' },
  ];
  const chat = await open({ ...running, queue }, runs);
  const rows = chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem');
  await rows.first().getByText('sent', { exact: true }).waitFor();
  assert.equal(
    await rows
      .first()
      .getByRole('button', { name: /Edit|Remove|Move up/ })
      .count(),
    0,
  );
  assert.equal(
    await rows
      .first()
      .getByRole('button', { name: /and send now$/ })
      .count(),
    1,
  );
  assert.equal(await rows.nth(1).getByRole('button', { name: 'Remove' }).count(), 1);
  await chat.close();
});

test("shows a request's own text with hidden characters spelled out", async () => {
  const view = { activity: { state: 'requires_action', since } };
  const chat = await open(
    view,
    call('edit', {
      title: 'Edit b.txt',
      toolKind: 'edit',
      permission: asked('1', { title: 'Make edits?' }),
      ...content(),
    }),
    call('free', {
      toolKind: 'other',
      title: 'Go online?',
      permission: asked('2', { title: 'Go online?', description: 'It needs\nexample.com\u202e.' }),
    }),
  );
  const edit = chat.page.getByRole('group', { name: 'Permission: Edit b.txt' });
  assert.match(await edit.innerText(), /Let .* edit b\.txt\?\s+Make edits\?/);
  const free = chat.page.getByRole('group', { name: 'Permission: Go online?' });
  assert.match(await free.innerText(), /asks for permission\s+It needs\s+example\.com\\u\{202e\}\./);
  await chat.close();
});

function content(): Pick<ToolCallEntry, 'content'> {
  return { content: [{ type: 'diff', path: '/home/me/harbor/b.txt', oldText: 'one\n', newText: 'two\n', line: 41 }] };
}

test('lists changes without text, with hidden characters in names spelled out', async () => {
  const chat = await open({}, moves);
  const card = chat.page.getByRole('article', { name: /Tidy up/ });
  await card.getByText('Move: a.txt → docs/a.txt').waitFor();
  await card.getByText('Delete: old\\u{202e}.png (binary)').waitFor();
  await chat.close();
});

testLooks(browser, [
  {
    name: 'second-version',
    height: 900,
    widths: [290],
    inTab: true,
    reach: async (chat) => {
      const queue = [{ id: 'queued:1', text: 'Also update the docs while you are there', isOffered: true }];
      const view = { ...running, lateWork: background, queue };
      await show(chat, view, runs, thinks, pauses, moves, asksForEdit);
      await chat.page.getByRole('region', { name: 'Still running' }).getByRole('button').first().press('Enter');
      await chat.page.getByText('Make edits?').waitFor();
    },
  },
]);

const asksForEdit = call('asks', {
  title: 'Edit b.txt',
  toolKind: 'edit',
  status: 'pending',
  permission: asked('1', { title: 'Make edits?', description: 'The greeting has a typo.' }),
  ...content(),
});
