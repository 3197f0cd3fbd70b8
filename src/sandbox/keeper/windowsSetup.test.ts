import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { onPlatform, posixOnly } from '../../../test/unit-support/platform';
import { buildKeeper, buildScript, pretending } from '../../../test/unit-support/sandbox';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type { HoldingMode, SandboxPolicy } from '../../shared/limits/sandbox';
import { windowsHelper } from '../windows/helper';
import type { FromKeeper, ToKeeper } from './messages';
import { startSandbox } from './startSandbox';

const pretends = pretending('win32');

/** In place of the program that only Windows can run: answers as after a set-up, and notes what it was asked. */
const helperScript = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const words = process.argv.slice(2);
// The check of the set-up asks without it.
if (words[0] !== '--srt-win') words.unshift('--srt-win');
const isGrant = words.includes('grant');
const input = isGrant ? JSON.parse(readFileSync(0, 'utf8')) : undefined;
appendFileSync(__filename + '.asked', JSON.stringify({ words, input }) + '\\n');
const capabilities = ['profile-deny-expansion', 'profile-session-grant-check', 'kept-grant-holders', 'read-deny-except', 'exec-holder', 'profile-retry-stale'];
const user = { exists: process.env.NO_ACCOUNT === undefined, sid: 'S-1-5-21-1-2-3-1001', group_exists: true, in_builtin_users: true, in_sandbox_group: true, hidden_from_logon: true };
const status = { user, cred_present: true, marker_version: 3, setup_version: 3, seclogon: 'ok', real_user_sid: 'S-1-5-21-1-2-3-1000', capabilities };
const wfp = { state: 'installed', filters: 4, port_range: [60080, 60089], allow_loopback: false };
const answers = {
  'user status': status,
  'wfp status': wfp,
  status: { user: status, wfp },
  'wfp verify': { target: '127.0.0.1:1', egress_probe: process.env.FENCE ?? 'blocked' },
  'profile status': { capabilities, state: 'none', list_version: 4, record_version: 1 },
};
const asked = words.slice(1).join(' ');
const found = Object.keys(answers).find((key) => asked.startsWith(key));
console.log(JSON.stringify(found ? answers[found] : []));
`;

suite('the set-up for Windows', posixOnly, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
    const helper = windowsHelper(keeperPath);
    mkdirSync(dirname(helper), { recursive: true });
    writeFileSync(join(dirname(helper), 'package.json'), '{}');
    writeFileSync(helper, helperScript, { mode: 0o700 });
  });

  /** Starts a keeper that believes to be on Windows. Returns how to talk to it, and what its program was asked. */
  function startKeeper(context: TestContext, mode: HoldingMode, env: Readonly<Record<string, string>> = {}) {
    const root = tempFolder(context);
    const path = (name: string) => join(root, name);
    const policy: SandboxPolicy = {
      mode,
      folders: [path('project')],
      state: [path('codex')],
      shared: [path('shared')],
      readOnly: [path('project/.git/hooks'), path('project/.vscode/settings.json')],
      unreadable: [path('project/.env')],
      readable: [path('tools')],
      hosts: ['api.example:443'],
      localPorts: [7000],
    };
    for (const at of ['project/.git/hooks', 'shared', 'tools', 'own']) mkdirSync(path(at), { recursive: true });
    writeFileSync(path('project/.env'), 'TOKEN=secret\n');
    const notes = `${windowsHelper(keeperPath)}.asked`;
    writeFileSync(notes, '');
    const keeper = fork(keeperPath, {
      cwd: path('own'),
      execArgv: ['--import', pretends],
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    context.after(() => void keeper.kill('SIGKILL'));
    const send = (message: ToKeeper) => keeper.send(message);
    const receive = async () => ((await once(keeper, 'message')) as [FromKeeper])[0];
    send({ kind: 'start', policy, temporary: path('own') });
    const end = async () => {
      const exit = once(keeper, 'exit');
      send({ kind: 'end' });
      await exit;
    };
    const asked = (words: string) =>
      readFileSync(notes, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { words: string[]; input?: Record<string, string[]> })
        .filter((one) => one.words.join(' ').startsWith(`--srt-win ${words}`));
    return { path, send, receive, end, asked };
  }

  test('gives the account the session’s folders, and holds the rest', async (context) => {
    const { path, receive, end, asked } = startKeeper(context, 'files');
    assert.deepEqual(await receive(), { kind: 'ready' });
    await end();
    const [grant] = asked('acl grant');
    assert.deepEqual(grant?.input, {
      read: [path('tools')],
      // The agent's folder was created for it.
      write: [path('project'), path('codex'), path('shared')],
      denyRead: [path('project/.env')],
      // Nothing can be created in a folder that was missing, and no file is put into it.
      denyWrite: [path('project/.git/hooks'), path('project/.vscode')],
    });
    assert.ok(grant.words.includes('S-1-5-21-1-2-3-1001'));
    assert.ok(!existsSync(path('project/.vscode/settings.json')));
    // What the session was given is taken back in the end.
    assert.deepEqual([asked('acl revoke').length, asked('acl restore').length], [1, 1]);
  });

  test('starts programs as the account, with its own environment', async (context) => {
    const { path, send, receive, end } = startKeeper(context, 'filesAndNetwork');
    assert.deepEqual(await receive(), { kind: 'ready' });
    const command = { shell: { exe: String.raw`C:\node.exe`, args: ['agent.js'] }, last: 'a b' };
    send({ kind: 'wrapOnWindows', id: 1, command, env: { API_KEY: 'x', TEMP: 'C:\\t', https_proxy: 'http://evil' } });
    const answer = await receive();
    await end();
    assert.ok(answer.kind === 'wrapped', JSON.stringify(answer));
    const { argv } = answer;
    assert.deepEqual(argv.slice(0, 3), [windowsHelper(keeperPath), '--srt-win', 'exec']);
    assert.deepEqual(argv.slice(-4), ['--', String.raw`C:\node.exe`, 'agent.js', 'a b']);
    assert.ok(argv.includes('--write-restricted-token'));
    const after = (option: string) => argv.filter((_, index) => argv[index - 1] === option);
    assert.deepEqual(after('--write-root'), [path('project'), path('codex'), path('shared')]);
    const env = after('--env');
    assert.ok(env.includes('API_KEY=x'));
    assert.ok(!env.some((one) => one.startsWith('TEMP=')));
    // Each once, in the range of ports that the filter lets through.
    const proxies = env.filter((one) => /^https?_proxy=/i.test(one));
    assert.equal(proxies.length, 2, proxies.join('\n'));
    for (const one of proxies) assert.match(one, /@localhost:600[89]\d$/);
  });

  test('doesn’t start an agent whose network isn’t held by the system', async (context) => {
    const { receive, asked } = startKeeper(context, 'files', { FENCE: 'connected' });
    const answer = await receive();
    assert.ok(answer.kind === 'failed', JSON.stringify(answer));
    assert.match(answer.message, /fence is not active/);
    // What it was given is taken back.
    assert.ok(asked('acl grant').length > 0 && asked('acl revoke').length > 0);
  });

  test('asks about hosts only if the network is held', async (context) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, '127.0.0.1');
    context.after(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const mode of ['files', 'filesAndNetwork'] as const) {
      const { send, receive, end } = startKeeper(context, mode);
      assert.deepEqual(await receive(), { kind: 'ready' });
      send({ kind: 'wrapOnWindows', id: 1, command: { last: 'dir' }, env: {} });
      const answer = await receive();
      assert.ok(answer.kind === 'wrapped', JSON.stringify(answer));
      const proxy = new URL(answer.argv.find((word) => word.startsWith('http_proxy='))?.slice(11) ?? '');
      const socket = connect(Number(proxy.port), '127.0.0.1');
      const user = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
      socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic ${user}\r\n\r\n`);
      const head = once(socket, 'data').then(([chunk]: Buffer[]) => ({ head: String(chunk).split('\r\n')[0] }));
      const first = await Promise.race([head, receive()]);
      if (mode === 'files') assert.deepEqual(first, { head: 'HTTP/1.1 200 Connection Established' });
      else assert.deepEqual(first, { kind: 'ask', id: 1, target: { host: '127.0.0.1', port } });
      socket.on('error', () => undefined).destroy();
      await end();
    }
  });

  test('starts the library’s program, with the user’s name for Git inside', async (context) => {
    const root = tempFolder(context);
    const settings = join(root, '.gitconfig');
    writeFileSync(settings, '[user]\n');
    const nodePath = join(root, 'node');
    writeFileSync(nodePath, `#!/bin/sh\nexec '${process.execPath}' --import "${pretends}" "$@"\n`, { mode: 0o700 });
    const none = { state: [], shared: [], readOnly: [], unreadable: [], hosts: [], localPorts: [] };
    const policy: SandboxPolicy = { mode: 'files', folders: [root], readable: [settings], ...none };
    const env = { PATH: process.env['PATH'] ?? '', OUTER: 'x' };
    const sandbox = await startSandbox({ policy, keeperPath, env, nodePath });
    context.after(() => sandbox.dispose());
    const command = { file: String.raw`C:\Windows\cmd.exe`, args: '/d /s /c "dir "a b""', env: { INNER: 'y' } };
    const wrapped = await onPlatform('win32', () => sandbox.wrap(command));
    assert.equal(wrapped.file, windowsHelper(keeperPath));
    assert.equal(wrapped.args.at(-1), 'dir "a b"');
    for (const inner of ['INNER=y', `GIT_CONFIG_GLOBAL=${settings}`]) assert.ok(wrapped.args.includes(inner), inner);
    // The program itself gets nothing that an agent sets.
    assert.deepEqual(wrapped.env, env);
    const unknown = onPlatform('win32', () => sandbox.wrap({ ...command, file: 'tool.exe' }));
    await assert.rejects(unknown, /can’t run the program: its arguments can’t be passed on: tool\.exe/);
  });

  test('encloses an agent with its own account’s rights and quoting', async (context) => {
    const root = tempFolder(context);
    const [project, profile, home] = ['project', 'profile', 'cygwin'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [project, join(profile, 'tools'), home]) mkdirSync(folder, { recursive: true });
    const nodePath = join(root, 'node');
    writeFileSync(nodePath, `#!/bin/sh\nexec '${process.execPath}' --import "${pretends}" "$@"\n`, { mode: 0o700 });
    const script = join(root, 'enclose', 'enclose.js');
    const contents = `
      import { encloseProgram } from './src/sandbox/sandboxes';
      const { program, options } = JSON.parse(process.argv[2]);
      process.execPath = ${JSON.stringify(nodePath)};
      const said = await encloseProgram(program, options).then(({ sandbox, ...enclosed }) => {
        sandbox.dispose();
        return { enclosed, policy: sandbox.policy };
      }, ({ name, message }) => ({ name, message }));
      console.log(JSON.stringify(said));
    `;
    await buildScript(script, { stdin: { contents, resolveDir: process.cwd(), loader: 'ts' } });
    const program = {
      command: String.raw`C:\Windows\cmd.exe`,
      args: ['/d', '/s', '/c', '"npx "an agent""'],
      windowsVerbatimArguments: true,
      env: { INNER: 'y', PATH: '/of/the/workspace' },
    };
    const userEnv = { HOME: home, PATH: process.env['PATH'] ?? '' };
    const options = {
      mode: 'files',
      folders: [project],
      inner: [{ command: join(profile, 'tools', 'agent.exe'), args: [], env: {} }],
      packages: true,
      localPorts: [],
      keeperPath,
      userEnv,
      isUsersChoice: false,
    };
    const enclose = async (added: Readonly<Record<string, string>> = {}) => {
      const words = ['--import', pretends, script, JSON.stringify({ program, options })];
      const env = { ...process.env, HOME: profile, ...added };
      const stdout = await new Promise<string>((resolve, reject) => {
        execFile(process.execPath, words, { env }, (error, out) =>
          error instanceof Error ? reject(error) : resolve(out),
        );
      });
      return JSON.parse(stdout) as {
        enclosed: { command: string; args: string[]; windowsVerbatimArguments: boolean; env: Record<string, string> };
        policy: SandboxPolicy;
      };
    };
    const { enclosed, policy } = await enclose();
    assert.equal(enclosed.command, windowsHelper(keeperPath));
    // The helper's own arguments are quoted as usual, whatever the agent's were.
    assert.equal(enclosed.windowsVerbatimArguments, false);
    assert.equal(enclosed.args.at(-1), 'npx "an agent"');
    assert.ok(enclosed.args.includes('INNER=y') && enclosed.args.includes('PATH=/of/the/workspace'));
    // A workspace doesn’t say where the helper finds programs.
    assert.deepEqual(enclosed.env, userEnv);
    // The profile, and not HOME, is where the account needs rights. It has caches of its own.
    assert.deepEqual(policy.readable, [join(profile, 'tools'), join(profile, '.gitconfig')]);
    assert.deepEqual([policy.folders, policy.shared], [[project], []]);
    const { name, message } = (await enclose({ NO_ACCOUNT: '1' })) as unknown as Error;
    assert.equal(name, 'SandboxFailure');
    assert.match(
      message,
      /^The sandbox is experimental on Windows\..* Run this in a terminal: .*srt-win\.exe.*install/,
    );
  });
});
