import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxOf } from './sandboxOf';

const settings = { sandbox: 'files', sandboxOfWorkspace: 'off' } as const;

test('a choice for a session precedes the agent’s and the default', () => {
  assert.equal(sandboxOf(settings, undefined, {}, undefined), 'files');
  assert.equal(sandboxOf(settings, undefined, { sandbox: 'off' }, undefined), 'off');
  assert.equal(sandboxOf(settings, undefined, { sandbox: 'off' }, 'filesAndNetwork'), 'filesAndNetwork');
});

test('nothing goes below what the workspace and the policy require', () => {
  assert.equal(sandboxOf({ ...settings, sandboxOfWorkspace: 'files' }, undefined, {}, 'off'), 'files');
  assert.equal(sandboxOf(settings, undefined, { sandbox: 'off', isOfWorkspace: true }, undefined), 'files');
  assert.equal(sandboxOf(settings, 'filesAndNetwork', { sandbox: 'off' }, 'files'), 'filesAndNetwork');
});
