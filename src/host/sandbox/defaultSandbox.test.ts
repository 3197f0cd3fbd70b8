import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { Emitter } from '../../shared/values/event';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import { DefaultSandbox } from './defaultSandbox';

test('says what is missing once agents are to run in a sandbox', async () => {
  const settings = new Emitter<void>();
  let mode: SandboxMode = 'off';
  let missing: { problem: string; line: string } | undefined = { problem: 'No bubblewrap.', line: 'install it' };
  let checks = 0;
  const sandbox = new DefaultSandbox({
    mode: () => mode,
    onDidChangeMode: settings.event,
    findMissing: () => {
      checks += 1;
      return Promise.resolve(missing);
    },
  });
  const changes = new EventEmitter();
  sandbox.onDidChange(() => changes.emit(sandbox.state.problem === undefined ? 'plain' : 'missing'));
  await sandbox.check();
  assert.deepEqual([sandbox.state, checks], [{ mode: 'off' }, 0]);

  const told = once(changes, 'missing');
  mode = 'files';
  settings.fire();
  await told;
  assert.deepEqual(sandbox.state, { mode: 'files', ...missing });

  missing = undefined;
  await sandbox.check();
  assert.deepEqual(sandbox.state, { mode: 'files' });
});
