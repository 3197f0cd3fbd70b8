import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { refusalsInOutput } from './refusalsInOutput';

const policy: SandboxPolicy = {
  mode: 'filesAndNetwork',
  folders: ['/home/me/project'],
  state: ['/home/me/.claude'],
  shared: [],
  readOnly: ['/home/me/project/.git/config'],
  unreadable: ['/home/me/.ssh', '/home/me/project/.env'],
  homes: ['/home/me'],
  stillReadable: ['/home/me/.gitconfig'],
  hosts: [],
  localPorts: [],
};

function said(output: string, mode = policy.mode, locations: readonly string[] = []): string[] {
  const command = { output, locations, cwd: '/home/me/project', home: '/home/me' };
  return refusalsInOutput({ ...policy, mode }, command).map(({ kind, path }) => `${kind} ${path}`.trim());
}

test('sockets that programs couldn’t use are found in what they print', posixOnly, () => {
  const docker = '/var/run/docker.sock';
  for (const [line, path] of [
    ['Error: listen EPERM: operation not permitted /tmp/tsx-0/17.pipe', '/tmp/tsx-0/17.pipe'],
    [`Error: connect EPERM ${docker} - Local (undefined:undefined)`, docker],
    [`dial unix ${docker}: socket: operation not permitted`, docker],
    [`permission denied while trying to connect to the Docker daemon socket at unix://${docker}: Get "x"`, docker],
    [`Cannot connect to the Docker daemon at unix://${docker}. Is the docker daemon running?`, docker],
    [
      'psql: error: connection to server on socket "/run/postgresql/.s.PGSQL.5432" failed: x',
      '/run/postgresql/.s.PGSQL.5432',
    ],
    ["ERROR 2002: Can't connect to local MySQL server through socket '/run/mysqld.sock' (1)", '/run/mysqld.sock'],
    ['FATAL:  could not create Unix socket for address "/tmp/x": Operation not permitted', ''],
    ["gpg: can't connect to the gpg-agent: IPC connect call failed", ''],
    ["gpg: can't connect to the keyboxd: IPC connect call failed", ''],
    ['Could not open a connection to your authentication agent.', ''],
    ['  File "socket.py", line 232, in __init__\n    _socket.socket.__init__(self)\nPermissionError: [Errno 1] x', ''],
    ['Error connecting to agent: Operation not permitted', ''],
  ] as const)
    assert.deepEqual(said(line), [`socket ${path}`.trim()], line);
});

test('only hidden files count among those that weren’t found', posixOnly, () => {
  const none = (path: string) => `cat: ${path}: No such file or directory`;
  assert.deepEqual(said(none('/home/me/.ssh/id_ed25519')), ['read /home/me/.ssh/id_ed25519']);
  assert.deepEqual(said(none("'/home/me/other project/a'")), []);
  assert.deepEqual(said(none('../other/a.txt')), ['read /home/me/other/a.txt']);
  assert.deepEqual(said("Error: ENOENT: no such file or directory, open '/home/me/other/a b'"), [
    'read /home/me/other/a b',
  ]);
  assert.deepEqual(said("FileNotFoundError: [Errno 2] No such file or directory: '.env'"), [
    'read /home/me/project/.env',
  ]);
  assert.deepEqual(said(none('/home/me/project/missing')), []);
  assert.deepEqual(said(none('/home/me/.gitconfig')), []);
  assert.deepEqual(said(none('/srv/missing')), []);
  assert.deepEqual(said('', 'files', ['~/.ssh/config', '/srv/a']), ['read /home/me/.ssh/config']);
});

test('hosts that were looked up without the proxy are found', posixOnly, () => {
  for (const line of [
    'curl: (6) Could not resolve host: a.example',
    'Error: getaddrinfo EAI_AGAIN a.example',
    'Error: getaddrinfo ENOTFOUND a.example',
    'ping: a.example: Temporary failure in name resolution',
    'wget: unable to resolve host address ‘a.example’',
    'ssh: Could not resolve hostname a.example: Temporary failure in name resolution',
    'dial tcp: lookup a.example on 127.0.0.53:53: read udp: connection refused',
  ]) {
    assert.deepEqual(said(line), ['name a.example'], line);
    assert.deepEqual(said(line, 'files'), [], line);
  }
  assert.deepEqual(said('socket.gaierror: [Errno -3] Temporary failure in name resolution'), ['name']);
});

test('keys, logins, and settings of Git are told apart', posixOnly, () => {
  const rights = 'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights';
  assert.deepEqual(said(`git@github.com: Permission denied (publickey).\n${rights}`), ['key']);
  assert.deepEqual(said("fatal: could not read Username for 'https://a.example': terminal prompts disabled"), [
    'login a.example',
  ]);
  assert.deepEqual(said('error: could not write config file .git/config: Device or resource busy'), [
    'write /home/me/project/.git/config',
  ]);
});

test('what failed for another reason says nothing', posixOnly, () => {
  for (const line of [
    '',
    'npm ERR! missing script: test',
    'EPERM',
    'AssertionError: 1 == 2',
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
  ])
    assert.deepEqual(said(line), [], line);
});

test('a hostile output is read quickly, and says only so much', posixOnly, () => {
  const long = ['/', 'a.', "'", 'socket '].map((part) => part.repeat(100_000)).join('\n');
  assert.deepEqual(said(`${long}\n${'a.b'.repeat(100_000)} Temporary`), []);
  const many = Array.from({ length: 200 }, (_, at) => `cat: /home/me/.ssh/${at}: No such file or directory`);
  assert.equal(said(many.join('\n')).length, 5);
});
