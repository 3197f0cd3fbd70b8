import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientContext } from '../../session/services';
import type { Sandbox } from '../../shared/limits/sandbox';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import type { AgentPool } from './agentPool';
import { heldContext } from './heldContext';

const context = { session: 's', agentName: 'Goose', cwd: '/work' } as unknown as ClientContext;

/** Returns the context of a command in a session with this sandbox. */
function contextIn(mode: SandboxMode, sandbox?: Sandbox): ClientContext {
  const sessions = [{ key: 's', transcript: { view: { sandbox: mode } } }];
  return heldContext({ sessions, sandboxOf: () => sandbox } as unknown as AgentPool, context);
}

test('commands run in the sandbox of their session', () => {
  const sandbox = {} as Sandbox;
  assert.equal(contextIn('files', sandbox).sandbox, sandbox);
  assert.equal(contextIn('off').sandbox, undefined);
});

test('a session whose sandbox has ended runs no command', () => {
  assert.throws(() => contextIn('files'), /The sandbox has ended\./);
});
