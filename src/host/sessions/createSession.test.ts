import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { SandboxMode } from '../../shared/sandboxMode';
import { createSession, type CreateServices } from './createSession';

beforeEach(() => editor.reset());

const agent = { id: 'codex', name: 'Codex' } as AgentSpec;

/** Creates a session, and returns what the window's pool is asked to hold it to. `usual`: what the settings say. */
function heldTo(usual: SandboxMode, options: NonNullable<Parameters<typeof createSession>[1]>) {
  const asked: (SandboxMode | undefined)[] = [];
  const services = {
    pool: {
      sandboxFor: () => usual,
      createSession: ({ sandbox }: { sandbox?: SandboxMode }) => {
        asked.push(sandbox);
        return new SessionHarness('Codex').session;
      },
    },
    catalog: { default: agent, find: () => agent, findByName: () => agent },
    scratch: { has: () => false, path: '/scratch' },
    choices: { usePreset: () => undefined },
  } as unknown as CreateServices;
  createSession(services, { cwd: '/w', ...options });
  return asked[0];
}

/** A session that is held to a sandbox. */
function sessionIn(sandbox: SandboxMode) {
  const { session } = new SessionHarness('Claude');
  session.showSandbox(sandbox);
  return session;
}

test('a session that follows another keeps at least its sandbox', () => {
  assert.equal(heldTo('off', { like: sessionIn('files') }), 'files');
  assert.equal(heldTo('filesAndNetwork', { like: sessionIn('files') }), 'filesAndNetwork');
  const preset = { name: 'p', agent: 'Codex', options: {}, isDefault: false, isOfWorkspace: false } as const;
  assert.equal(
    heldTo('off', { preset: { ...preset, sandbox: 'off' }, like: sessionIn('filesAndNetwork') }),
    'filesAndNetwork',
  );
});

test('a session follows the settings if no sandbox holds the first', () => {
  assert.equal(heldTo('files', { like: sessionIn('off') }), undefined);
  assert.equal(heldTo('files', { sandbox: 'filesAndNetwork' }), 'filesAndNetwork');
});

test('a preset of the workspace can’t turn off the user’s sandbox', () => {
  const preset = { name: 'p', agent: 'Codex', options: {}, isDefault: false } as const;
  assert.equal(heldTo('files', { preset: { ...preset, sandbox: 'off', isOfWorkspace: true } }), 'files');
  assert.equal(
    heldTo('files', { preset: { ...preset, sandbox: 'filesAndNetwork', isOfWorkspace: true } }),
    'filesAndNetwork',
  );
  assert.equal(heldTo('files', { preset: { ...preset, sandbox: 'off', isOfWorkspace: false } }), 'off');
});
