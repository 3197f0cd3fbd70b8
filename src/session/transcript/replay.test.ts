import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { EntryId } from '../../shared/ids';

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

/** A session with a whole turn: a thought, an edit that the user allowed, and an answer; then its agent has gone. */
async function told(isCutOff = false) {
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
  test.session.disconnected({ code: 'agentExited', title: 'It has gone.', actions: ['restartAgent'] });
  return test;
}

/** What is shown, but for who is connected. */
const shown = ({ session: { transcript } }: SessionHarness) =>
  structuredClone(transcript.order.map((id) => transcript.entries.get(id) ?? assert.fail(id)));

test('an agent that tells nothing takes nothing away, and is said not to remember', async () => {
  for (const replay of [[], [chunk('agent', 'Welcome! Type a message.')]]) {
    const harness = await told();
    const before = shown(harness);
    harness.session.compareReplay(replay);
    assert.deepEqual(shown(harness).slice(0, before.length), before);
    assert.deepEqual(
      harness.all('notice').map(({ title }) => title),
      ['Codex doesn’t remember this conversation'],
    );
  }
});

test('an agent that tells less than is shown changes nothing', async () => {
  const replays = [
    // Only what the user said.
    [chunk('user', 'Fix it')],
    // Texts without thoughts, the diff as text, and ids of its own.
    [
      chunk('user', 'Fix it'),
      call('other', { title: 'Edit c1', content: [{ type: 'content', content: { type: 'text', text: '+new' } }] }),
      chunk('agent', 'Fixed: the loop ends.\n'),
    ],
    // By the same ids, with less in them.
    [chunk('user', 'Fix it'), call('c1'), chunk('agent', 'Fixed: the loop ends.')],
    // A failed call that is told as completed first.
    [chunk('user', 'Fix it'), call('c1'), { ...call('c1'), sessionUpdate: 'tool_call_update', status: 'failed' }],
  ];
  for (const replay of replays) {
    const harness = await told();
    const before = shown(harness);
    harness.session.compareReplay(replay);
    assert.deepEqual(shown(harness), before);
  }
});

test('an answer that was cut off is told to its end, with what followed, in front of how the turn ended', async () => {
  const harness = await told(true);
  const before = shown(harness);
  harness.session.compareReplay([
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

test('a call that was open when its agent went has ended as its agent tells', async () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('Run it');
  harness.update(call('c1', { status: 'in_progress' }));
  harness.session.disconnected(undefined);
  assert.equal(harness.all('tool_call')[0]?.status, 'cancelled');
  harness.session.compareReplay([chunk('user', 'Run it'), call('c1')]);
  assert.deepEqual(
    harness.all('tool_call').map(({ status }) => status),
    ['completed'],
  );
});

test('turns that the session had elsewhere follow what is shown, and what goes on follows them', async () => {
  const harness = await told();
  harness.session.sendPrompt('next');
  harness.session.compareReplay([
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

test('ids that are only counted name nothing: the third message of a replay is not the third that is shown', async () => {
  const harness = await told();
  harness.session.compareReplay([
    chunk('agent', 'Hello.'),
    chunk('user', 'Fix it'),
    chunk('agent', 'Fixed: the loop ends.'),
  ]);
  assert.equal(harness.text.includes('Hello.'), false);
  assert.equal(harness.text.split('Fixed').length, 2);
});

test('a message with an id of the agent’s is told to its end wherever it stands', () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('one');
  harness.update(chunk('agent', 'Half', 'm1'));
  harness.session.disconnected(undefined);
  harness.session.compareReplay([chunk('user', 'one', 'u1'), chunk('agent', 'Half and half', 'm1')]);
  assert.match(harness.text, /Half and half/);
  assert.equal(harness.all('agent_message').length, 1);
});
