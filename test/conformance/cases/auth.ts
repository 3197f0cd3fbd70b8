import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentError, type Params } from '../agent';
import { until } from '../case';
import { agentName } from '../connections';
import { card, offers, prompts, refuses, required, way } from '../logins';
import { row } from '../row';

row('A01', 'chooses a required login, completes it, and repeats the request', async (t) => {
  const methods = [
    { id: 'web', name: 'With an account', description: 'Opens a page', type: 'agent' },
    { id: 'owl', name: 'By owl', type: 'owl' },
  ];
  const agent = await t.start({ ...offers(methods), ...refuses('session/new') });
  await t.page.sees(card);
  await t.prompt('my question');
  await t.page.misses(way('By owl'));
  await t.page.click(way('With an account'));
  await t.page.sees(way('Send again'));
  assert.deepEqual((await agent.call('authenticate'))['params'], { methodId: 'web' });
  assert.deepEqual(agent.calls, ['initialize', 'session/new', 'authenticate', 'session/new']);
  await t.page.click(way('Send again'));
  await agent.call('session/prompt');
  await t.page.sees({ text: 'Logged in to' });
  await t.page.misses(card);
  await agent.catchUp();
  assert.equal(prompts(agent), 1);
});

row('A02', 'sends a method without a type to the agent, cancellable', async (t) => {
  let isSlow = true;
  const handlers = refuses('session/new');
  const agent = await t.start({
    ...offers([{ id: 'plain', name: 'Plain' }]),
    ...handlers,
    authenticate: (params, self, message) => {
      if (!isSlow) return handlers['authenticate']!(params, self, message);
      isSlow = false;
      return self.call('$/cancel_request').then(() => {
        throw new AgentError(-32800, 'Request cancelled');
      });
    },
  });
  await t.page.click(way('Plain'));
  await agent.call('authenticate');
  await t.page.click({ ...way('Cancel') });
  const cancel = (await agent.call('$/cancel_request'))['params'] as Params;
  assert.equal(cancel['requestId'], (await agent.call('authenticate'))['id']);
  await t.page.click(way('Plain'));
  assert.deepEqual((await agent.call('authenticate', 2))['params'], { methodId: 'plain' });
  await agent.call('session/new', 2);
  await t.page.misses(card);
});

row('A03', 'runs a terminal login with arguments; only exit 0 restarts the agent', async (t) => {
  const methods = [
    {
      id: 'tty',
      name: 'In a terminal',
      type: 'terminal',
      args: ['--login', 'two words'],
      env: { LOGIN_MARK: 'm', LANG: 'login' },
    },
  ];
  const agent = await t.start({ ...offers(methods), 'session/new': required });
  const failing = t.nextAgent();
  await t.page.click(way('In a terminal'));
  (await failing).act({ exit: 4 });
  await t.page.sees({ ...card, hasText: 'exited with code 4' });
  const next = t.nextAgent();
  await t.page.click(way('In a terminal'));
  const program = await next;
  assert.deepEqual(program.hello.args, [...agent.hello.args, '--login', 'two words']);
  assert.equal(program.hello.env['LOGIN_MARK'], 'm');
  assert.deepEqual([program.hello.env['LANG'], agent.hello.env['LANG'] === 'login'], ['login', false]);
  assert.equal(program.hello.env['PATH'], agent.hello.env['PATH']);
  assert.equal(program.hello.cwd, agent.hello.cwd);
  assert.equal(vscode.window.activeTerminal?.name, `Log in to ${agentName}`);
  const anew = t.nextAgent();
  program.act({ exit: 0 });
  const restarted = await anew;
  await restarted.call('session/new');
  await agent.ended;
  await t.page.misses(card);
  assert.deepEqual(agent.calls, ['initialize', 'session/new']);
  assert.deepEqual(restarted.calls, ['initialize', 'session/new']);
  assert.equal(restarted.hello.env['LOGIN_MARK'], undefined);
});

row('A04', 'logs out only if supported and offers a later required login', async (t) => {
  const methods = [{ id: 'web', name: 'With an account' }];
  const plain = await t.open(offers(methods));
  await vscode.commands.executeCommand('parley.logout');
  assert.ok(!plain.calls.includes('logout'));
  await t.close();
  await plain.ended;
  let isIn = true;
  const agent = await t.open({
    ...offers(methods, { auth: { logout: {} } }),
    logout: () => void (isIn = false),
    authenticate: () => void (isIn = true),
    'session/prompt': () => (isIn ? { stopReason: 'end_turn' } : required()),
  });
  await t.prompt('before');
  const out = vscode.commands.executeCommand('parley.logout');
  await t.page.acceptsQuickPick(agentName);
  await out;
  assert.deepEqual((await agent.call('logout'))['params'], {});
  await t.page.sees({ text: `Logged out of ${agentName}` });
  await t.prompt('after');
  await t.page.sees(card);
  const login = vscode.commands.executeCommand('parley.login');
  await t.page.acceptsQuickPick(agentName);
  await t.page.acceptsQuickPick('With an account');
  await login;
  await agent.call('authenticate');
  await t.page.click(way('Send again'));
  await agent.call('session/prompt', 3);
  // An agent that wants a login for it is logged out already.
  agent.on('logout', required);
  const twice = vscode.commands.executeCommand('parley.logout');
  await t.page.acceptsQuickPick(agentName);
  await twice;
  await agent.call('logout', 2);
  await until(
    async () => (await t.page.texts({ role: 'article', hasText: `Logged out of ${agentName}` })).length === 2,
  );
});

