import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../../test/unit-support/fakeSession';
import type { AgentId, TerminalId } from '../../shared/values/ids';
import { firstView } from '../firstView';
import type { ProcessExit, ServedTerminal, TerminalEvents } from '../services';
import { runOwnCommand } from './ownCommand';
import { ShownTerminals } from './shownTerminals';
import { createTranscript } from '../../shared/transcript/ops';
import { TranscriptStore } from './transcriptStore';

function setup() {
  const transcript = createTranscript(firstView('a' as AgentId, 'Agent', '/repo'));
  const store = new TranscriptStore(transcript, new FakeClock().now);
  const call = () => [...store.transcript.entries.values()][0];
  const run = (exit: ProcessExit | Error, early: (events: TerminalEvents) => void = () => undefined) =>
    runOwnCommand(store, new ShownTerminals(store), 0, 'Setup', (events) => {
      early(events);
      if (exit instanceof Error) return Promise.reject(exit);
      const released: string[] = [];
      const terminal: ServedTerminal = {
        terminalId: 't1' as TerminalId,
        driver: 'pipe',
        command: 'npm ci',
        cwd: '/repo',
        output: () => ({ output: '', truncated: false }),
        waitForExit: () => {
          events.onOutput('late');
          events.onExit(exit);
          return Promise.resolve(exit);
        },
        kill: () => Promise.resolve(),
        release: () => Promise.resolve(void released.push('t1')),
      };
      return Promise.resolve(terminal);
    });
  return { store, call, run };
}

test('shows a command of Parley’s own with all of its output', async () => {
  const { store, call, run } = setup();
  const exit = await run({ exitCode: 0 }, (events) => events.onOutput('early '));
  assert.deepEqual(exit, { exitCode: 0 });
  const entry = call();
  assert.ok(entry?.kind === 'tool_call');
  assert.equal(entry.status, 'completed');
  assert.deepEqual(entry.content, [{ type: 'terminal', terminalId: 't1' }]);
  const terminal = store.transcript.terminals.get('t1' as TerminalId);
  assert.equal(terminal?.output, 'early late');
  assert.equal(terminal.exit.state, 'exited');
});

test('a command that fails or can’t start is shown as failed', async () => {
  const failed = setup();
  assert.deepEqual(await failed.run({ exitCode: 1 }), { exitCode: 1 });
  const missing = setup();
  assert.deepEqual(await missing.run(new Error('not found')), { problem: 'not found' });
  for (const { call } of [failed, missing]) {
    const entry = call();
    assert.ok(entry?.kind === 'tool_call');
    assert.equal(entry.status, 'failed');
  }
});
