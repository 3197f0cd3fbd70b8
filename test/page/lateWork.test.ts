import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, TerminalId } from '../../src/shared/values/ids';
import type { LateWork } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';
import { subagent } from './subagentSamples';
import { terminal } from './transcriptSamples';

const browser = useBrowser();

const since = 1_764_000_000_000;
const server: LateWork = { kind: 'command', terminal: 'dev' as TerminalId, turn: 1, since };
const build: LateWork = { kind: 'toolCall', entry: 'build' as EntryId, turn: 1, since };
const helper: LateWork = { kind: 'subagent', entry: 'subagent:a' as EntryId, canCancel: false, turn: 1, since };
const agent: LateWork = { kind: 'agent', turn: 1, since };

const entries = [
  userMessage('u', 'Start the server'),
  toolCall('build', { title: 'npm run build', status: 'in_progress', rawInput: { command: 'npm run build' } }),
  subagent('a', { title: 'Check the links' }),
  agentMessage('m', 'It is starting.'),
];

async function open(...lateWork: readonly LateWork[]): Promise<Chat> {
  const chat = await browser.open();
  await show(chat, lateWork);
  return chat;
}

async function show(chat: Chat, lateWork: readonly LateWork[]): Promise<void> {
  await chat.showPage(pageWithSession());
  const terminals = [terminal('dev', { command: 'npm run dev', exit: { state: 'running' } })];
  await chat.showSession(sessionA, { ...snapshot({ lateWork }, entries), terminals });
}

const strip = (chat: Chat) => chat.page.getByRole('region', { name: 'Still running' });

test('lists work that continues after its turn, stoppable by keyboard', async () => {
  const chat = await open(server, build);
  assert.match(await strip(chat).innerText(), /2 commands are still running/);
  // The session takes the next message.
  assert.equal(await chat.page.getByRole('feed').getAttribute('aria-busy'), 'false');
  await strip(chat).getByRole('button', { name: '2 commands are still running' }).press('Enter');
  assert.deepEqual(await strip(chat).getByRole('listitem').allInnerTexts(), ['npm run dev', 'npm run build']);
  // The composer has a button named “Stop”, which ends the turn.
  await strip(chat).getByRole('button', { name: 'Stop work', exact: true }).press('Enter');
  assert.deepEqual(await chat.posted('stopLateWork'), [{ type: 'stopLateWork', session: sessionA }]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { lateWork: [server] } }]);
  await strip(chat).getByText('1 command is still running').waitFor();
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { lateWork: [] } }]);
  await strip(chat).waitFor({ state: 'detached' });
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test("shows why work can't be stopped", async () => {
  const chat = await open(helper);
  await strip(chat).getByText('1 subagent is still running').waitFor();
  assert.equal(await strip(chat).getByRole('button', { name: 'Stop' }).count(), 1);
  const activity = { state: 'running', since: Date.now() } as const;
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity } }]);
  await strip(chat).getByText('It can’t be stopped while a turn is running.').waitFor();
  assert.equal(await strip(chat).getByRole('button', { name: 'Stop' }).count(), 0);
  await chat.close();
});

test('offers to end an agent that continues after Stop', async () => {
  const chat = await open(agent);
  await strip(chat).getByText('Claude is still working').waitFor();
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { lateWork: [{ ...agent, ignoredStop: true }] } }]);
  await strip(chat).getByText('Claude is still working after you stopped it').waitFor();
  await strip(chat).getByRole('button', { name: 'End process' }).press('Enter');
  assert.deepEqual(await chat.posted('errorAction'), [
    { type: 'errorAction', session: sessionA, entry: '', action: 'endProcess' },
  ]);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'late',
    reach: async (chat) => {
      await show(chat, [server, build]);
      await strip(chat).getByRole('button', { name: '2 commands are still running' }).click();
      await strip(chat).getByRole('listitem').last().waitFor();
    },
  },
]);
