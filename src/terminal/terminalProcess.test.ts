import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import { exitStatus, isTerminalSize } from './terminalProcess';

test('accepts whole positive sizes below the limit', () => {
  assert.equal(isTerminalSize(80, 24), true);
  assert.equal(isTerminalSize(1, 9999), true);
  for (const value of [0, -1, 1.5, 10_000, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(isTerminalSize(value, 24), false, String(value));
    assert.equal(isTerminalSize(80, value), false, String(value));
  }
});

test('reports a signal by its name, or else the exit code', () => {
  assert.deepEqual(exitStatus(3, undefined), { exitCode: 3 });
  assert.deepEqual(exitStatus(3, 0), { exitCode: 3 });
  assert.deepEqual(exitStatus(0, constants.signals.SIGKILL), { signal: 'SIGKILL' });
  assert.deepEqual(exitStatus(0, 120), { signal: 'SIG120' });
});