row('A07', 'asks for variables and passes them to every later process', async (t) => {
  const secret = 'sk-login-0123456789abcdef';
  const vars = [
    { name: 'LOGIN_KEY', label: 'Your key' },
    { name: 'LOGIN_PLACE', secret: false, optional: true },
  ];
  const methods = [{ id: 'vars', name: 'With a key', type: 'env_var', vars }];
  const agent = await t.start({ ...offers(methods), 'session/new': required });
  const next = t.nextAgent({
    ...offers(methods, { auth: { logout: {} } }),
    ...refuses('session/new'),
    logout: () => undefined,
  });
  await t.page.click(way('With a key'));
  assert.equal(await t.page.answersInputBox('Your key', secret), 'password');
  assert.equal(await t.page.answersInputBox('LOGIN_PLACE', ''), 'text');
  const anew = await next;
  assert.equal(anew.hello.env['LOGIN_KEY'], secret);
  assert.equal(anew.hello.env['LOGIN_PLACE'], undefined);
  await anew.call('session/new');
  await t.page.misses(card);
  assert.deepEqual(anew.calls, ['initialize', 'authenticate', 'session/new']);
  assert.ok(!agent.calls.includes('authenticate'));
  await t.turn(anew, ({ say }) => say(`the key is ${secret}`));
  const log = await t.editor.protocolLog(agentName);
  assert.match(log, /the key is \[redacted\]/);
  await t.close();
  await anew.ended;
  const later = await t.open({ ...offers(methods, { auth: { logout: {} } }), logout: () => undefined });
  assert.equal(later.hello.env['LOGIN_KEY'], secret);
  // What is forgotten is no longer in the environment, either.
  const forgetful = t.nextAgent();
  const out = vscode.commands.executeCommand('parley.logout');
  await t.page.acceptsQuickPick(agentName);
  await out;
  assert.equal((await forgetful).hello.env['LOGIN_KEY'], undefined);
});

row('A08', 'runs a command in _meta unchanged', async (t) => {
  const { command, args } = vscode.workspace.getConfiguration('parley.agents').get<{
    readonly command: string;
    readonly args: readonly string[];
  }>(agentName)!;
  const told = { command, args: [...args, 'exactly', '${userHome}'], env: { LOGIN_MARK: 'm' }, label: 'Log in' };
  const methods = [
    { id: 'meta', name: 'By command', type: 'terminal', args: ['--not-this'], _meta: { 'terminal-auth': told } },
  ];
  const agent = await t.start({ ...offers(methods), 'session/new': required });
  await t.page.sees({ ...card, hasText: 'exactly' });
  const next = t.nextAgent();
  await t.page.click(way('By command'));
  const program = await next;
  assert.deepEqual(program.hello.args, ['exactly', '${userHome}']);
  assert.equal(program.hello.env['LOGIN_MARK'], 'm');
  const anew = t.nextAgent();
  program.act({ exit: 0 });
  await (await anew).call('session/new');
  await t.page.misses(card);
  assert.ok(!agent.calls.includes('authenticate'));
});

row('O05', 'asks for keys and gateways, masks them, and informs only the agent', async (t) => {
  const key = 'sk-typed-0123456789abcdef';
  const methods = [
    { id: 'key', name: 'API key', _meta: { 'api-key': { provider: 'owl' } } },
    { id: 'gate', name: 'Gateway', _meta: { gateway: { protocol: 'owl', restartRequired: 'false' } } },
  ];
  const handlers = refuses('session/new');
  const agent = await t.start({
    ...offers(methods),
    ...handlers,
    authenticate: (params, self, message) => {
      if (params['methodId'] === 'gate') return handlers['authenticate']!(params, self, message);
      throw new AgentError(-32603, `refused ${key}`);
    },
  });
  const { clientCapabilities } = (await agent.call('initialize'))['params'] as {
    clientCapabilities: { readonly auth: unknown; readonly _meta: Params };
  };
  assert.deepEqual(clientCapabilities.auth, { terminal: true, _meta: { gateway: true } });
  assert.equal(clientCapabilities._meta['terminal-auth'], true);
  await t.page.click(way('API key'));
  assert.equal(await t.page.answersInputBox('API key', key), 'password');
  const { params } = await agent.call('authenticate');
  assert.deepEqual(params, { methodId: 'key', _meta: { 'api-key': { apiKey: key } } });
  await t.page.sees({ ...card, hasText: 'refused [redacted]' });
  await t.page.click(way('Gateway'));
  await t.page.answersInputBox('Gateway URL', 'https://gate.example/v1');
  assert.equal(await t.page.answersInputBox('Authorization', `Bearer ${key}`), 'password');
  assert.deepEqual((await agent.call('authenticate', 2))['params'], {
    methodId: 'gate',
    _meta: { gateway: { baseUrl: 'https://gate.example/v1', headers: { Authorization: `Bearer ${key}` } } },
  });
  await agent.call('session/new', 2);
  await t.page.misses(card);
  assert.ok(!(await t.editor.protocolLog(agentName)).includes(key));
});
