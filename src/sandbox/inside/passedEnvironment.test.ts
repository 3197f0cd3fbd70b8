import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOutOf, passedEnvironment } from './passedEnvironment';

const userEnv = {
  PATH: '/usr/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  http_proxy: 'http://proxy',
  JAVA_HOME: '/opt/java',
  XDG_CACHE_HOME: '/home/me/.cache',
  GITHUB_TOKEN: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  NPM_TOKEN: 'secret',
  SSH_AUTH_SOCK: '/run/agent',
  DATABASE_URL: 'postgres://me:secret@db',
  ANTHROPIC_API_KEY: 'secret',
  OPENAI_API_KEY: 'secret',
  OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1',
  TEAM_API_URL: 'https://me:secret@team.example',
};
const secrets = ['AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'GITHUB_TOKEN', 'NPM_TOKEN', 'SSH_AUTH_SOCK', 'TEAM_API_URL'];

test('keys of other programs stay outside of a sandbox', () => {
  const ofClaude = { userEnv, names: [], agent: 'claude' };
  assert.deepEqual(leftOutOf(ofClaude), [...secrets, 'OPENAI_API_KEY'].sort());
  assert.equal(passedEnvironment(userEnv, ofClaude)['ANTHROPIC_API_KEY'], 'secret');
  assert.deepEqual(leftOutOf({ ...ofClaude, agent: 'codex' }), [...secrets, 'ANTHROPIC_API_KEY'].sort());
  assert.deepEqual(leftOutOf({ ...ofClaude, agent: 'opencode' }), secrets);
  assert.deepEqual(leftOutOf({ userEnv, names: [] }), [...secrets, 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'].sort());
});

test('what the user passes or sets for the program gets in', () => {
  const env = { ...userEnv, NPM_TOKEN: 'of the agent', GITHUB_TOKEN: 'secret', MADE: 'x' };
  const passed = passedEnvironment(env, { userEnv, names: ['GITHUB_TOKEN'] });
  assert.deepEqual(
    [passed['GITHUB_TOKEN'], passed['NPM_TOKEN'], passed['MADE'], passed['AWS_SECRET_ACCESS_KEY']],
    ['secret', 'of the agent', 'x', undefined],
  );
});
