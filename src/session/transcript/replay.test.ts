import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { EntryId } from '../../shared/values/ids';

const chunk = (role: 'user' | 'agent', text: string, messageId?: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text },
  ...(messageId === undefined ? {} : { messageId }),
});
const call = (toolCallId: string, more: object = {}) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: `Edit ${toolCallId}`,
  kind: 'edit',
  status: 'completed',
  ...more,
});
const diff = { type: 'diff', path: '/w/a.ts', oldText: 'old', newText: 'new' };

/** A session with a whole turn: a thought, an edit that the user allowed, and an answer. Its agent has exited. */
async function endedSession(isCutOff = false) {
  const test = new SessionHarness().open();
  test.session.sendPrompt('Fix it');
  test.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } });
  const asked = test.ask({ toolCallId: 'c1', title: 'Edit c1', kind: 'edit', content: [diff] });
  const [entry] = test.all('tool_call');
  if (entry?.permission.state === 'asked') test.session.answerPermission(entry.permission.request, 'yes');
  await asked;
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
  test.update(chunk('agent', isCutOff ? 'Fixed: the ' : 'Fixed: the loop ends.'));
  if (!isCutOff) await test.agent.end();
  test.session.agentSide.disconnected({ code: 'agentExited', title: 'It has gone.', actions: ['restartAgent'] });
  return test;
}

/** The transcript without the connection state. */
const shown = ({ session: { transcript } }: SessionHarness) =>
  structuredClone(transcript.order.map((id) => transcript.entries.get(id) ?? assert.fail(id)));

test('an empty replay removes nothing and adds a notice', async () => {
  for (const replay of [[], [chunk('agent', 'Welcome! Type a message.')]]) {
    const harness = await endedSession();
    const before = shown(harness);
    harness.session.replay.compare(replay);
    assert.deepEqual(shown(harness).slice(0, before.length), before);
    assert.deepEqual(
      harness.all('notice').map(({ title }) => title),
      ['Codex doesn’t remember this conversation'],
    );
  }
});

test('a replay with fewer details changes nothing', async () => {
  const replays = [
    // Only the user's message.
    [chunk('user', 'Fix it')],
    // Text without thoughts, the diff as text, and different ids.
    [
      chunk('user', 'Fix it'),
      call('other', { title: 'Edit c1', content: [{ type: 'content', content: { type: 'text', text: '+new' } }] }),
      chunk('agent', 'Fixed: the loop ends.\n'),
    ],
    // The same ids with fewer details.
    [chunk('user', 'Fix it'), call('c1'), chunk('agent', 'Fixed: the loop ends.')],
    // A failed call that is first replayed as completed.
    [chunk('user', 'Fix it'), call('c1'), { ...call('c1'), sessionUpdate: 'tool_call_update', status: 'failed' }],
  ];
  for (const replay of replays) {
    const harness = await endedSession();
    const before = shown(harness);
    harness.session.replay.compare(replay);
    assert.deepEqual(shown(harness), before);
  }
});

test("completes a cut-off answer and adds the rest before the turn's end", async () => {
  const harness = await endedSession(true);
  const before = shown(harness);
  harness.session.replay.compare([
    chunk('user', 'Fix it'),
    call('c1'),
    chunk('agent', 'Fixed: the loop ends.'),
    call('c2'),
    chunk('agent', 'And tested.'),
  ]);
  const kinds = shown(harness).map(({ kind }) => kind);
  assert.deepEqual(kinds, [
    'user_message',
    'agent_thought',
    'tool_call',
    'agent_message',
    'tool_call',
    'agent_message',
    'error',
  ]);
  assert.deepEqual(shown(harness).slice(0, 3), before.slice(0, 3), 'Thoughts, diffs and answers of the user stay.');
  assert.match(harness.text, /Fixed: the loop ends\.[^]*Edit c2[^]*And tested\./);
  assert.equal(harness.text.split('Fixed').length, 2);
});

test('shows a cut-off text once if a call came before it', async () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('Fix it');
  harness.update(chunk('agent', 'I look first.'), call('c1'), chunk('agent', 'Now I fix the'));
  harness.session.agentSide.disconnected(undefined);
  harness.session.replay.compare([
    chunk('user', 'Fix it'),
    chunk('agent', 'I look first.'),
    call('c1'),
    chunk('agent', 'Now I fix the loop.'),
    call('c2'),
  ]);
  assert.deepEqual(
    shown(harness).map((entry) => ('title' in entry ? entry.title : 'content' in entry ? entry.content : entry.kind)),
    ['Fix it', 'I look first.', 'Edit c1', 'Now I fix the loop.', 'Edit c2'].map((words) =>
      words.startsWith('Edit') ? words : [{ type: 'text', text: words }],
    ),
  );
});

test('an open call of an exited agent ends as in the replay', async () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('Run it');
  harness.update(call('c1', { status: 'in_progress' }));
  harness.session.agentSide.disconnected(undefined);
  assert.equal(harness.all('tool_call')[0]?.status, 'cancelled');
  harness.session.replay.compare([chunk('user', 'Run it'), call('c1')]);
  assert.deepEqual(
    harness.all('tool_call').map(({ status }) => status),
    ['completed'],
  );
});

test('adds turns from elsewhere after the conversation and continues after them', async () => {
  const harness = await endedSession();
  harness.session.sendPrompt('next');
  harness.session.replay.compare([
    chunk('user', 'Fix it'),
    chunk('agent', 'Fixed: the loop ends.'),
    chunk('user', 'Fix it'),
    call('c1', { title: 'Again' }),
    chunk('agent', 'Fixed again.'),
  ]);
  harness.open({}, false);
  harness.say('Done.');
  const order = ['Fix it', 'Fixed: the loop ends.', 'Fix it', 'Again', 'Fixed again.', 'next', 'Done.'];
  let at = 0;
  for (const words of order) {
    at = harness.text.indexOf(words, at);
    assert.ok(at >= 0, `${words}\n${harness.text}`);
    at += words.length;
  }
  assert.equal(harness.text.split('next').length, 2, harness.text);
  const ids = harness.entries.map(({ id }) => id);
  assert.equal(new Set<EntryId>(ids).size, ids.length);
  assert.deepEqual(
    harness.all('user_message').map(({ turn }) => turn),
    [1, 2, 3],
  );
});

test("doesn't match generated ids with the replay's messages by number", async () => {
  const harness = await endedSession();
  harness.session.replay.compare([
    chunk('agent', 'Hello.'),
    chunk('user', 'Fix it'),
    chunk('agent', 'Fixed: the loop ends.'),
  ]);
  assert.equal(harness.text.includes('Hello.'), false);
  assert.equal(harness.text.split('Fixed').length, 2);
});

test("completes a message with an agent's id wherever it is", () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('one');
  harness.update(chunk('agent', 'Half', 'm1'));
  harness.session.agentSide.disconnected(undefined);
  harness.session.replay.compare([chunk('user', 'one', 'u1'), chunk('agent', 'Half and half', 'm1')]);
  assert.match(harness.text, /Half and half/);
  assert.equal(harness.all('agent_message').length, 1);
});
