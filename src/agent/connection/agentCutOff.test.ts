import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { agentExited } from '../../session/failures';
import {
  all,
  isClosed,
  isReady,
  lives,
  pidsOf,
  PoolHarness,
  text,
  until,
} from '../../../test/unit-support/poolHarness';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness();
});

const lastError = (session: Parameters<typeof all>[0]) => all(session, 'error').at(-1)!;

void describe('an agent that is stopped because the connection broke', () => {
  void it('is reported as sending too much for an overlong line, and restarts', async () => {
    const tooMuch = { turns: [{ steps: [{ longLine: 33 * 1024 * 1024 }, { waitForCancel: true }] }] };
    const session = test.start(tooMuch);
    session.sendPrompt('go');
    await until(session, isClosed);
    const { code, title, cause, actions } = lastError(session);
    assert.deepEqual([code, actions], ['messageTooLong', ['restartAgent', 'continueWith', 'showLog']]);
    assert.match(title, /^Codex sent too much data at once/);
    assert.match(cause!, /larger than 32 MB[\s\S]*Restart the agent/);
    assert.doesNotMatch(text(session), /unexpectedly|memory|by itself/);
    session.restart();
    await until(session, isReady);
  });

  void it('gets a notice that it stopped reading, if that is the cause', () => {
    const { code, title, cause, actions } = agentExited('Codex', { logTail: '', wanted: false, fault: 'notReading' });
    assert.deepEqual([code, actions], ['notReading', ['restartAgent', 'continueWith', 'showLog']]);
    assert.match(title, /^Codex stopped reading messages and was stopped/);
    assert.match(cause!, /Restart the agent to continue\. Your session and files are safe/);
  });

  void it('gets a notice about a closed connection if it keeps running', async () => {
    const session = test.start({ turns: [{ steps: [{ closeOutput: true }, { waitForCancel: true }] }] });
    session.sendPrompt('go');
    await until(session, isClosed);
    assert.equal(lastError(session).code, 'outputClosed');
    assert.match(lastError(session).title, /^Codex closed the connection and was stopped/);
    assert.match(lastError(session).cause!, /still running[\s\S]*Restart it/);
    assert.doesNotMatch(text(session), /unexpectedly|memory|by itself/);
  });

  void it('gets the same notice at the start', async () => {
    const mute = 'require("fs").closeSync(1); process.stdin.on("end", () => process.exit()).resume()';
    const long = 'process.stdout.write("x".repeat(33 << 20)); process.stdin.resume()';
    const [first, second] = [mute, long].map((code) => test.start({ ...test.spec({}), args: ['-e', code] }));
    await Promise.all([until(first!, isClosed), until(second!, isClosed)]);
    assert.deepEqual([lastError(first!).code, lastError(second!).code], ['outputClosed', 'messageTooLong']);
  });

  void it('counts as exited if it exited on its own', async () => {
    const session = test.start({ turns: [{ steps: [{ closeOutput: true }, { exit: 7 }] }] });
    session.sendPrompt('go');
    await until(session, isClosed);
    assert.match(text(session), /Error \(agentExited\): Codex stopped unexpectedly \(exit code 7\)/);
  });
});

void describe('the log of an agent', () => {
  void it("never contains a split secret or one of the user's shell", async () => {
    test = new PoolHarness({ env: { SHELL_TOKEN: 'shell-value-1', SHELL_TOKEN_FILE: '/home/u/token' } });
    const halves = [
      { stderr: 'key is hunter2' },
      { wait: 50 },
      { stderr: 'secret, token shell-value-1 of /home/u/token\n' },
    ];
    const spec = test.spec({ turns: [{ steps: [...halves, { say: 'done' }] }] }, { API_KEY: 'hunter2secret' });
    const session = test.start(spec);
    session.sendPrompt('go');
    await until(session, () => test.log.some((line) => line.includes('key is')));
    assert.ok(test.log.includes('Codex: key is [redacted], token [redacted] of /home/u/token'));
  });
});
