// The machine around a sandbox in which the attack program runs: files, processes, sockets, and servers that it tries to reach.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempFolder } from '../unit-support/tempFolder';
import type { Surroundings } from './attempt.mjs';
import { homeSecrets } from './homeSecrets.mjs';

export interface Machine extends Surroundings {
  /** What was reached outside over sockets and servers, apart from what is allowed. */
  readonly reached: readonly string[];
  /** Throws if anything outside of the session's folder, or guarded in it, is other than at the start. */
  check(): void;
}

export async function machineAround(context: TestContext): Promise<Machine> {
  const root = tempFolder(context);
  const [folder, outside, home] = ['project', 'outside', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const marker = `secret-${randomBytes(6).toString('hex')}`;
  makeFiles(folder, outside, home, marker);
  const reached: string[] = [];
  const keep = async (server: Server, name: string, where: ListenOptions) => {
    server.on('connection', (socket) => {
      if (name !== '') reached.push(name);
      socket.on('error', () => undefined);
      if (!(server instanceof createHttpServer().constructor)) socket.end(marker);
    });
    server.listen(where);
    await once(server, 'listening');
    context.after(() => server.close());
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };
  for (const [path, name] of [
    [join(outside, 'docker.sock'), 'Docker'],
    [join(outside, 'bus'), 'D-Bus'],
    [join(home, 'editor.sock'), 'the editor'],
  ] as const)
    await keep(createServer(), name, { path });
  const abstractName = `parley-${marker}`;
  await keep(createServer(), 'the socket without a file', { path: `\0${abstractName}` });
  const secret = () => createHttpServer((_request, response) => response.end(marker));
  const closed = await keep(secret(), 'a server', { port: 0, host: '0.0.0.0' });
  const closedV6 = await keep(secret(), 'a server by IPv6', { port: 0, host: '::1' }).catch(() => 1);
  const allowed = await keep(allowedServer(), '', { port: 0, host: '127.0.0.1' });
  const victims = [victim(context, marker), victim(context, marker)];
  const before = stateOf([outside, home], folder);
  return {
    ...{ folder, outside, home, marker, abstractName, closed, closedV6, allowed, reached },
    victims: victims.map(({ pid = 0 }) => pid),
    sharedMemory: shareMemory(context),
    address: ownAddress(),
    rebound: hostname(),
    check: () => {
      assert.deepEqual(reached, [], 'nothing outside is reached');
      assert.deepEqual(stateOf([outside, home], folder), before, 'nothing outside and nothing guarded is changed');
      for (const { exitCode, signalCode } of victims) assert.deepEqual([exitCode, signalCode], [null, null]);
    },
  };
}

function makeFiles(folder: string, outside: string, home: string, marker: string): void {
  const files = {
    [join(outside, 'file.txt')]: 'outside',
    [join(outside, 'tree', 'leaf.txt')]: 'leaf',
    [join(home, '.ssh', 'id_rsa')]: marker,
    [join(home, '.codex', 'auth.json')]: marker,
    ...Object.fromEntries(homeSecrets.map((name) => [join(home, name), marker])),
    [join(home, '.bashrc')]: '# mine\n',
    [join(folder, '.env')]: `TOKEN=${marker}\n`,
    [join(folder, 'packages', 'a', '.vscode', 'settings.json')]: '{}\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  mkdirSync(join(outside, 'empty'));
  spawnSync('git', ['init', '--quiet', '--template=', folder]);
  mkdirSync(join(folder, '.git', 'hooks'));
}

/** A server that may be reached, and that leads to another one. */
function allowedServer() {
  return createHttpServer((request, response) => {
    request.resume();
    const to = /^\/redirect\?(\d+)$/.exec(request.url ?? '')?.[1];
    if (to !== undefined) response.writeHead(302, { Location: `http://127.0.0.1:${to}/` });
    response.end('allowed');
  });
}

/** A process that the attack program must not reach. Its environment has a secret. */
function victim(context: TestContext, marker: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
    env: { SECRET: marker },
    stdio: 'ignore',
  });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

/** Shares memory with every process of the machine; returns its key. */
function shareMemory(context: TestContext): number {
  const key = 1 + randomBytes(3).readUIntBE(0, 3);
  const { stdout } = spawnSync('perl', ['-e', `print shmget(${key}, 4096, 01000 | 0600)`], { encoding: 'utf8' });
  const id = Number(stdout);
  assert.ok(stdout !== '' && Number.isInteger(id), 'memory can be shared');
  context.after(() => spawnSync('perl', ['-e', `shmctl(${id}, 0, 0)`]));
  return key;
}

/** Returns this machine's address in its network. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
}

/** Returns everything about the files that must stay as they are. */
function stateOf(folders: readonly string[], project: string): Readonly<Record<string, string>> {
  const state: Record<string, string> = {};
  const note = (path: string): void => {
    const { mode, uid, mtimeMs } = lstatSync(path);
    const kind = mode & 0o170000;
    const content =
      kind === 0o100000
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : kind === 0o120000
          ? readlinkSync(path)
          : '';
    state[path] = [mode.toString(8), uid, kind === 0o040000 ? '' : mtimeMs, content].join(' ');
    if (kind !== 0o040000) return;
    // npm may always write its logs.
    for (const name of readdirSync(path)) if (name !== '.npm') note(join(path, name));
  };
  folders.forEach(note);
  for (const name of ['config', 'hooks', 'HEAD']) note(join(project, '.git', name));
  for (const name of ['.env', join('packages', 'a', '.vscode')]) note(join(project, name));
  // While a sandbox runs, an empty folder takes the place of a missing one.
  state['created'] = ['settings.json', 'tasks.json'].filter((name) => exists(join(project, '.vscode', name))).join(' ');
  return state;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
