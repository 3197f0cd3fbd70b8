import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { fixtureAgent, ProcessMark } from '../../../test/unit-support/markedProcesses';
import { posixOnly } from '../../../test/unit-support/platform';
import {
  all,
  isReady,
  lives,
  pidsOf,
  PoolHarness,
  text,
  until,
  workspace,
} from '../../../test/unit-support/poolHarness';
import { AgentPool } from '../pool/agentPool';
import type { AgentLaunch } from '../process/agentProcess';
import { parseAgents, type AgentSpec } from './agentSpec';
import { describeEntry } from './describeEntry';
import { mayDownload } from '../handshake/handshakeTime';
import { resolveLaunch } from '../launch/launch';
import { loginLaunch } from '../login/loginLaunch';
import { programFingerprint, programKey } from './programKey';
import { conductorArgs } from './proxyChain';

const node = process.execPath;

function parse(entry: object): AgentSpec {
  const { agents, problems } = parseAgents({ Chained: entry });
  assert.deepEqual(problems, []);
  const [spec] = agents;
  assert.ok(spec);
  return spec;
}

function launchOf(spec: AgentSpec, env: Readonly<Record<string, string>> = {}): Promise<AgentLaunch> {
  return resolveLaunch(spec, {
    workspaceFolder: workspace,
    workspaceFolders: [{ name: 'project', path: workspace }],
    userHome: '/home/ada',
    environment: async () => ({ env: { PATH: process.env['PATH'] ?? '', ...env } }),
  });
}

suite('the settings of a chain', () => {
  test('name the proxies and the conductor, which has a default', () => {
    const proxies = [{ command: ' proxy ', args: ['--fast', 1], env: { A: '1' } }, { command: 'second' }];
    assert.deepEqual(parse({ command: 'agent', proxies }).chain, {
      conductor: { command: 'agent-client-protocol-conductor', args: ['agent'] },
      proxies: [
        { command: 'proxy', args: ['--fast', '1'] },
        { command: 'second', args: [] },
      ],
      env: { A: '1' },
    });
    const conductorOf = (conductor: unknown) => parse({ command: 'a', proxies, conductor }).chain?.conductor;
    assert.deepEqual(conductorOf('mine'), { command: 'mine', args: ['agent'] });
    assert.deepEqual(conductorOf({ command: 'mine' }), { command: 'mine', args: ['agent'] });
    assert.deepEqual(conductorOf({ command: 'mine', args: ['run', '--'] }), { command: 'mine', args: ['run', '--'] });
    assert.equal(parse({ command: 'agent', proxies: [] }).chain, undefined);
  });

  test("are refused with a reason if part of the chain can't run", () => {
    const why = (entry: object) => parseAgents({ A: { command: 'agent', ...entry } }).problems.join('\n');
    assert.match(why({ proxies: 'proxy' }), /“proxies” must be an array/);
    assert.match(why({ proxies: ['proxy'] }), /each of “proxies” must be an object/);
    assert.match(why({ proxies: [{ args: [] }] }), /each of “proxies” must be an object/);
    assert.match(why({ proxies: [{ command: 'p', args: '-x' }] }), /each of “proxies” must be an object/);
    assert.match(why({ proxies: [{ command: 'p' }], conductor: 7 }), /“conductor” must be a program/);
    const contradicting = { env: { KEY: 'a' }, proxies: [{ command: 'p', env: { KEY: 'b' } }] };
    assert.match(why(contradicting), /“KEY” has two values/);
    assert.equal(why({ env: { KEY: 'a' }, proxies: [{ command: 'p', env: { KEY: 'a' } }] }), '');
  });

  test('show every program of the chain, including the default conductor', () => {
    const entry = {
      command: 'npx',
      args: ['agent@1.0.0'],
      proxies: [{ command: 'npx', args: ['spy'], env: { A: '1' } }],
    };
    assert.deepEqual(describeEntry(entry, 'short'), [
      'Command: npx agent@1.0.0',
      'Proxy 1, which can change messages:',
      '    Command: npx spy',
      '    “spy” has no version. Each start can run a newer one.',
      '    Environment variable: A=1',
      'Conductor, which starts the proxies and the agent:',
      '    Command: agent-client-protocol-conductor agent',
    ]);
    for (const odd of [
      { proxies: 'evil' },
      { proxies: ['evil'] },
      { conductor: 'evil' },
      { proxies: [], conductor: 'evil' },
    ]) {
      assert.match(describeEntry({ command: 'a', ...odd }, 'short').join('\n'), /evil/, JSON.stringify(odd));
    }
  });

  test('decide which processes are shared and who gets secrets', () => {
    const [plain, chained] = [parse({ command: 'a' }), parse({ command: 'a', proxies: [{ command: 'p' }] })];
    assert.notEqual(programKey(plain, '/work'), programKey(chained, '/work'));
    assert.notEqual(programFingerprint(plain, '/work'), programFingerprint(chained, '/work'));
    const relative = parse({ command: '/bin/a', proxies: [{ command: './proxy' }] });
    assert.notEqual(programFingerprint(relative, '/one'), programFingerprint(relative, '/other'));
  });
});

