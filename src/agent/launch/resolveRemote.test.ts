import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentSpec } from '../spec/agentSpec';
import { CookieJar } from '../remote/cookieJar';
import { resolveRemote, type RemoteContext } from './resolveRemote';

const context: RemoteContext = {
  cookies: new CookieJar(),
  environment: () => Promise.resolve({ env: { TOKEN: 'secret' } }),
  workspaceFolder: '/work/project',
  workspaceFolders: ['/work/project'],
  userHome: '/home/u',
  askInput: (name: string) => Promise.resolve(name === 'known' ? 'typed' : undefined),
} as unknown as RemoteContext;
const spec = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  ({
    id: 'settings:A',
    name: 'A',
    command: '',
    args: [],
    env: {},
    url,
    headers,
    source: 'settings',
  }) as unknown as AgentSpec;

test('replaces variables of the workspace, the environment, and the user', async () => {
  const { remote } = (await resolveRemote(
    spec('https://${input:known}.example/', {
      Authorization: 'Bearer ${env:TOKEN}',
      'X-Folder': '${workspaceFolder}',
      'X-Typed': '${input:known}',
    }),
    context,
  )) as unknown as { remote: { url: string; headers: object } };
  assert.equal(remote.url, 'https://typed.example/');
  assert.deepEqual(remote.headers, {
    Authorization: 'Bearer secret',
    'X-Folder': '/work/project',
    'X-Typed': 'typed',
  });
});

test('rejects a missing value, an unknown variable, and another scheme', async () => {
  await assert.rejects(resolveRemote(spec('https://h.example/', { A: '${input:other}' }), context), /needs a value/);
  await assert.rejects(resolveRemote(spec('https://h.example/${nothing}'), context));
  await assert.rejects(resolveRemote(spec('file:///etc/passwd'), context));
});
