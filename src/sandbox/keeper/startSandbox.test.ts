import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { release } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test, type TestContext } from 'node:test';
import { buildKeeper, inSandbox, pathForSandbox } from '../../../test/unit-support/sandbox';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { heldPlaces } from '../places/heldPlaces';
import type { Blocked, Sandbox, SandboxPolicy } from '../../shared/limits/sandbox';
import { attempt } from '../../shared/values/attempt';
import { clearLeftovers } from '../temporary/leftovers';
import { countsProcesses } from '../inside/limits';
import { startSandbox } from './startSandbox';

suite('a sandbox', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  /** A session's folder and a home folder with a key, and what an agent there is held to. */
  function place(context: TestContext): { root: string; folder: string; policy: SandboxPolicy } {
    const root = tempFolder(context);
    const folder = join(root, 'project');
    mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(folder, '.git', 'config'), '[core]\n');
    writeFileSync(join(folder, '.env'), 'TOKEN=secret\n');
    mkdirSync(join(root, 'home', '.ssh'), { recursive: true });
    writeFileSync(join(root, 'home', '.ssh', 'id_rsa'), 'the key');
    const held = heldPlaces(folder);
    return {
      root,
      folder,
      policy: {
        mode: 'files',
        folders: [folder],
        state: [join(root, 'home', '.agent')],
        shared: [],
        readOnly: held.readOnly,
        placeholders: held.placeholders ?? [],
        unreadable: [join(root, 'home', '.ssh'), ...held.unreadable],
        hosts: [],
        localPorts: [],
      },
    };
  }

  async function start(context: TestContext, policy: SandboxPolicy, records?: string): Promise<Sandbox> {
    const env = { PATH: pathForSandbox, HOME: '/nowhere' };
    const sandbox = await startSandbox({ policy, keeperPath, env, ...(records === undefined ? {} : { records }) });
    context.after(() => sandbox.dispose());
    return sandbox;
  }

  /** Runs a line inside and resolves to what it printed. */
  async function run(sandbox: Sandbox, line: string, cwd: string): Promise<string> {
    const env = { PATH: pathForSandbox, SECRET_NAME: 'visible to the agent' };
    const inner = await sandbox.wrap({ file: '/bin/sh', args: ['-c', line], env });
    const child = spawn(inner.file, inner.args, { cwd, env: inner.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (child.exitCode === null) await once(child, 'exit');
    sandbox.ended();
    return out + error;
  }

  test('changes only the folders of the session and of the agent', async (context) => {
    const { root, folder, policy } = place(context);
    const sandbox = await start(context, policy, join(root, 'records'));
    const lines = [
      'echo in > made.txt',
      `echo state > ${root}/home/.agent/state`,
      'echo temporary > "$TMPDIR/x" && cat "$TMPDIR/x"',
      `echo out > ${root}/out.txt`,
      'echo evil > .git/hooks/pre-commit',
      'echo evil >> .git/config',
      'mkdir -p .vscode && echo evil > .vscode/tasks.json',
      'echo object > .git/object',
    ];
    const output = await run(sandbox, lines.join('; '), folder);
    assert.equal(readFileSync(join(folder, 'made.txt'), 'utf8'), 'in\n');
    assert.equal(readFileSync(join(root, 'home', '.agent', 'state'), 'utf8'), 'state\n');
    assert.ok(existsSync(join(folder, '.git', 'object')));
    assert.match(output, /^temporary$/m);
    assert.equal(output.match(/Read-only file system/g)?.length, 4, output);
    assert.ok(!existsSync(join(root, 'out.txt')));
    assert.ok(!existsSync(join(folder, '.git', 'hooks', 'pre-commit')));
    assert.ok(!existsSync(join(folder, '.vscode', 'tasks.json')));
    assert.equal(readFileSync(join(folder, '.git', 'config'), 'utf8'), '[core]\n');
  });

  test('hides keys and files that probably contain secrets', async (context) => {
    const { root, folder, policy } = place(context);
    const sandbox = await start(context, policy);
    const output = await run(
      sandbox,
      `cat ${root}/home/.ssh/id_rsa .env; cat /etc/hostname >/dev/null && echo read`,
      folder,
    );
    assert.doesNotMatch(output, /the key|TOKEN/);
    assert.match(output, /^read$/m);
  });

  test('asks about hosts and reaches the ports that are allowed', async (context) => {
    const server = createServer((_request, response) => response.end('from the server'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const other = createServer((_request, response) => response.end('from another server'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    context.after(() => other.close());
    const { port: closed } = other.address() as AddressInfo;
    const { folder, policy } = place(context);
    const sandbox = await start(context, { ...policy, mode: 'filesAndNetwork', localPorts: [port] });
    const asked: string[] = [];
    sandbox.askHost = ({ host, port: at }) => {
      asked.push(`${host}:${at}`);
      return Promise.resolve({ allow: false, reason: 'Not today' });
    };
    const fetchWith = (url: string) =>
      `"${process.execPath}" -e 'console.log(await (await fetch("${url}")).text())' --input-type=module`;
    const tunnel = (target: string) => `echo | socat - "PROXY:localhost:${target},proxyport=3128,proxyauth=$auth" 2>&1`;
    const lines = [
      'auth="${HTTP_PROXY#*://}"; auth="${auth%@*}"',
      fetchWith(`http://127.0.0.1:${port}/`),
      tunnel('Example.com:443'),
      `echo | socat - TCP4:127.0.0.1:${closed} 2>&1`,
    ];
    const output = await run(sandbox, lines.join('; '), folder);
    assert.match(output, /from the server/);
    assert.doesNotMatch(output, /from another server/);
    assert.match(output, /Connection refused/);
    assert.deepEqual(asked, ['example.com:443']);
  });

  test('stops asking once the connection has closed', async (context) => {
    const { folder, policy } = place(context);
    const sandbox = await start(context, { ...policy, mode: 'filesAndNetwork' });
    // A proxy's request in each of its protocols, and a program that waits for the answer until it is told to go.
    const program = String.raw`
      const { connect } = require('node:net');
      const { username, password, port } = new URL(process.env.HTTP_PROXY);
      const user = decodeURIComponent(username), word = decodeURIComponent(password);
      const basic = 'Proxy-Authorization: Basic ' + Buffer.from(user + ':' + word).toString('base64');
      const head = (...lines) => [...lines, 'Host: a.example', basic, '', ''].join('\r\n');
      const text = (value) => [Buffer.byteLength(value), ...Buffer.from(value)];
      const ways = {
        connect: [head('CONNECT connect.example:443 HTTP/1.1')],
        get: [head('GET http://get.example/ HTTP/1.1')],
        socks: [[5, 1, 2], [1, ...text(user), ...text(word)], [5, 1, 0, 3, ...text('socks.example'), 1, 187]],
      };
      const parts = ways[process.argv[1]].map((part) => Buffer.from(part));
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(parts.shift()));
      socket.on('data', () => parts.length > 0 && socket.write(parts.shift()));
      require('node:fs').createReadStream(process.argv[2]).once('data', () => process.exit());
    `;
    writeFileSync(join(folder, 'client.cjs'), program);
    for (const way of ['connect', 'get', 'socks']) {
      const stop = join(folder, `stop-${way}`);
      execFileSync('mkfifo', [stop]);
      const ended = new Promise<string>((resolve) => {
        sandbox.askHost = async ({ host }, signal) => {
          // The program may not have got to it yet: the end of a pipe opens when the other one does.
          const told = writeFile(stop, 'stop');
          await once(signal, 'abort');
          await told;
          resolve(host);
          return { allow: false };
        };
      });
      const client = `"${process.execPath}" --no-warnings -e "$(cat client.cjs)" ${way} ${stop}`;
      assert.equal(await run(sandbox, client, folder), '');
      assert.equal(await ended, `${way}.example`);
    }
  });

  test('a command’s own environment has no effect outside of it', async (context) => {
    const { root, folder, policy } = place(context);
    const evil = join(folder, 'bin');
    mkdirSync(evil);
    for (const name of ['bwrap', 'sh', 'socat'])
      writeFileSync(join(evil, name), `#!/bin/sh\necho x > ${root}/out.txt\n`, { mode: 0o755 });
    for (const mode of ['files', 'filesAndNetwork'] as const) {
      const sandbox = await start(context, { ...policy, mode, localPorts: [1] });
      const inner = await sandbox.wrap({
        file: '/bin/sh',
        args: ['-c', 'echo "$PATH" "$LD_PRELOAD" "$ODD" "$HOME"'],
        env: { PATH: evil, LD_PRELOAD: '/nowhere.so', ODD: `'"$(echo x)\n\\`, 'no name': 'x' },
      });
      assert.equal(inner.env['LD_PRELOAD'], undefined);
      const child = spawn(inner.file, inner.args, { cwd: folder, env: inner.env, stdio: ['ignore', 'pipe', 'ignore'] });
      assert.equal(await text(child.stdout), `${evil} /nowhere.so '"$(echo x)\n\\ \n`);
      sandbox.ended();
    }
    assert.ok(!existsSync(join(root, 'out.txt')));
  });

  test('limits processes and the size of files, and ends before the editor', async (context) => {
    const { folder, policy } = place(context);
    const sandbox = await start(context, policy);
    const limited = await run(sandbox, 'cat /proc/self/limits /proc/self/oom_score_adj', folder);
    if (countsProcesses('linux', release())) assert.match(limited, /^Max processes\s+4096\s+4096\s/m);
    assert.match(limited, /^500$/m);
    const large = 'truncate -s 21G large; ls -s large; (ulimit -f unlimited) && truncate -s 21G large';
    const refused = await run(sandbox, `trap "" XFSZ; ${large}`, folder);
    for (const words of [/File too large/, /^0 large$/m, /not permitted/]) assert.match(refused, words);
  });

  test('a server inside isn’t reached from outside while the network is held', async (context) => {
    const { folder, policy } = place(context);
    for (const mode of ['files', 'filesAndNetwork'] as const) {
      const sandbox = await start(context, { ...policy, mode });
      const server = `require('http').createServer((_, answer) => answer.end('mine')).listen(0, '0.0.0.0', function () {
        console.log(this.address().port); });`;
      const inner = await sandbox.wrap({ file: process.execPath, args: ['-e', server], env: { PATH: pathForSandbox } });
      const child = spawn(inner.file, inner.args, {
        cwd: folder,
        env: inner.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [port] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const answer = fetch(`http://127.0.0.1:${port.trim()}/`).then(async (found) => found.text());
      assert.equal(await answer.catch(() => 'refused'), mode === 'files' ? 'mine' : 'refused');
      child.kill('SIGKILL');
      await once(child, 'close');
      sandbox.ended();
      sandbox.dispose();
    }
  });

  test('reports what it blocked', async (context) => {
    const { root, folder, policy } = place(context);
    const sandbox = await start(context, policy);
    const blocked = new Promise<Blocked>((resolve) => sandbox.onDidBlock(resolve));
    await run(sandbox, `echo x > ${root}/out.txt`, folder);
    assert.deepEqual(await blocked, { kind: 'write', path: join(root, 'out.txt') });
  });

  test('starts only after the one before has left nothing', async (context) => {
    const { folder, policy } = place(context);
    for (const mode of ['files', 'filesAndNetwork', 'files'] as const) {
      const sandbox = await start(context, { ...policy, mode });
      const temporary = (await run(sandbox, 'printf %s "$TMPDIR"', folder)).trim();
      assert.ok(existsSync(temporary));
      sandbox.dispose();
      const next = await start(context, policy);
      assert.ok(!existsSync(temporary));
      assert.equal(await run(next, 'echo made > made.txt; cat made.txt', folder), 'made\n');
      next.dispose();
    }
  });

  test("ends with its keeper's channel and leaves nothing behind", async (context) => {
    const { folder, policy } = place(context);
    const sandbox = await start(context, policy);
    const temporary = (await run(sandbox, 'printf %s "$TMPDIR"', folder)).trim();
    assert.ok(existsSync(temporary));
    sandbox.dispose();
    while (existsSync(temporary)) await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(run(sandbox, 'true', folder), /can’t run the program/);
    assert.ok(!existsSync(join(folder, '.vscode')));
  });

  test('the helpers of a killed keeper end by themselves', async (context) => {
    const { root, folder, policy } = place(context);
    const records = join(root, 'records');
    const sandbox = await start(context, { ...policy, mode: 'filesAndNetwork' }, records);
    const temporary = (await run(sandbox, 'printf %s "$TMPDIR"', folder)).trim();
    const [name = ''] = readdirSync(records);
    const record = JSON.parse(readFileSync(join(records, name), 'utf8')) as { temporary: { path: string }[] };
    const folders = record.temporary.map(({ path }) => path);
    const helpers = () => folders.flatMap((path) => keepersOf('socat', path));
    assert.ok(helpers().length > 0);
    for (const pid of keepersOf(keeperPath, temporary)) process.kill(pid, 'SIGKILL');
    while (helpers().length > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      folders.flatMap((path) => keepersOf('', path)),
      [],
    );
  });

  for (const isLate of [false, true]) {
    const when = isLate ? 'at the next start' : 'with its agent';
    test(`clears what is left of a killed sandbox ${when}`, async (context) => {
      const { root, folder, policy } = place(context);
      const records = join(root, 'records');
      const env = { PATH: pathForSandbox, HOME: '/nowhere' };
      const network = { ...policy, mode: 'filesAndNetwork' } as const;
      const sandbox = await startSandbox({ policy: network, keeperPath, env, records });
      context.after(() => sandbox.dispose());
      const line = 'printf %s "$TMPDIR"; exec sleep 600';
      const inner = await sandbox.wrap({ file: '/bin/sh', args: ['-c', line], env });
      const child = spawn(inner.file, inner.args, {
        cwd: folder,
        env: inner.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [temporary] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      assert.ok(existsSync(join(folder, '.vscode')));
      const [name = ''] = readdirSync(records);
      const record = JSON.parse(readFileSync(join(records, name), 'utf8')) as { temporary: { path: string }[] };
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      for (const pid of keepersOf(keeperPath, temporary)) process.kill(pid, 'SIGKILL');
      await ended;
      assert.ok(existsSync(join(folder, '.vscode')), 'Nobody has taken it back yet.');
      await writeFile(join(folder, 'kept.txt'), '');
      if (isLate) {
        const dead = { ...record, owner: { pid: 2 ** 22, started: 'never' } };
        await writeFile(join(records, name), JSON.stringify(dead));
        await clearLeftovers(records);
      }
      sandbox.dispose();
      while (readdirSync(records).length > 0) await new Promise((resolve) => setImmediate(resolve));
      const left = ['.vscode', '.idea', '.devcontainer', '.git/hooks/pre-commit'].map((place) => join(folder, place));
      const folders = record.temporary.map(({ path }) => path);
      assert.deepEqual(
        [...left, ...folders].filter((path) => existsSync(path)),
        [],
      );
      assert.ok(existsSync(join(folder, 'kept.txt')));
      assert.deepEqual(keepersOf('', temporary), []);
    });
  }
});

/** Returns the processes that have this folder in their environment and this text in their command line. */
function keepersOf(words: string, temporary: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    const read = (file: string) => attempt(() => readFileSync(`/proc/${name}/${file}`, 'utf8')) ?? '';
    return read('environ').includes(temporary) && read('cmdline').includes(words) ? [pid] : [];
  });
}