suite('the command of a chain', () => {
  test('has one quoted word for each program', () => {
    const args = conductorArgs({ command: 'c', args: ['agent'] }, [
      { command: '/bin/proxy', args: ['--name', "it's", 'a "b" $c \\d'] },
      { command: 'agent', args: [] },
    ]);
    assert.deepEqual(args, ['agent', `/bin/proxy --name 'it'"'"'s' 'a "b" $c \\d'`, 'agent']);
  });

  test('resolves every program and combines their variables', posixOnly, async () => {
    const proxy = { command: 'node', args: ['${userHome}/proxy.js'], env: { OF_PROXY: '${env:GIVEN}' } };
    const spec = parse({
      command: 'npx',
      args: ['agent'],
      env: { OF_AGENT: 'a' },
      proxies: [proxy],
      conductor: 'node',
    });
    const launch = await launchOf(spec, { GIVEN: 'g' });
    const [first, last] = launch.chain ?? [];
    assert.ok(first && last);
    assert.match(first.command, /^\/.*node$/);
    assert.deepEqual(last.args, ['--yes', 'agent']);
    assert.deepEqual(launch.args, ['agent', `${first.command} /home/ada/proxy.js`, `${last.command} --yes agent`]);
    assert.deepEqual([launch.env['OF_PROXY'], launch.env['OF_AGENT']], ['g', 'a']);
    assert.equal(mayDownload(launch), true);
  });

  test('reports which program of the chain is missing', posixOnly, async () => {
    const missing = { proxies: [{ command: 'no-such-proxy' }], conductor: 'node' };
    await assert.rejects(launchOf(parse({ command: 'node', ...missing })), /program no-such-proxy/);
    const noConductor = { proxies: [{ command: 'node' }], conductor: 'no-such-conductor' };
    await assert.rejects(launchOf(parse({ command: 'node', ...noConductor })), /program no-such-conductor/);
  });

  test("keeps batch files on Windows and unwraps npm's scripts", async () => {
    const proxies = [{ command: 'proxy', args: ['a b'] }, { command: 'script' }];
    const shim = '@ECHO off\r\n"%_prog%"  "%dp0%\\node_modules\\p\\bin.js" %*';
    const found = ['agent.exe', 'proxy.cmd', 'script.cmd', 'node.exe', 'conductor.exe'].map(
      (name) => `C:\\bin\\${name}`,
    );
    const launch = await resolveLaunch(parse({ command: 'agent', proxies, conductor: 'conductor' }), {
      workspaceFolders: [],
      userHome: 'C:\\Users\\Ada',
      environment: async () => ({ env: { Path: 'C:\\bin' } }),
      platform: 'win32',
      files: {
        isFile: (path) => found.some((one) => one.toLowerCase() === path.toLowerCase()) || path.endsWith('bin.js'),
        readFile: (path) => (path.toLowerCase().includes('script') ? shim : 'echo %*'),
      },
    });
    assert.match(launch.command, /conductor\.exe$/i);
    const [mode, proxy, script, agent] = launch.args;
    assert.deepEqual([mode, proxy], ['agent', "proxy 'a b'"]);
    assert.match(script ?? '', /node\.exe.*bin\.js/i);
    assert.match(agent ?? '', /^'C:\\bin\\agent\.exe'$/i);
    assert.equal(launch.windowsVerbatimArguments ?? false, false);
  });

  test("isn't used for terminal logins, which run the agent itself", posixOnly, async () => {
    const spec = parse({ command: 'node', args: ['agent.js'], proxies: [{ command: 'npx' }], conductor: 'npx' });
    const launch = await launchOf(spec);
    const terminal = { type: 'terminal', id: 't', name: 'T', args: ['--login'], env: { EXTRA: '1' } } as const;
    const login = await loginLaunch(terminal, { ...launch, env: { ...launch.env, STORED: 's' } });
    assert.match(login.command, /node$/);
    assert.deepEqual(login.args, ['agent.js', '--login']);
    assert.deepEqual([login.env['EXTRA'], login.env['STORED']], ['1', 's']);
    assert.equal(login.chain, undefined);
  });
});

