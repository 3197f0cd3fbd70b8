import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import {
  all,
  asks,
  isClosed,
  isDone,
  isReady,
  pidsOf,
  PoolHarness,
  text,
  until,
} from '../../../test/unit-support/poolHarness';
import { posixOnly } from '../../../test/unit-support/platform';
import { buildKeeper, inSandbox, pathForSandbox } from '../../../test/unit-support/sandbox';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { ProcessStarter } from '../../terminal/ptyProcess';
import { TerminalRegistry } from '../../host/terminals/terminalRegistry';
import { runCheck } from '../../host/afterTurn/runCheck';
import { decideHost } from '../../host/sandbox/decideHost';
import { showBlocked } from '../../host/sandbox/showBlocked';
import { encloseProgram } from '../../sandbox/sandboxes';
import { Logins, type LoginHost } from '../login/logins';
import { heldContext, heldTerminals } from './heldContext';
import type { HoldingMode, Sandbox, SandboxPolicy } from '../../shared/limits/sandbox';
import type { AgentLaunch } from '../process/agentProcess';
import type { AgentSpec } from '../spec/agentSpec';
import type { Session } from '../../session/session';

/** The project of a session and the user's home, and a pool whose agents can be put into a sandbox. */
function place(
  context: TestContext,
  keeperPath: string,
  {
    path = pathForSandbox,
    agentEnv = {},
    isUsersChoice = true,
  }: { path?: string; agentEnv?: Record<string, string>; isUsersChoice?: boolean } = {},
) {
  const root = tempFolder(context);
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  for (const folder of [project, join(home, '.ssh')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.ssh', 'id_rsa'), 'the key');
  const allowed: string[] = ['~/.missing'];
  const userEnv = { HOME: home, PATH: path };
  const harness = new PoolHarness({
    env: { ...userEnv, ...agentEnv },
    sandbox: {
      enclose: ({ sandbox }, cwd, launch) => {
        assert.ok(sandbox !== undefined && sandbox !== 'off');
        const options = { inner: [], packages: false, localPorts: [], keeperPath, allowed };
        return encloseProgram(launch, { mode: sandbox, folders: [cwd], userEnv, isUsersChoice, ...options });
      },
      sandboxBlocked: showBlocked,
      decideHost: (sessions, target, signal) =>
        decideHost({ rules: { answer: () => undefined }, isTrusted: () => true }, sessions, target, signal),
    },
  });
  context.after(() => harness.pool.stopAll());
  const start = (sandbox: HoldingMode, steps: readonly object[], more: object = {}) => {
    const spec = harness.spec({ turns: [{ steps }], ...more });
    return harness.pool.createSession({ spec, cwd: project, sandbox });
  };
  return { root, project, home, allowed, harness, start };
}

async function turn(session: Session): Promise<string> {
  session.sendPrompt('go');
  await until(session, isDone);
  return text(session);
}

suite('an agent in a sandbox', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  test('changes its session’s folder and nothing else', async (context) => {
    const { root, project, home, harness, start } = place(context, keeperPath);
    const session = start('files', [
      {
        run: `echo inside > made.txt; echo outside > ${root}/out.txt; echo x > ${home}/.zshrc; cat ${home}/.ssh/id_rsa`,
      },
    ]);
    assert.equal(session.transcript.view.sandbox, 'files');
    const said = await turn(session);
    assert.equal(readFileSync(join(project, 'made.txt'), 'utf8'), 'inside\n');
    assert.equal(said.match(/Read-only file system/g)?.length, 2, said);
    assert.doesNotMatch(said, /the key/);
    assert.deepEqual([existsSync(join(root, 'out.txt')), existsSync(join(home, '.zshrc'))], [false, false]);
    const { policy } = harness.pool.sandboxOf(session)!;
    assert.deepEqual(policy.folders, [project]);
  });

  test('runs its terminal commands in the same sandbox', async (context) => {
    const { root, project, harness, start } = place(context, keeperPath);
    const registry = new TerminalRegistry({
      baseEnvironment: () => Promise.resolve({ PATH: pathForSandbox }),
      starter: new ProcessStarter((reason) => assert.fail(String(reason))),
      idSuffix: 'test',
      graceMs: 300,
    });
    context.after(() => registry.stopAll());
    harness.services.terminals.create = (inSession, params, events) =>
      registry.create(heldContext(harness.pool, inSession), params, events);
    const command = `sh -c 'echo x > ${root}/out.txt' 2> error.txt`;
    const session = start('files', [
      { request: 'terminal/create', params: { command } },
      { request: 'terminal/wait_for_exit', params: { terminalId: '$answer.terminalId' } },
    ]);
    await turn(session);
    assert.match(readFileSync(join(project, 'error.txt'), 'utf8'), /Read-only file system/);
    assert.ok(!existsSync(join(root, 'out.txt')));
  });

  test('runs what Parley runs for the user inside, also without its agent', async (context) => {
    const { root, project, harness, start } = place(context, keeperPath);
    const registry = new TerminalRegistry({
      baseEnvironment: () => Promise.resolve({ PATH: pathForSandbox }),
      starter: new ProcessStarter((reason) => assert.fail(String(reason))),
      idSuffix: 'test',
      graceMs: 300,
    });
    context.after(() => registry.stopAll());
    const session = start('files', []);
    await until(session, isReady);
    const terminals = heldTerminals(harness.pool, registry);
    // As a test script does that the agent has written.
    const command = `echo x > ${root}/out.txt || echo inside >> ${project}/proof.txt`;
    for (const isWithAgent of [true, false]) {
      if (!isWithAgent) {
        for (const pid of pidsOf(harness)) process.kill(pid, 'SIGKILL');
        await until(session, isClosed);
      }
      assert.equal(harness.pool.sandboxOf(session) !== undefined, isWithAgent);
      await runCheck(session, terminals, command, new AbortController().signal);
    }
    assert.equal(readFileSync(join(project, 'proof.txt'), 'utf8'), 'inside\ninside\n');
    assert.ok(!existsSync(join(root, 'out.txt')));
  });

  test('runs a login in a terminal inside, with nothing that loads code', async (context) => {
    const { root, project, harness, start } = place(context, keeperPath);
    const lines: (readonly string[])[] = [];
    const logins = new Logins(harness.pool, {
      resolveLaunch: (spec: AgentSpec, cwd: string) =>
        Promise.resolve({ command: spec.command, args: spec.args, env: { PATH: pathForSandbox }, cwd }),
      runInTerminal: async (_title: string, { command, args, env, cwd }: AgentLaunch) => {
        lines.push([command, ...args]);
        const child = spawn(command, args, { cwd, env, stdio: 'ignore' });
        const [code] = (await once(child, 'exit')) as [number];
        return code;
      },
    } as unknown as LoginHost);
    context.after(() => logins.dispose());
    const script = `echo x > ${root}/out.txt; echo "$KIND" > ${project}/login.txt`;
    const method = (id: string, env: object) => ({
      id,
      name: id,
      _meta: { 'terminal-auth': { command: '/bin/sh', args: ['-c', script], env } },
    });
    const session = start('files', [], {
      initialize: { authMethods: [method('good', { KIND: 'mine' }), method('bad', { NODE_OPTIONS: '--require=x' })] },
      login: { at: ['session/new'] },
    });
    const progress = () => all(session, 'login').at(-1)?.progress;
    await until(session, () => progress()?.state === 'asked');
    await logins.login(session, 'bad');
    assert.match(text(session), /sets the variable NODE_OPTIONS/);
    assert.deepEqual(lines, []);
    await logins.login(session, 'good');
    assert.equal(readFileSync(join(project, 'login.txt'), 'utf8'), 'mine\n');
    assert.ok(!existsSync(join(root, 'out.txt')));
  });

  test('waits for the user’s answer before it connects to a host', async (context) => {
    const server = createServer((socket) => socket.end('from the server'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { start } = place(context, keeperPath);
    const connect =
      'auth="${HTTP_PROXY#*://}"; auth="${auth%@*}"; ' +
      `socat -u "PROXY:localhost:127.0.0.1:${port},proxyport=3128,proxyauth=$auth" - 2>&1`;
    const session = start('filesAndNetwork', [{ run: connect }]);
    for (const answer of ['reject', 'allow']) {
      session.sendPrompt('go');
      await until(session, asks);
      const card = all(session, 'tool_call').at(-1);
      assert.equal(card?.title, `Connect to 127.0.0.1:${port}`);
      assert.ok(card.permission.state === 'asked');
      session.answerPermission(card.permission.request, answer);
      await until(session, isDone);
      assert.equal(text(session).includes('from the server'), answer === 'allow', text(session));
    }
  });

  test('shows a blocked write at its call until the user allows it', async (context) => {
    const { home, allowed, harness, start } = place(context, keeperPath);
    const path = join(home, 'notes.txt');
    writeFileSync(path, '');
    const call = {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Install',
      kind: 'execute',
      status: 'in_progress',
    };
    const session = start('files', [
      { update: call },
      // What the sandbox blocks comes another way. The answer shows that the call has come.
      { request: 'terminal/kill', params: { terminalId: 'none' } },
      { run: `echo installed >> ${path} && echo it worked` },
      { waitForCancel: true },
    ]);
    const blocked = ({ transcript }: Session) => [...transcript.entries.values()].find((one) => 'blocked' in one);
    session.sendPrompt('go');
    await until(session, (one) => blocked(one) !== undefined);
    const [shown] = all(session, 'tool_call');
    assert.deepEqual(shown?.blocked, [{ kind: 'write', path, canAllow: true }]);

    allowed.push('~/notes.txt');
    harness.pool.changeSandbox(session, 'files');
    session.sendPrompt('again');
    await until(session, (one) => text(one).includes('it worked'));
    assert.equal(readFileSync(path, 'utf8'), 'installed\n');
  });

  test('can’t choose its sandbox by the environment that a workspace sets', async (context) => {
    const programs = tempFolder(context);
    const proof = join(programs, 'proof');
    writeFileSync(join(programs, 'bwrap'), `#!/bin/sh\necho outside > ${proof}\n`, { mode: 0o755 });
    const agentEnv: Record<string, string> = { PATH: `${programs}:${pathForSandbox}`, HOME: programs };
    const { root, project, home, harness } = place(context, keeperPath, { agentEnv, isUsersChoice: false });
    agentEnv['CODEX_HOME'] = join(home, '.ssh');
    const steps = [{ run: `cat ${home}/.ssh/id_rsa; echo x > ${home}/.ssh/codex; echo $HOME` }];
    const {
      args: [script = '', ...args],
      ...spec
    } = harness.spec({ turns: [{ steps }] });
    const codex = join(root, 'lib', 'node_modules', '@openai', 'codex', 'agent.mjs');
    mkdirSync(dirname(codex), { recursive: true });
    writeFileSync(codex, `await import(${JSON.stringify(script)});`);
    const session = harness.pool.createSession({
      // Programs among temporary files are seen only if the command names them.
      spec: { ...spec, args: [codex, ...args, script] },
      cwd: project,
      sandbox: 'files',
    });
    const said = await turn(session);
    assert.match(said, new RegExp(programs));
    assert.doesNotMatch(said, /the key/);
    assert.deepEqual([existsSync(proof), existsSync(join(home, '.ssh', 'codex'))], [false, false]);
    const { policy } = harness.pool.sandboxOf(session)!;
    assert.deepEqual(policy.state, [join(home, '.codex')]);
  });

  for (const mode of ['files', 'filesAndNetwork'] as const) {
    test(`logs in with a browser outside in mode ${mode}, and only then`, async (context) => {
      const { project, harness, start } = place(context, keeperPath);
      const inner = resolve('test/fixtures/agents/browserLogin.mjs');
      // Some time after the login, the program in place of the browser still looks for another connection.
      const keep = `cp "\${BROWSER%browser}login" ${project}/door; sed "s#[^']*/login#${project}/door#" "$BROWSER" > ${project}/late`;
      const run = `${keep}; ${process.execPath} ${inner} ${project}/code.txt`;
      const tries = `"$BROWSER" https://other.example 2>&1; sh ${project}/late https://late.example; echo tried`;
      const session = start(mode, [{ run: tries }], {
        initialize: { authMethods: [{ id: 'm', name: 'Browser' }] },
        login: { at: ['session/new'], run },
      });
      const pages: string[] = [];
      let answer: Promise<string> | undefined;
      let callback = '';
      const logins = new Logins(harness.pool, {
        openPage: async (_name: string, address: string) => {
          pages.push(address);
          callback = new URL(address).searchParams.get('redirect_uri') ?? '';
          // As a browser does, some time after it was started.
          answer = fetch(`${callback.replace('localhost', '127.0.0.1')}?code=c${pages.length}`).then((response) =>
            response.text(),
          );
          return true;
        },
      } as unknown as LoginHost);
      context.after(() => logins.dispose());
      await until(session, (one) => all(one, 'login').at(-1)?.progress.state === 'asked');
      await logins.login(session, 'm');
      await until(session, isReady);
      assert.equal(readFileSync(join(project, 'code.txt'), 'utf8'), 'c1');
      assert.equal(await answer, 'thanks for c1');
      assert.match(await turn(session), /only while you log in[^]*tried/);
      assert.equal(pages.length, 1);
      await assert.rejects(fetch(callback.replace('localhost', '127.0.0.1')));
    });
  }

  test('leaves its sandbox when the user turns it off', async (context) => {
    const { root, harness, start } = place(context, keeperPath);
    const session = start('files', [{ run: `echo x > ${root}/out.txt && echo written` }]);
    assert.doesNotMatch(await turn(session), /^ *written$/m);
    harness.pool.changeSandbox(session, 'off');
    assert.equal(session.transcript.view.sandbox, 'off');
    assert.match(await turn(session), /^ *written$/m);
    assert.equal(harness.pool.sandboxOf(session), undefined);
  });
});

test('the last change counts while an agent is starting', async () => {
  const made: { readonly policy: SandboxPolicy; isDisposed: boolean }[] = [];
  const enclose = ({ sandbox: mode }: AgentSpec, cwd: string, launch: AgentLaunch): Promise<AgentLaunch> => {
    assert.ok(mode !== undefined && mode !== 'off');
    const none = { state: [], shared: [], readOnly: [], unreadable: [], hosts: [], localPorts: [] };
    // What an earlier one has put into the folder must be gone.
    assert.ok(made.every(({ isDisposed }) => isDisposed));
    const one = { policy: { mode, folders: [cwd], ...none }, isDisposed: false };
    made.push(one);
    const sandbox: Sandbox = {
      policy: one.policy,
      askHost: undefined,
      onDidBlock: () => ({ dispose: () => undefined }),
      wrap: (command) => Promise.resolve({ ...command, args: [command.args].flat() }),
      startLogin: () => Promise.resolve({ dispose: () => undefined }),
      ended: () => undefined,
      dispose: () => void (one.isDisposed = true),
    };
    return Promise.resolve({ ...launch, sandbox });
  };
  const harness = new PoolHarness({ sandbox: { enclose } });
  const spec = harness.spec({ turns: [{ steps: [{ say: 'here' }] }] });
  const session = harness.pool.createSession({ spec, cwd: '/', sandbox: 'files' });
  harness.pool.changeSandbox(session, 'off');
  harness.pool.changeSandbox(session, 'filesAndNetwork');
  assert.match(await turn(session), /here/);
  for (const mode of ['files', 'filesAndNetwork'] as const) harness.pool.changeSandbox(session, mode);
  await turn(session);
  assert.equal(session.transcript.view.sandbox, 'filesAndNetwork');
  const last = made.at(-1);
  assert.equal(harness.pool.sandboxOf(session)?.policy, last?.policy);
  assert.equal(last?.policy.mode, 'filesAndNetwork');
  await harness.pool.stopAll();
  assert.deepEqual(
    made.filter(({ isDisposed }) => !isDisposed),
    [],
  );
});

suite('an agent whose sandbox can’t be made', posixOnly, () => {
  test(
    'never starts, and its session says what is missing',
    { skip: process.platform !== 'linux' },
    async (context) => {
      const { root, harness, start } = place(context, '/nowhere/keeper.js', { path: '/nowhere' });
      const session = start('files', [{ run: `echo x > ${root}/out.txt` }]);
      await until(session, isClosed);
      assert.match(text(session), /The sandbox needs these programs: bubblewrap, socat, ripgrep\./);
      session.sendPrompt('go');
      await until(session, isClosed);
      const terminals = { create: () => assert.fail('nothing runs outside') };
      const command = runCheck(
        session,
        heldTerminals(harness.pool, terminals),
        'npm test',
        new AbortController().signal,
      );
      assert.equal(await command, undefined);
      assert.match(text(session), /Couldn’t start what runs after a turn[^]*needs these programs: bubblewrap/);
      assert.deepEqual(
        harness.log.filter((line) => line.includes('as process')),
        [],
      );
      assert.ok(!existsSync(join(root, 'out.txt')));
    },
  );
});
