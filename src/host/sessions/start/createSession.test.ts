import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { SessionHarness } from '../../../../test/unit-support/fakeSession';
import { editor } from '../../../../test/unit-support/vscode';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import type { Preset } from '../../../agent/spec/preset';
import type { Session } from '../../../session/session';
import type { SandboxMode } from '../../../shared/limits/sandboxMode';
import { createSession, type CreateServices } from './createSession';

beforeEach(() => editor.reset());

const agent = { id: 'goose', name: 'Goose' } as unknown as AgentSpec;

/** Opens a session with a preset, where agents are held to `byDefault`; returns what the session was created with. */
function sandboxOf(
  preset: Partial<Preset>,
  byDefault: SandboxMode,
  { chosen, like }: { readonly chosen?: SandboxMode; readonly like?: SandboxMode } = {},
): SandboxMode | undefined {
  let created: SandboxMode | undefined;
  const services = {
    pool: {
      sandboxFor: () => byDefault,
      createSession: ({ sandbox }: { readonly sandbox?: SandboxMode }) => {
        created = sandbox;
        return new SessionHarness().open().session;
      },
    },
    catalog: { findByName: () => agent, find: () => agent, default: agent },
    scratch: { path: '/scratch', has: () => false },
    choices: { usePreset: () => undefined },
  } as unknown as CreateServices;
  const whole: Preset = { name: 'P', agent: 'Goose', options: {}, isDefault: false, isOfWorkspace: false, ...preset };
  const other = { transcript: { view: { sandbox: like } } } as unknown as Pick<Session, 'transcript'>;
  createSession(services, {
    preset: whole,
    cwd: '/work',
    ...(chosen === undefined ? {} : { sandbox: chosen }),
    ...(like === undefined ? {} : { like: other }),
  });
  return created;
}

test('a workspace’s preset can’t leave the user’s sandbox', () => {
  const isOfWorkspace = true;
  assert.equal(sandboxOf({ isOfWorkspace, sandbox: 'off' }, 'files'), 'files');
  assert.equal(sandboxOf({ isOfWorkspace, sandbox: 'filesAndNetwork' }, 'files'), 'filesAndNetwork');
  assert.equal(sandboxOf({ isOfWorkspace, sandbox: 'files' }, 'off'), 'files');
  assert.equal(sandboxOf({ isOfWorkspace }, 'files'), undefined);
});

test('the user’s preset decides, and a choice for the session precedes it', () => {
  assert.equal(sandboxOf({ sandbox: 'off' }, 'files'), 'off');
  assert.equal(sandboxOf({ sandbox: 'files' }, 'off', { chosen: 'filesAndNetwork' }), 'filesAndNetwork');
});

test('a session for another one is held at least to its sandbox', () => {
  assert.equal(sandboxOf({}, 'off', { like: 'files' }), 'files');
  assert.equal(sandboxOf({ sandbox: 'off' }, 'off', { like: 'filesAndNetwork' }), 'filesAndNetwork');
  assert.equal(sandboxOf({}, 'filesAndNetwork', { like: 'files' }), 'filesAndNetwork');
  assert.equal(sandboxOf({}, 'files', { like: 'off' }), undefined);
});