suite('a chain with a conductor from npm', posixOnly, () => {
  let harness: PoolHarness;
  let mark: ProcessMark;
  let pool: AgentPool;

  beforeEach(() => {
    harness = new PoolHarness();
    mark = new ProcessMark();
    pool = new AgentPool({
      services: harness.services,
      version: '0.1.0',
      now: Date.now,
      schedule: (ms, action) => {
        const timer = setTimeout(action, ms);
        return { dispose: () => clearTimeout(timer) };
      },
      resolveLaunch: (spec) => launchOf(spec, mark.env),
      log: (line) => harness.log.push(line),
    });
  });

  afterEach(async () => {
    await pool.stopAll();
    await mark.clean();
  });

  const chained = (script: object, ...words: readonly string[]) =>
    parse({
      env: { OF_AGENT: 'agent-secret' },
      command: node,
      args: [fixtureAgent('scripted'), JSON.stringify(script)],
      conductor: { command: node, args: [fixtureAgent('conductor'), 'agent'] },
      proxies: words.map((word) => ({
        command: node,
        args: [fixtureAgent('promptProxy'), word],
        env: { OF_PROXY: 'proxy-secret' },
      })),
    });

  test('is one agent whose proxies change prompts and pass permission requests', async () => {
    const ask = {
      request: 'session/request_permission',
      params: {
        toolCall: { toolCallId: 'c1', title: 'Edit', kind: 'edit', status: 'pending' },
        options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
      },
    };
    const spec = chained({ turns: [{ steps: [{ echo: true }, ask, { report: true }] }] }, 'said the proxy', "it's me");
    const session = pool.createSession({ spec, cwd: workspace });
    await until(session, isReady);
    session.sendPrompt('hello');
    await until(session, ({ transcript: { view } }) => view.activity.state === 'requires_action');
    const [call] = all(session, 'tool_call');
    assert.ok(call?.permission.state === 'asked');
    session.answerPermission(call.permission.request, 'yes');
    await until(session, ({ transcript: { view } }) => view.activity.state === 'idle');
    assert.match(text(session), /hello.*said the proxy.*it's me/s);
    assert.match(text(session), /"optionId":"yes"/);
  });

  test('keeps the variables of all its programs out of logs', async () => {
    const spec = chained(
      { turns: [{ steps: [{ stderr: 'agent-secret and proxy-secret\n' }, { say: 'logged' }] }] },
      'one',
    );
    const session = pool.createSession({ spec, cwd: workspace });
    session.sendPrompt('hello');
    await until(session, () => text(session).includes('logged'));
    await pool.stopAll();
    const log = harness.log.join('\n');
    assert.match(log, /\S+ and \S+/);
    assert.doesNotMatch(log, /agent-secret|proxy-secret/);
  });

  test('ends with all its processes and reports which one exited', async () => {
    const session = pool.createSession({ spec: chained({}, 'one', 'two'), cwd: workspace });
    await until(session, isReady);
    await mark.waitForCount(4);
    session.close();
    await pool.stopAll();
    assert.deepEqual(await mark.pids(), []);
    for (const pid of pidsOf(harness)) assert.equal(lives(pid), false);

    const broken = parse({
      command: node,
      args: [fixtureAgent('crashesAtStart')],
      conductor: { command: node, args: [fixtureAgent('conductor'), 'agent'] },
      proxies: [{ command: node, args: [fixtureAgent('promptProxy')] }],
    });
    const other = pool.createSession({ spec: broken, cwd: workspace });
    await until(other, ({ transcript: { view } }) => view.connection.state === 'closed');
    await pool.stopAll();
    assert.deepEqual(await mark.pids(), []);
  });
});
