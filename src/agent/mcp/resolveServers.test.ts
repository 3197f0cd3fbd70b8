import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { parseServers, type McpServerSpec } from './serverSpec';
import { resolveServers, type McpContext } from './resolveServers';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';

const place = tempFolder({ after });
const program = join(place, process.platform === 'win32' ? 'server.exe' : 'server');
writeFileSync(program, '', { mode: 0o755 });

const all = { mcpStdio: true, mcpHttp: true, mcpSse: true };
const none = { mcpStdio: true, mcpHttp: false, mcpSse: false };

function context(more: Partial<McpContext> = {}): McpContext {
  return {
    workspaceFolder: '/w',
    workspaceFolders: [{ name: 'w', path: '/w' }],
    userHome: '/home/me',
    environment: () => Promise.resolve({ env: { PATH: `relative${delimiter}${place}`, KEY: 'from-env' } }),
    readTextFile: (path) =>
      path === resolve('/w/.env') ? Promise.resolve('A=file\nB=file') : Promise.reject(new Error(path)),
    askInput: () => Promise.resolve(undefined),
    ...more,
  };
}

const specs = (servers: object, folder?: string): readonly McpServerSpec[] =>
  parseServers(servers, 'test', folder).servers;

test("sends a program's absolute path, no type, and always its lists", async () => {
  const given = specs({
    bare: { command: 'server' },
    full: { command: 'server', args: ['${env:KEY}'], env: { A: 'x' } },
  });
  const { servers, skipped } = await resolveServers(given, none, context());
  assert.deepEqual(servers, [
    { name: 'bare', command: program, args: [], env: [] },
    { name: 'full', command: program, args: ['from-env'], env: [{ name: 'A', value: 'x' }] },
  ]);
  assert.deepEqual(skipped, []);
});

test('sends URLs and headers only to agents that support them', async () => {
  const given = specs({
    web: { url: 'https://a.example/${env:KEY}', headers: { Authorization: 'Bearer ${env:KEY}' } },
    events: { type: 'sse', url: 'http://b.example' },
    file: { url: 'file:///etc/passwd' },
  });
  const { servers, skipped, secrets } = await resolveServers(given, all, context());
  assert.deepEqual(servers, [
    {
      type: 'http',
      name: 'web',
      url: 'https://a.example/from-env',
      headers: [{ name: 'Authorization', value: 'Bearer from-env' }],
    },
    { type: 'sse', name: 'events', url: 'http://b.example', headers: [] },
  ]);
  assert.deepEqual(skipped, [{ name: 'file', reason: '“url” must be a web address' }]);
  assert.deepEqual(secrets, ['Bearer from-env', 'from-env']);
  const fewer = await resolveServers(given.slice(0, 2), { ...all, mcpHttp: false }, context());
  assert.deepEqual(fewer.skipped, [{ name: 'web', reason: 'the agent doesn’t support http servers' }]);
  assert.equal(fewer.servers.length, 1);
  const program = specs({ local: { command: 'server' } });
  const { skipped: left } = await resolveServers(program, { ...all, mcpStdio: false }, context());
  assert.deepEqual(left, [{ name: 'local', reason: 'the agent doesn’t support stdio servers' }]);
});

test('skips servers that cannot run, with the reason, and keeps others', async () => {
  writeFileSync(join(place, 'text'), '');
  const given = specs({
    missing: { command: 'nowhere' },
    text: { command: join(place, 'text') },
    variable: { command: 'server', args: ['${command:x}'] },
    file: { command: 'server', envFile: 'gone.env' },
    input: { command: 'server', env: { A: '${input:key}' } },
    good: { command: 'server' },
  });
  const { servers, skipped } = await resolveServers(given, none, context());
  assert.deepEqual(
    servers.map(({ name }) => name),
    ['good'],
  );
  assert.deepEqual(skipped, [
    { name: 'missing', reason: 'program nowhere wasn’t found' },
    {
      name: 'text',
      reason:
        process.platform === 'win32'
          ? `program ${join(place, 'text')} wasn’t found`
          : `${join(place, 'text')} isn’t executable. Check the path and its permissions`,
    },
    { name: 'variable', reason: '${command:x} can’t be resolved' },
    { name: 'file', reason: `couldn’t read its environment file ${resolve('/w/gone.env')}` },
    { name: 'input', reason: 'no value was entered for “key”' },
  ]);
});

test('asks once per secret input, never for a skipped server', async () => {
  const asked: string[] = [];
  const askInput = (server: McpServerSpec, id: string) => {
    asked.push(`${server.name} ${id}`);
    return Promise.resolve(`<${id}>`);
  };
  const given = specs({
    web: { url: 'https://a.example', headers: { X: '${input:no}' } },
    one: { command: 'server', args: ['--key=${input:a}', '${input:b}'], env: { KEY: '${input:a}' } },
  });
  const { servers, secrets } = await resolveServers(given, none, context({ askInput }));
  assert.deepEqual(asked, ['one a', 'one b']);
  assert.deepEqual(servers, [
    { name: 'one', command: program, args: ['--key=<a>', '<b>'], env: [{ name: 'KEY', value: '<a>' }] },
  ]);
  assert.deepEqual(secrets, ['<a>', '<b>']);
});

test('entry variables override those of a file, and folders are not secret', async () => {
  const given = specs({ one: { command: 'server', envFile: '.env', env: { B: 'own', W: '${workspaceFolder}' } } });
  const { servers, secrets } = await resolveServers(given, none, context());
  const env = [
    { name: 'A', value: 'file' },
    { name: 'B', value: 'own' },
    { name: 'W', value: '/w' },
  ];
  assert.deepEqual(servers, [{ name: 'one', command: program, args: [], env }]);
  assert.deepEqual(secrets, ['file', 'own']);
});

test('a server of another folder starts there and uses its variables', posixOnly, async () => {
  const elsewhere = specs({ one: { command: './server', args: ['${workspaceFolder}'] } }, place);
  const { servers } = await resolveServers(elsewhere, none, context());
  const start = ['-c', 'cd "$1" && shift && exec "$@"', 'sh', place, program, place];
  assert.deepEqual(servers, [{ name: 'one', command: '/bin/sh', args: start, env: [] }]);
});

test('Windows finds servers by PATHEXT and skips those that need cmd.exe', async () => {
  const files = { isFile: (path: string) => /\\(one\.exe|two\.cmd)$/.test(path), readFile: () => '@echo off' };
  const windows = context({
    platform: 'win32',
    files,
    workspaceFolder: 'C:\\w',
    environment: () => Promise.resolve({ env: { Path: 'C:\\bin', PATHEXT: '.EXE;.CMD' } }),
  });
  const given = specs({ one: { command: 'one' }, two: { command: 'two' }, three: { command: 'one', cwd: 'D:\\x' } });
  const { servers, skipped } = await resolveServers(given, none, windows);
  assert.deepEqual(servers, [{ name: 'one', command: 'C:\\bin\\one.exe', args: [], env: [] }]);
  assert.deepEqual(
    skipped.map(({ name }) => name),
    ['two', 'three'],
  );
});
