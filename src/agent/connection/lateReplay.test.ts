import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { all, isClosed, isDone, lives, pidsOf, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { quirksOf } from '../base/quirks';
import { replayed } from './replayEnd';

const others = quirksOf('anything else');
const chunk = (role: string, value: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text: value },
});

void describe('quirks of one agent', () => {
  void it('apply only to agents with its name', () => {
    assert.deepEqual(new Set(Object.values(others)), new Set([false, undefined]));
    assert.equal(quirksOf('').missingFileReadsEmpty, false);
  });

  void it('a replay ends after a silence or a maximum time', async () => {
    const at = async (counts: readonly number[]) => {
      const left = [...counts];
      let timers = 0;
      const schedule = (_ms: number, action: () => void) => {
        timers += 1;
        action();
        return { dispose: () => undefined };
      };
      await replayed(() => left[timers] ?? timers, schedule);
      return timers;
    };
    assert.equal(await at([0, 0]), 1);
    assert.equal(await at([1, 40, 118, 118]), 3);
    assert.equal(await at([]), 20);
  });
});

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness();
});

void describe('a session that Gemini reopens', () => {
  const script = {
    initialize: { agentInfo: { name: 'gemini-cli', version: '1' }, agentCapabilities: { loadSession: true } },
    turns: [{ steps: [{ say: 'answer $n' }] }],
  };

  async function reopened(more: object): Promise<ReturnType<PoolHarness['start']>> {
    const session = test.start({ ...script, ...more });
    session.sendPrompt('first');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.sendPrompt('second');
    await until(session, (one) => isDone(one) && /second[^]*answer 1/.test(text(one)));
    return session;
  }

  void it('has its history before the next message, despite the early response', async () => {
    const session = await reopened({
      replay: [{ update: chunk('user', '<session_context>\nfor the model') }, { update: chunk('user', 'first') }],
      lateReplay: [
        { wait: 50 },
        { update: chunk('agent', 'answer 1[Function Call: read_file]') },
        { update: chunk('user', '[Function Response: read_file]') },
        { wait: 50 },
        { update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'ReadFile', status: 'completed' } },
      ],
    });
    const said = ['You:\n  first', 'Codex:\n  answer 1', 'Tool call (other, completed): ReadFile', 'Error'];
    const shown = text(session).replace(/\n\nError[^]*?showLog/, '\n\nError');
    assert.equal(shown, `# first\n\n${[...said, 'You:\n  second', 'Codex:\n  answer 1'].join('\n\n')}\n`);
    assert.deepEqual(test.sent(), ['initialize', 'session/load', 'session/prompt']);
  });

  void it('is requested twice before giving up', async () => {
    const session = test.start({ ...script, load: { error: { code: -32603, message: 'Invalid session identifier' } } });
    session.sendPrompt('first');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.sendPrompt('second');
    await until(session, (one) => isClosed(one) && text(one).includes('couldn’t reopen this session'));
    assert.deepEqual(test.sent(), ['initialize', 'session/load', 'session/load']);
  });

  void it('ends as disconnected if the agent exits during the replay', async () => {
    const session = test.start({ ...script, lateReplay: [{ exit: 3 }] });
    session.sendPrompt('first');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.restart();
    await until(session, (one) => isClosed(one) && all(one, 'error').length === 2);
    assert.match(text(session), /stopped unexpectedly \(exit code 3\)/);
  });
});

void describe('an unknown agent that answers before it replays', () => {
  const script = {
    initialize: { agentCapabilities: { loadSession: true } },
    turns: [{ steps: [{ say: 'answer $n' }] }],
  };
  const history = [
    chunk('user', 'first'),
    chunk('agent', 'answer 1'),
    chunk('user', 'second'),
    chunk('agent', 'answer 2'),
  ];

  for (const early of [0, 1, 2, 3, 4]) {
    void it(`shows its history once, with ${early} updates before the answer`, async () => {
      const late = history.slice(early).map((update) => ({ update }));
      const replay = history.slice(0, early).map((update) => ({ update }));
      const session = test.start({ ...script, replay, lateReplay: late });
      session.sendPrompt('first');
      await until(session, isDone);
      session.sendPrompt('second');
      await until(session, (one) => isDone(one) && text(one).includes('answer 2'));
      session.endProcess();
      await until(session, isClosed);
      session.sendPrompt('third');
      await until(session, (one) => isDone(one) && /third[^]*answer 1/.test(text(one)));
      const shown = text(session).replace(/\n\nError[^]*?showLog/, '');
      const said = ['first', 'answer 1', 'second', 'answer 2', 'third', 'answer 1'];
      const expected = said.map((words, at) => `${at % 2 === 0 ? 'You' : 'Codex'}:\n  ${words}`);
      assert.equal(shown, `# first\n\n${expected.join('\n\n')}\n`);
    });
  }
});
