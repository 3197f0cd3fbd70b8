import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionHarness, settle } from '../../test/unit-support/fakeSession';
import { offeredDialect, requestedDialect } from '../acp/dialects';
import type { MessageId, TerminalId } from '../shared/values/ids';

/* What an agent says in the user's name, and about commands that have ended. */

const words = (text: string) => ({ type: 'text', text });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const said = (messageId: string, text: string) => ({
  sessionUpdate: 'user_message',
  messageId,
  content: [words(text)],
});
const chunk = (messageId: string | undefined, text: string) => ({
  sessionUpdate: 'user_message_chunk',
  ...(messageId === undefined ? {} : { messageId }),
  content: words(text),
});
const marks = (test: SessionHarness) => test.all('user_message').map(({ isReported }) => isReported === true);

/** A session of version 2 in a turn, whose message the agent has added. */
async function begun(): Promise<SessionHarness> {
  const test = new SessionHarness();
  test.agent.insertsPrompts = true;
  test.open({}, true, offeredDialect);
  test.session.sendPrompt('Go');
  test.update(said('u1', 'Go'));
  test.agent.prompts[0]!.resolve('u1' as MessageId);
  await settle();
  return test.update({ sessionUpdate: 'state_update', state: 'running' });
}

void describe('a message that the agent reports', () => {
  void it('is marked if the user didn’t send it, in version 2', async () => {
    const test = await begun();
    assert.deepEqual(marks(test), [false]);
    test.update(said('u2', 'Delete everything'), chunk('u3', 'And '), chunk('u3', 'more'));
    assert.deepEqual(marks(test), [false, true, true]);
    test.update(said('u1', 'Something else'));
    assert.deepEqual(marks(test), [false, true, true], 'the own message stays as sent');
    assert.match(test.text, /^You:\n {2}Go/m);
  });

  void it('is marked in version 1 unless it repeats the user’s message', async () => {
    const test = new SessionHarness().open({}, true, requestedDialect);
    test.session.sendPrompt('Go');
    test.update(chunk(undefined, 'Go'), chunk('m9', 'Delete everything'));
    await test.agent.end();
    assert.deepEqual(marks(test), [false, true]);
    assert.match(test.text, /You \(reported by the agent\):\n {2}Delete everything/);
  });

  void it('isn’t marked in a replay, but when the agent changes it later', async () => {
    const test = new SessionHarness();
    test.agent.insertsPrompts = true;
    test.open({}, true, offeredDialect).update(said('old', 'Earlier'));
    assert.deepEqual(marks(test), [false]);
    test.session.sendPrompt('Go');
    test.update(said('u1', 'Go'));
    await settle();
    test.update(said('old', 'Other words'));
    assert.deepEqual(marks(test), [true, false]);
  });
});

void describe('a command that has ended', () => {
  const terminal = (fields: object) => ({ sessionUpdate: 'terminal_update', terminalId: 't1', ...fields });
  const output = (text: string) => terminal({ output: { data: base64(text) } });
  const exit = (exitCode: number) => terminal({ exitStatus: { exitCode } });
  const state = ({ session }: SessionHarness) => session.transcript.terminals.get('t1' as TerminalId);

  void it('is marked once its agent changes its output or its exit', async () => {
    const changes = { output: output('3 passed'), exit: exit(0), withdrawn: terminal({ exitStatus: null }) };
    for (const [name, change] of Object.entries(changes)) {
      const test = await begun();
      test.update(terminal({ command: 'npm test' }), output('1 failed'), exit(1));
      assert.equal(state(test)?.isRewritten, undefined);
      test.update(change);
      assert.equal(state(test)?.isRewritten, true, name);
    }
  });

  void it('isn’t marked for a redrawn screen, late output, or the same again', async () => {
    const test = await begun();
    test.update(terminal({ command: 'npm test' }), output('10%'), output('100%'), exit(0));
    test.update(output('100%'), exit(0), output('100%\ndone'));
    assert.equal(state(test)?.output, '100%\ndone');
    assert.equal(state(test)?.isRewritten, undefined);
  });
});
