import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isDone, isRunning, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import type { ClientContext } from '../../session/services';
import type { Aside } from '../../shared/pages/aside';
import type { SessionKey } from '../../shared/values/ids';
import type { UsedTurn } from '../../usage/usageDays';
import { Asides } from './asides';
import { isAside } from './forkAside';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const question = 'What is this?';
const asked: Aside = { question, state: 'asked', text: '' };
const capabilities = { fork: {}, close: {}, delete: {} };
const first = { steps: [{ say: 'First.' }] };
const call = (kind: string) => ({
  update: { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Do it', kind, status: 'pending' },
});

function start(turn: object, script: object = {}, can: object = capabilities): Session {
  return test.start({
    initialize: { agentInfo: { name: 'forks' }, agentCapabilities: { sessionCapabilities: can } },
    fork: { sessionId: 'f1' },
    turns: [first, turn],
    answers: { 'session/close': {}, 'session/delete': {} },
    ...script,
  });
}

async function ask(session: Session) {
  const before = text(session);
  const shown: (Aside | undefined)[] = [];
  const hidden: string[] = [];
  const hide = async (agent: string, id: string) => void hidden.push(`${agent} ${id}`);
  const counted: UsedTurn[] = [];
  const needs = { pool: test.pool, hide, count: (turn: UsedTurn) => void counted.push(turn) };
  await new Asides(needs, (_key, aside) => shown.push(aside)).ask(session, question);
  assert.equal(text(session), before);
  assert.deepEqual(shown[0], asked);
  return { answer: shown[1], hidden, counted, key: session.key };
}

async function askAfterTurn(turn: object, script?: object, can?: object) {
  const session = start(turn, script, can);
  session.sendPrompt('Start.');
  await until(session, isDone);
  assert.equal(session.transcript.view.canAskAside, true);
  const end = await ask(session);
  assert.equal(test.pool.sessions.length, 1);
  session.close();
  return end;
}

const about = () =>
  test.wire().flatMap(([direction, { method, params }]) => {
    const { sessionId } = (params ?? {}) as { sessionId?: string };
    return direction === 'send' && method !== undefined ? [`${method} ${sessionId ?? ''}`] : [];
  });

void describe('a question aside in a fork', () => {
  void it('is answered, and the fork is hidden, closed, and deleted', async () => {
    const { answer, hidden } = await askAfterTurn({ steps: [call('read'), { say: 'From ' }, { say: 'memory.' }] });
    assert.deepEqual(answer, { question, state: 'answered', text: 'From memory.' });
    assert.deepEqual(hidden, ['settings:Codex f1']);
    assert.deepEqual(about().slice(-5, -1), [
      'session/fork s1',
      'session/prompt f1',
      'session/close f1',
      'session/delete f1',
    ]);
  });

  void it('counts what it used for the session', async () => {
    const _meta = { usage: { inputTokens: 30, outputTokens: 4, totalTokens: 34 } };
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Yes.' }, _meta };
    const { counted, key } = await askAfterTurn({ steps: [{ update }] });
    assert.deepEqual(
      counted.map(({ session, agentName, tokens }) => [session, agentName, tokens?.total]),
      [[key, 'Codex', 34]],
    );
  });

  void it('is known by its key, so that its writes are refused', async () => {
    const write = { request: 'fs/write_text_file', params: { sessionId: '$session', path: '$cwd/a', content: 'x' } };
    const keys: SessionKey[] = [];
    const writeTextFile = ({ session }: ClientContext) => {
      keys.push(session);
      return Promise.resolve();
    };
    Object.assign(test.services.files, { writeTextFile });
    const { answer } = await askAfterTurn({ steps: [write, { say: 'Yes.' }] });
    assert.deepEqual([answer?.text, keys.map(isAside)], ['Yes.', [true]]);
    assert.equal(isAside('session:1' as SessionKey), false);
  });

  void it('shows a failure as such, and the lack of an answer', async () => {
    const failed = await askAfterTurn({ error: { code: -32603, message: 'No such model' } });
    assert.deepEqual([failed.answer?.state, /No such model/.test(failed.answer?.text ?? '')], ['failed', true]);
    assert.equal((await askAfterTurn({ steps: [] })).answer?.text, 'Codex has no answer.');
    const refused = await askAfterTurn({}, { fork: { error: { code: -32603, message: 'Not now' } } });
    assert.deepEqual(refused.answer, { question, state: 'failed', text: 'Not now' });
  });

  void it('is stopped when the agent wants to do more', async () => {
    const ask1 = {
      ask: 'session/request_permission',
      params: { sessionId: '$session', toolCall: { toolCallId: 'c2', title: 'Read' }, options: [] },
    };
    for (const step of [call('execute'), call('edit'), ask1]) {
      const { answer } = await askAfterTurn({ steps: [step, { waitForCancel: true }, { say: 'Done.' }] });
      assert.deepEqual(
        [answer?.state, answer?.text],
        ['failed', 'Codex wanted to do more than answer, so it was stopped.'],
      );
    }
  });

  void it('is not asked where the agent acts without asking', async () => {
    const mode = { currentModeId: 'yolo', availableModes: [{ id: 'yolo', name: 'YOLO' }] };
    const { answer } = await askAfterTurn({}, { fork: { sessionId: 'f1', modes: mode } });
    assert.equal(answer?.text, 'Codex can’t answer aside in a mode in which it doesn’t ask.');
    assert.equal(about().includes('session/prompt f1'), false);
  });

  void it('waits for the end of a turn, and ends with the agent', async () => {
    const session = start({}, { turns: [{ steps: [{ waitForCancel: true }] }, { steps: [{ exit: 3 }] }] });
    session.sendPrompt('Start.');
    await until(session, isRunning);
    assert.match((await ask(session)).answer?.text ?? '', /is working/);
    session.cancel();
    await until(session, isDone);
    const shown: (Aside | undefined)[] = [];
    const hide = () => Promise.resolve();
    const needs = { pool: test.pool, hide, count: () => undefined };
    await new Asides(needs, (_key, aside) => shown.push(aside)).ask(session, question);
    assert.deepEqual([shown[1]?.state, shown[1]?.text], ['failed', 'Codex has exited.']);
  });
});
