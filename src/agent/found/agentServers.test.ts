import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAgentServers, foreignSettings, looksSecret } from './agentServers';

test('reads the agents of another editor and separates their secrets', () => {
  const agents = decodeAgentServers(`{
    // The theme comes first.
    "theme": "One Dark",
    "agent_servers": {
      "Mine": {
        "type": "custom",
        "command": "/opt/mine",
        "args": ["--acp", 7],
        "env": { "LEVEL": "debug", "MINE_API_KEY": "sk-123", "PLAIN": "ghp_abc", "FROM": "\${MINE_TOKEN}" },
      },
      "claude": { "type": "registry" },
      "bad args": { "command": "x", "args": "--acp" },
      "": { "command": "x" },
    },
  }`);
  assert.deepEqual(agents, [
    {
      name: 'Mine',
      command: '/opt/mine',
      args: ['--acp', '7'],
      env: { LEVEL: 'debug', FROM: '${MINE_TOKEN}' },
      secrets: { MINE_API_KEY: 'sk-123', PLAIN: 'ghp_abc' },
    },
  ]);
  assert.deepEqual(decodeAgentServers('{ "agent_servers": [] }'), []);
  assert.throws(() => decodeAgentServers('{'));
});

test('distinguishes secrets from other variables', () => {
  for (const [name, value] of [
    ['OPENAI_API_KEY', 'x'],
    ['APIKEY', 'x'],
    ['GITHUB_TOKEN', 'x'],
    ['DB_PASSWORD', 'x'],
    ['DATABASE_URL', 'postgres://me:pass@host/db'],
    ['ANY', 'eyJhbGciOi'],
  ] as const) {
    assert.ok(looksSecret(name, value), name);
  }
  for (const [name, value] of [
    ['OPENAI_API_KEY', ''],
    ['OPENAI_API_KEY', '$OPENAI_API_KEY'],
    ['KEYBOARD', 'de'],
    ['MONKEY', 'x'],
    ['HTTP_PROXY', 'http://proxy:3128'],
    ['AUTHOR', 'Ann'],
  ] as const) {
    assert.ok(!looksSecret(name, value), name);
  }
});

test('lists where other editors store their agents', () => {
  const paths = (platform: NodeJS.Platform, home: string, env = {}) =>
    foreignSettings({ platform, home, env }).map(({ path }) => path);
  assert.deepEqual(paths('darwin', '/Users/ann'), [
    '/Users/ann/.config/zed/settings.json',
    '/Users/ann/.jetbrains/acp.json',
  ]);
  assert.equal(paths('linux', '/home/ann', { XDG_CONFIG_HOME: '/cfg' })[0], '/cfg/zed/settings.json');
  assert.deepEqual(paths('win32', 'C:\\Users\\ann', { APPDATA: 'C:\\Roaming' }), [
    'C:\\Roaming\\Zed\\settings.json',
    'C:\\Users\\ann\\.jetbrains\\acp.json',
  ]);
});
