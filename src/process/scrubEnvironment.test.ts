import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrubEnvironment } from './scrubEnvironment';

test('removes variables of the editor and of Node', () => {
  const env = {
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_PID: '7',
    VSCODE_IPC_HOOK_CLI: '/x',
    NODE_OPTIONS: '--inspect',
    NODE_PATH: '/lib',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    PATH: '/bin',
    UNSET: undefined,
  };
  assert.deepEqual(scrubEnvironment(env), { NODE_PATH: '/lib', NODE_EXTRA_CA_CERTS: '/ca.pem', PATH: '/bin' });
});

test('removes marks of an outer agent and keeps agent settings', () => {
  const env = {
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    GEMINI_CLI: '1',
    CLAUDE_CODE_USE_BEDROCK: '1',
    ANTHROPIC_API_KEY: 'key',
    GEMINI_API_KEY: 'key',
    CODEX_HOME: '/codex',
  };
  assert.deepEqual(Object.keys(scrubEnvironment(env)), [
    'CLAUDE_CODE_USE_BEDROCK',
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'CODEX_HOME',
  ]);
});

test('removes an askpass program only if it belongs to the editor', () => {
  assert.deepEqual(scrubEnvironment({ GIT_ASKPASS: '/mine' }), { GIT_ASKPASS: '/mine' });
  assert.deepEqual(scrubEnvironment({ GIT_ASKPASS: '/code/askpass.sh', VSCODE_GIT_ASKPASS_NODE: '/code/node' }), {});
});

test('ignores case in names, as Windows does', () => {
  assert.deepEqual(scrubEnvironment({ Node_Options: 'x', vscode_pid: '1' }), {});
});
