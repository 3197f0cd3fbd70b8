import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { all, isReady, lives, pidsOf, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import type { AgentLaunch } from '../process/agentProcess';
import { loginMeta } from '../connection/loginAnswer';
import { Logins, type LoginHost } from './logins';
import { quirksOf } from '../base/quirks';

let harness: PoolHarness;
let logins: Logins;
/** The requests to the host, and its answers. */
let launches: AgentLaunch[];
let exitCode: number | undefined;
let typed: string | undefined;
let pages: string[];
let inTerminal: (signal: AbortSignal) => Promise<number | undefined>;

const host: LoginHost = {
  resolveLaunch: async (spec, cwd) => ({
    command: spec.command,
    args: spec.args,
    env: { BASE: 'b', ...spec.env },
    cwd,
  }),
  runInTerminal: (_title, launch, signal) => {
    launches.push(launch);
    return inTerminal(signal);
  },
  askVariables: async () => (typed === undefined ? undefined : { LOGIN_KEY: typed }),
  openPage: async (_name, address) => pages.push(address) > 0,
  askApiKey: async () => typed,
  askGateway: async () => ({ baseUrl: 'https://gate.example', headers: { Authorization: typed ?? '' } }),
  renewInputs: async () => {
    if (harness.input === undefined) return false;
    harness.input = 'new-token';
    return true;
  },
  forgetInputs: async () => void (harness.input = undefined),
  keepVariables: async (_spec, variables) => void (harness.variables = variables),
  variablesOf: async () => harness.variables,
};

beforeEach(() => {
  harness = new PoolHarness();
  logins = new Logins(harness.pool, host);
  [launches, pages] = [[], []];
  [exitCode, typed] = [0, 'hunter2secret'];
  inTerminal = async () => exitCode;
});

afterEach(async () => {
  logins.dispose();
  await harness.pool.stopAll();
  for (const pid of pidsOf(harness)) assert.equal(lives(pid), false, `process ${pid} is left`);
});

const asksLogin = (session: Session) => card(session)?.progress.state === 'asked';
const failed = (session: Session) => card(session)?.progress.state === 'failed';
const card = (session: Session) => all(session, 'login').at(-1);

function start(method: object, script: { at?: string[]; [name: string]: unknown } = {}): Session {
  const { answers, ...login } = script;
  const initialize = {
    authMethods: [{ id: 'm', name: 'Method', ...method }],
    agentCapabilities: { auth: { logout: {} } },
  };
  return harness.start({ initialize, login: { at: ['session/new'], ...login }, ...(answers ? { answers } : {}) });
}

test('logs in on the existing connection, and all sessions continue', async () => {
  const session = start({});
  session.sendPrompt('kept');
  const other = harness.pool.createSession({ spec: harness.pool.specOf(session)!, cwd: session.context.cwd });
  await Promise.all([until(session, asksLogin), until(other, asksLogin)]);
  await Promise.all([logins.login(session, 'm'), logins.login(other, 'm')]);
  await Promise.all([until(session, isReady), until(other, isReady)]);
  const news = ['session/new', 'session/new'];
  assert.deepEqual(harness.sent(), ['initialize', ...news, 'authenticate', ...news]);
  assert.deepEqual(harness.wire().find(([, { method }]) => method === 'authenticate')![1].params, { methodId: 'm' });
  assert.equal(pidsOf(harness).length, 1);
  assert.equal(card(session)!.progress.state, 'done');
  assert.match(text(other), /Notice \(info\): Logged in to Codex/);
});

test('cancelling a slow login notifies the agent and resets the card', async () => {
  const session = start({}, { answers: { authenticate: 'silent' } });
  await until(session, asksLogin);
  const login = logins.login(session, 'm');
  await until(session, () => card(session)!.progress.state === 'running');
  while (!harness.sent().includes('authenticate')) await new Promise(setImmediate);
  logins.cancel(session);
  await login;
  assert.equal(card(session)!.progress.state, 'asked');
  assert.equal(harness.sent().at(-1), '$/cancel_request');
});

test("a refusal is shown without the user's input and can be retried", async () => {
  const session = start({ _meta: { 'api-key': {} } }, { key: 'right-key-1' });
  await until(session, asksLogin);
  await logins.login(session, 'm');
  const { progress } = card(session)!;
  assert.ok(progress.state === 'failed');
  assert.equal(progress.title, 'Couldn’t log in with “Method”.');
  assert.equal(progress.cause, 'Wrong key: [redacted] Try again or choose another method.');
  typed = 'right-key-1';
  await logins.login(session, 'm');
  await until(session, isReady);
  assert.doesNotMatch(harness.pool.traffic[0]!.traffic.export(), /hunter2secret|right-key-1/);
});

test('dismissing a question leaves everything unchanged', async () => {
  typed = undefined;
  const session = start({ _meta: { 'api-key': {} } });
  await until(session, asksLogin);
  await logins.login(session, 'm');
  assert.equal(card(session)!.progress.state, 'asked');
  assert.ok(!harness.sent().includes('authenticate'));
});

test("runs the agent's program with more arguments in a terminal, then restarts", async () => {
  const session = start({ type: 'terminal', args: ['--login'], env: { BASE: 'method' } }, { env: 'LOGIN_KEY' });
  await until(session, asksLogin);
  const { command, args } = harness.pool.specOf(session)!;
  exitCode = 3;
  await logins.login(session, 'm');
  assert.ok(failed(session));
  assert.match(text(session), /exited with code 3\. Try again/);
  assert.equal(pidsOf(harness).length, 1);
  harness.variables = { LOGIN_KEY: 'done in the terminal' };
  exitCode = 0;
  await logins.login(session, 'm');
  await until(session, isReady);
  assert.deepEqual(launches[1], {
    command,
    args: [...args, '--login'],
    env: { BASE: 'method' },
    cwd: session.context.cwd,
  });
  assert.deepEqual(harness.sent(0), ['initialize', 'session/new']);
  assert.deepEqual(harness.sent(1), ['initialize', 'session/new']);
});

test('a missing command is a failure, but a closed terminal is not', async () => {
  const told = { 'terminal-auth': { command: 'parley-no-such-program', args: ['auth'] } };
  const session = start({ _meta: told });
  await until(session, asksLogin);
  await logins.login(session, 'm');
  assert.match(text(session), /Couldn’t find the program .*parley-no-such-program/);
  assert.deepEqual(launches, []);
  const other = start({ type: 'terminal' });
  await until(other, asksLogin);
  exitCode = undefined;
  await logins.login(other, 'm');
  assert.equal(card(other)!.progress.state, 'asked');
});

test('stores variables and passes them to the restarted agent', async () => {
  const session = start(
    { type: 'env_var', vars: [{ name: 'LOGIN_KEY' }] },
    { env: 'LOGIN_KEY', answers: { authenticate: {} } },
  );
  session.sendPrompt('kept');
  await until(session, asksLogin);
  await logins.login(session, 'm');
  await until(session, isReady);
  assert.deepEqual(harness.sent(0), ['initialize', 'authenticate', 'session/new']);
  assert.deepEqual(harness.variables, { LOGIN_KEY: 'hunter2secret' });
  assert.equal(card(session)!.waits, true);
});

test('does not store variables that the agent refuses', async () => {
  const error = { code: -32603, message: 'no such key' };
  const session = start({ type: 'env_var', vars: [{ name: 'LOGIN_KEY' }] }, { answers: { authenticate: { error } } });
  await until(session, asksLogin);
  await logins.login(session, 'm');
  assert.ok(failed(session));
  assert.deepEqual(harness.variables, {});
});

test('keeps the session after a refused prompt and reopens it elsewhere', async () => {
  const session = start({ type: 'terminal' }, { at: ['session/prompt'], env: 'LOGIN_KEY' });
  session.sendPrompt('kept');
  await until(session, asksLogin);
  assert.equal(session.transcript.view.connection.state, 'ready');
  harness.variables = { LOGIN_KEY: 'hunter2secret' };
  await logins.login(session, 'm');
  await until(session, (one) => card(one)?.progress.state === 'done');
  assert.deepEqual(harness.sent(0), ['initialize', 'session/new']);
  session.sendAgain();
  await until(session, (one) => all(one, 'user_message').length === 2 && one.transcript.view.activity.state === 'idle');
  assert.deepEqual(harness.sent(0), ['initialize', 'session/new', 'session/prompt']);
});

test('starts an exited agent for its login', async () => {
  const session = start({});
  await until(session, asksLogin);
  session.endProcess();
  await until(session, ({ transcript }) => transcript.view.connection.state === 'closed');
  await logins.login(session, 'm');
  await until(session, isReady);
  assert.deepEqual(harness.sent(0), ['initialize', 'authenticate', 'session/new']);
});

test('logging out notifies the agent, deletes the stored input, and reports it', async () => {
  harness.variables = { LOGIN_KEY: 'hunter2secret' };
  const session = start({}, { env: 'LOGIN_KEY', answers: { logout: {} } });
  await until(session, isReady);
  await logins.logout(harness.pool.specOf(session)!);
  assert.deepEqual(harness.variables, {});
  assert.equal(harness.sent(1).at(-1), 'logout');
  await until(session, asksLogin);
  assert.match(text(session), /Logged out of Codex/);
});

test('shows why an agent refused to log out and deletes nothing', async () => {
  harness.variables = { LOGIN_KEY: 'hunter2secret' };
  const error = { code: -32603, message: 'busy with hunter2secret' };
  const session = start({}, { env: 'LOGIN_KEY', answers: { logout: { error } } });
  await until(session, isReady);
  await assert.rejects(logins.logout(harness.pool.specOf(session)!), { message: 'busy with [redacted]' });
  assert.deepEqual(harness.variables, { LOGIN_KEY: 'hunter2secret' });
});

test('sends keys and gateways in _meta, for one agent as plain text', () => {
  const key = { type: 'apiKey', apiKey: 'k' } as const;
  assert.deepEqual(loginMeta(key, quirksOf('codex')), { 'api-key': { apiKey: 'k' } });
  assert.deepEqual(loginMeta(key, quirksOf('gemini-cli')), { 'api-key': 'k' });
  const gateway = { type: 'gateway', baseUrl: 'https://g', headers: { A: 'b' } } as const;
  assert.deepEqual(loginMeta(gateway, quirksOf('')), { gateway: { baseUrl: 'https://g', headers: { A: 'b' } } });
});

test('a program whose key is asked for starts again with another one', async () => {
  const script = { initialize: { authMethods: [] }, login: { at: ['session/new'], env: 'LOGIN_KEY' } };
  const session = harness.start(harness.spec(script, { KEY: '${input:key}' }));
  session.sendPrompt('kept');
  await until(session, asksLogin);
  assert.deepEqual(
    card(session)!.methods.map(({ name }) => name),
    ['Enter a token'],
  );
  harness.variables = { LOGIN_KEY: 'hunter2secret' };
  await logins.login(session, 'parley.remoteToken');
  await until(session, isReady);
  assert.equal(pidsOf(harness).length, 2);
  assert.match(text(session), /You:\n {2}kept/);
});
