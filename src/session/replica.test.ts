import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyUpdate } from '../../test/unit-support/everyUpdate';
import { SessionHarness, settle } from '../../test/unit-support/fakeSession';
import type { SessionId } from '../shared/values/ids';
import {
  applyOps,
  coalesce,
  createTranscript,
  fromSnapshot,
  takeSnapshot,
  type TranscriptOp,
} from '../shared/transcript/ops';
import { entryKinds } from './transcript/entryKinds';
import { emptyView } from '../../test/unit-support/emptyView';

const form = { mode: 'form', message: 'Which?', requestedSchema: { properties: { tag: { type: 'string' } } } };

/** A repeatable sequence of random numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Performs one action of an agent or a user, whether valid or not. */
async function act(test: SessionHarness, next: () => number): Promise<void> {
  const pick = <T>(...items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
  const id = () => pick('a', 'b', 'c');
  const text = () => ({ type: 'text', text: pick('one ', 'two\n', '', '**three**', 'x'.repeat(300)) });
  const content = () =>
    pick<object>(text(), text(), { type: 'image', data: 'aGk=', mimeType: 'image/png' }, { type: 'odd' });
  const messageId = () => pick({}, {}, { messageId: id() }, { messageId: null });
  const toolContent = () =>
    pick<object>(
      { type: 'content', content: text() },
      { type: 'diff', path: '/a', oldText: pick(null, 'x'), newText: 'y' },
      { type: 'terminal', terminalId: id() },
    );
  const meta = () =>
    pick<object>(
      {},
      { _meta: { terminal_info: { terminal_id: id() } } },
      { _meta: { terminal_output: { terminal_id: id(), data: pick('out\n', 'é', 'y'.repeat(70_000)) } } },
      { _meta: { terminal_exit: { terminal_id: id(), exit_code: pick(0, 1, null) } } },
      { _meta: { claudeCode: { parentToolUseId: id() } } },
    );
  const fields = () => ({
    toolCallId: id(),
    title: pick('T', null, ''),
    status: pick('pending', 'in_progress', 'completed', 'failed', 'odd', null),
    kind: pick('read', 'execute', 'odd', null),
    content: pick(null, [], [toolContent()], [toolContent(), 3]),
    ...meta(),
  });
  const entry = () => ({ content: id(), priority: 'low', status: pick('pending', 'completed') });
  const asked = test.all('tool_call').flatMap(({ permission }) => (permission.state === 'asked' ? [permission] : []));
  const child = () => pick('c1', 'c2', 'c3') as SessionId;
  const state = () =>
    pick<unknown>(null, 'odd', { state: 'idle', stopReason: pick('end_turn', 'error') }, { state: 'running' });
  const announce = { sessionUpdate: 'subagent_update', title: pick('Sub', null), capabilities: { cancel: {} } };
  await pick<() => unknown>(
    () =>
      test.session.agentSide.handleUpdate(
        { ...announce, sessionId: child(), state: state() },
        pick(undefined, child()),
      ),
    () =>
      test.session.agentSide.handleUpdate(
        { sessionUpdate: 'agent_message_chunk', content: content(), ...messageId() },
        child(),
      ),
    () => test.session.agentSide.handleUpdate({ sessionUpdate: 'agent_thought_chunk', content: text() }, child()),
    () => test.session.agentSide.handleUpdate({ sessionUpdate: 'tool_call', ...fields() }, child()),
    () => test.session.agentSide.handleUpdate({ sessionUpdate: 'plan', entries: [entry()] }, child()),
    () => test.session.work.stopSubagent(child()),
    () => test.update({ sessionUpdate: 'agent_message_chunk', content: content(), ...messageId() }),
    () =>
      test.update(
        { sessionUpdate: 'agent_message_chunk', content: text() },
        { sessionUpdate: 'agent_message_chunk', content: text() },
      ),
    () => test.update({ sessionUpdate: 'agent_thought_chunk', content: content(), ...messageId() }),
    () => test.update({ sessionUpdate: 'user_message_chunk', content: content(), ...messageId() }),
    () => test.update({ sessionUpdate: 'agent_message', messageId: id(), content: pick(null, [text()]) }),
    () => test.update({ sessionUpdate: 'tool_call', ...fields() }),
    () => test.update({ sessionUpdate: 'tool_call_update', ...fields() }),
    () => test.update({ sessionUpdate: 'tool_call_update', ...fields() }),
    () => test.update({ sessionUpdate: 'plan', entries: pick([], [entry()], [entry(), entry()]) }),
    () => test.update({ sessionUpdate: 'usage_update', used: next(), size: 1 }),
    () => test.update({ sessionUpdate: 'session_info_update', title: pick('t', null, 'Longer title') }),
    () => test.update({ sessionUpdate: 'notice', severity: 'info', title: id() }),
    () =>
      test.update({
        sessionUpdate: 'compaction_update',
        compactionId: id(),
        error: pick(null, 'e'),
        summary: pick(null, [text()]),
      }),
    () => test.update({ sessionUpdate: 'compaction_summary_chunk', compactionId: id(), content: text() }),
    () => test.update(pick(...everyUpdate)),
    () => test.update({ sessionUpdate: 'nonsense' }),
    () => void test.ask({ toolCallId: id(), title: 'Ask', content: [toolContent()] }).catch(() => undefined),
    () => asked[0] && test.session.answerPermission(asked[0].request, pick('yes', 'no')),
    () => void test.session.agentSide.handleElicitation(form, { isOfTurn: true }, new AbortController().signal),
    () => test.session.sendPrompt(pick('go', 'on', 'one ')),
    () => test.session.cancel(),
    () => test.agent.prompts.length > 0 && test.agent.end(pick('end_turn', 'refusal', 'cancelled')),
    () => test.agent.prompts.length > 0 && test.agent.fail(new Error('no')),
    () => next() < 0.1 && test.session.agentSide.disconnected(undefined),
    () => next() < 0.3 && test.session.replay.begin(),
    () => test.view.connection.state === 'closed' && test.open({}, next() < 0.5),
  )();
  test.clock.pass(pick(1, 5, 3000));
  await settle();
}

/** Clones a value as it is cloned on the way to the chat page. */
const crossing = <T>(value: T): T => structuredClone(value);

void describe('a replica of a transcript', () => {
  void it('equals the original for any batches from any snapshot', async () => {
    let applied = 0;
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 250; seed++) {
      const next = random(seed);
      const test = new SessionHarness().open();
      let replica = fromSnapshot(crossing(takeSnapshot(test.session.transcript)));
      let batch: TranscriptOp[] = [];
      test.session.onDidApply((ops) => batch.push(...ops));
      const post = () => {
        const to = test.session.transcript.rev;
        assert.equal(to - batch.length, replica.rev, `seed ${seed}: no op is lost`);
        applyOps(replica, crossing(coalesce(batch)));
        // A joined batch has fewer ops, but its message contains the final revision.
        replica.rev = to;
        applied += batch.length;
        batch = [];
        assert.deepEqual(takeSnapshot(replica), takeSnapshot(test.session.transcript), `seed ${seed}`);
      };
      for (let step = 0; step < 50; step++) {
        await act(test, next);
        if (next() < 0.4) post();
        if (next() < 0.05) {
          post();
          replica = fromSnapshot(crossing(JSON.parse(JSON.stringify(takeSnapshot(test.session.transcript))) as never));
        }
      }
      post();
      for (const { kind } of test.entries) kinds.add(kind);
      test.session.dispose();
    }
    assert.ok(applied > 10_000, `only ${applied} ops`);
    // A login needs an agent's answer to its start.
    assert.deepEqual(
      Object.keys(entryKinds).filter((kind) => !kinds.has(kind)),
      ['login'],
    );
  });

  void it('stays equal when it joins chunk after chunk', () => {
    const ops: TranscriptOp[] = [];
    const test = new SessionHarness().open();
    test.session.onDidApply((batch) => ops.push(...batch));
    for (let n = 0; n < 5000; n++) test.say(`chunk ${n} `);
    const joined = coalesce(ops);
    assert.ok(joined.length <= 2, `${joined.length} ops`);
    const replica = createTranscript({ ...emptyView });
    applyOps(replica, joined);
    assert.deepEqual([...replica.entries.values()], test.entries);
  });
});
