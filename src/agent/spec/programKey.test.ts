import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentId } from '../../shared/values/ids';
import type { AgentSpec } from './agentSpec';
import { programKey } from './programKey';

const spec: AgentSpec = {
  id: 'settings:Codex' as AgentId,
  name: 'Codex',
  command: 'codex',
  args: [],
  env: {},
  cwd: '/opt/codex',
  source: 'settings',
};

test('a process is shared only in the same folder and sandbox', () => {
  assert.equal(programKey(spec, '/a'), programKey({ ...spec, sandbox: 'off' }, '/b'));
  const held = programKey({ ...spec, sandbox: 'files' }, '/a');
  assert.equal(programKey({ ...spec, sandbox: 'files' }, '/a'), held);
  for (const [sandbox, cwd] of [
    ['files', '/b'],
    ['filesAndNetwork', '/a'],
    ['off', '/a'],
  ] as const)
    assert.notEqual(programKey({ ...spec, sandbox }, cwd), held);
  const inFolders = (...sandboxFolders: string[]) => programKey({ ...spec, sandbox: 'files', sandboxFolders }, '/a');
  assert.equal(inFolders('/a', '/b'), inFolders('/b', '/a'));
  assert.notEqual(inFolders('/a', '/b'), inFolders('/a'));
});
