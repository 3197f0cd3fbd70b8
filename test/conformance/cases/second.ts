import assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { AgentError, silent, type Params, type ScriptedAgent } from '../agent';
import { answersFirstName, exitsName, refusesName, secondName } from '../connections';
import { card, way } from '../logins';
import { row } from '../row';
import { echo, idle, introduces, isShownOnce, openSecond, playsTurns, running, says, text, turn } from '../second';

const paramsOf = async (agent: ScriptedAgent, method: string, count = 1) =>
  (await agent.call(method, count))['params'] as Params;
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes as string).toString('base64');
/** The card in the chat of this agent. */
const secondCard = { ...card, name: `Log in to ${secondName}` };
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

row('N04', 'speaks version 2 with an agent that is offered it', async (t) => {
  const agent = await openSecond(t);
  const { info, ...params } = await paramsOf(agent, 'initialize');
  assert.deepEqual(Object.keys(info as object), ['name', 'title', 'version']);
  assert.deepEqual(params, {
    protocolVersion: 2,
    capabilities: {
      auth: { terminal: {}, _meta: { gateway: true } },
      elicitation: { form: {}, url: {} },
      session: { promptSuggestions: {} },
      _meta: { 'terminal-auth': true },
    },
  });
  await turn(t, agent, says('in version 2'));
  await t.page.sees({ text: 'in version 2' });
  assert.equal(await agent.errorCode('fs/read_text_file', { path: '/a' }), -32601);
  assert.equal(await agent.errorCode('terminal/create', { command: 'ls' }), -32601);
});

row('N05', 'initializes again in version 1 if the agent answers 1', async (t) => {
  const agent = await t.open({}, { agent: answersFirstName });
  assert.deepEqual(agent.calls.slice(0, 3), ['initialize', 'initialize', 'session/new']);
  const again = await paramsOf(agent, 'initialize', 2);
  assert.equal(again['protocolVersion'], 1);
  assert.ok('clientCapabilities' in again && 'clientInfo' in again);
  await t.turn(agent, ({ say }) => say('in version 1'));
  await t.page.sees({ text: 'in version 1' });
});

row('N06', 'restarts an agent that supports only version 1, once', async (t) => {
  const initialize = ({ protocolVersion }: Params) => {
    if (protocolVersion === 2) throw new AgentError(-32022, 'No', { requested: 2, supported: [1] });
    return { protocolVersion: 1 };
  };
  const starting = t.start({ initialize }, { agent: refusesName });
  const next = t.nextAgent({ initialize });
  await (
    await starting
  ).ended;
  const agent = await next;
  await agent.call('session/new');
  assert.equal((await paramsOf(agent, 'initialize'))['protocolVersion'], 1);
  await t.close();
  await agent.ended;
  const later = await t.start({ initialize }, { agent: refusesName });
  assert.equal((await paramsOf(later, 'initialize'))['protocolVersion'], 1);
  await later.call('session/new');
});

row('N07', 'restarts an agent that exits at the offer in version 1', async (t) => {
  const exits = {
    initialize: (_params: Params, self: ScriptedAgent) => {
      self.act({ exit: 3 });
      return silent;
    },
  };
  const starting = t.start(exits, { agent: exitsName });
  const next = t.nextAgent();
  await (
    await starting
  ).ended;
  const agent = await next;
  await agent.call('session/new');
  await t.page.sees({ role: 'feed' });
  await t.page.misses({ role: 'alert' });
});

row('A09', 'logs in and out in version 2 if there are methods', async (t) => {
  const authMethods = [{ methodId: 'web', type: 'agent', name: 'With an account' }];
  let isIn = false;
  const agent = await t.start(
    {
      ...introduces({}, { authMethods }),
      'session/new': () => {
        if (!isIn) throw new AgentError(-32000, 'Authentication required');
        return { sessionId: 's1' };
      },
      'auth/login': () => void (isIn = true),
      'auth/logout': () => void (isIn = false),
    },
    { agent: secondName },
  );
  await t.page.sees(secondCard);
  await t.page.click(way('With an account'));
  await agent.call('session/new', 2);
  assert.deepEqual(await paramsOf(agent, 'auth/login'), { methodId: 'web' });
  await t.page.misses(secondCard);
  const out = vscode.commands.executeCommand('parley.logout');
  await t.page.acceptsQuickPick(secondName);
  await out;
  assert.deepEqual(await paramsOf(agent, 'auth/logout'), {});
  assert.ok(!agent.calls.includes('authenticate'));
});

row('S17', "replays a session on request and takes the agent's state", async (t) => {
  const listed = { sessionId: 'old', cwd: t.workspace, title: 'Kept in the second version' };
  const agent = await openSecond(t, {
    'session/list': () => ({ sessions: [listed] }),
    'session/resume': (_params, self) => {
      for (const update of [
        echo('u', []),
        { sessionUpdate: 'user_message_chunk', messageId: 'u', content: text('asked long ago') },
        { sessionUpdate: 'agent_message', messageId: 'm', content: [], _meta: null },
        says('answered long ago', 'm'),
        { ...running, background: [] },
      ])
        self.update(update, 'old');
      return {};
    },
  });
  await t.reopen();
  await t.editor.filters('Kept');
  await t.editor.picks('Kept in the second version');
  await t.page.sees({ text: 'answered long ago' });
  const { replayFrom, sessionId, cwd } = await paramsOf(agent, 'session/resume');
  assert.deepEqual([replayFrom, sessionId, cwd], [{ type: 'start' }, 'old', t.workspace]);
  await isShownOnce(t, 'asked long ago');
  await t.page.sees({ css: '[role=feed][aria-busy=true]' });
  agent.update(idle, 'old');
  await t.page.sees({ css: '[role=feed][aria-busy=false]' });
});

row('P10', 'shows a message once, before or after the answer, until idle', async (t) => {
  const agent = await openSecond(t);
  playsTurns(agent, () => agent.update(says('one')));
  await t.prompt('reported before');
  agent.on('session/prompt', ({ prompt }, _agent, { id }) => {
    agent.update(running);
    agent.send({ id, result: { messageId: 'late' } });
    agent.update({ sessionUpdate: 'user_message_chunk', messageId: 'late', content: (prompt as object[])[0] });
    agent.update(says('two', 'm2'));
    agent.update(idle);
    return silent;
  });
  await t.prompt('reported after');
  await t.page.sees({ text: 'two' });
  await isShownOnce(t, 'reported before');
  await isShownOnce(t, 'reported after');
});

row('P11', 'shows a refused prompt as failed and keeps a cancelled one', async (t) => {
  const agent = await openSecond(t, {
    'session/prompt': () => {
      throw new AgentError(-32603, 'No such model');
    },
  });
  await t.prompt('first');
  await t.page.sees({ role: 'alert', hasText: 'No such model' });
  let count = 0;
  const waiting: unknown[] = [];
  agent.on('session/prompt', ({ prompt }, _agent, { id }) => {
    count += 1;
    if (count > 1) waiting.push(id);
    else {
      agent.update(echo('u1', prompt));
      agent.send({ id, result: { messageId: 'u1' } });
      agent.update(running);
    }
    return silent;
  });
  agent.on('session/cancel', () => {
    for (const id of waiting.splice(0)) agent.send({ id, error: { code: -32800, message: 'Request cancelled' } });
    agent.update({ ...idle, stopReason: 'cancelled' });
  });
  // They have nothing to do any more when the session is closed.
  void t.prompt('second');
  await agent.call('session/prompt', 2);
  void t.prompt('third');
  await agent.call('session/prompt', 3);
  await t.page.sees({ css: '[aria-label="Queued messages"]', hasText: 'sent' });
  await t.cancel();
  await t.page.sees({ css: '[aria-label="Queued messages"]', hasText: 'on hold' });
  await t.page.sees({ css: '[aria-label="Queue"]', hasText: 'third' });
});

row('P12', 'the agent can begin by itself, and repeated idles end nothing', async (t) => {
  const agent = await openSecond(t);
  await turn(t, agent, says('asked'));
  agent.update(running);
  agent.update(says('on my own', 'm2'));
  await t.page.sees({ css: '[role=feed][aria-busy=true]' });
  await t.page.sees({ text: 'on my own' });
  for (let times = 0; times < 3; times += 1) agent.update({ ...idle, stopReason: 'max_tokens' });
  await t.page.sees({ css: '[role=feed][aria-busy=false]' });
  agent.update(says(' and late', 'm2'));
  await t.page.sees({ text: 'on my own and late' });
  const notices = await t.page.texts({ role: 'article', name: 'Notice' });
  assert.equal(notices.filter((notice) => notice.includes('token limit')).length, 1);
});

row('P13', 'lists background work, and an unknown state is not idle', async (t) => {
  const agent = await openSecond(t);
  const background = [{ type: 'tool_call', toolCallId: 'c1' }, { type: 'dream' }];
  const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c1', title: 'Watch', status: 'in_progress' };
  playsTurns(agent, () => agent.update(call));
  await t.prompt('go');
  agent.update({ ...idle, background });
  await t.page.sees({ css: '[aria-label="Still running"]', hasText: '2 background tasks are running' });
  agent.update({ sessionUpdate: 'state_update', state: 'daydreaming' });
  await t.page.sees({ css: '[role=feed][aria-busy=true]' });
  await t.page.sees({ css: '[aria-label="Still running"]' });
  agent.update({ ...idle, background: [] });
  await t.page.misses({ css: '[aria-label="Still running"]' });
});

row('U16', 'replaces whole messages, clears with null, and appends chunks', async (t) => {
  const agent = await openSecond(t);
  const whole = (content: unknown) => ({ sessionUpdate: 'agent_message', messageId: 'm1', content });
  await turn(t, agent, says('wrong'), whole([text('right')]), says(' and more'));
  await t.page.sees({ text: 'right and more' });
  await t.page.misses({ text: 'wrong' });
  agent.update(whole(null));
  await t.page.misses({ text: 'right and more' });
  agent.update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
    title: 'Named',
    rawOutput: 'unread',
    content: null,
  });
  agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', title: null, rawOutput: null, name: 'grep' });
  await agent.catchUp();
  await t.page.sees({ role: 'article', name: 'Tool call: Named' });
});

row('U17', 'pauses a call and stops it separately if supported', async (t) => {
  const agent = await openSecond(t, { 'tool_call/cancel': () => ({}) });
  const call = (toolCallId: string, more: object) => ({ sessionUpdate: 'tool_call_update', toolCallId, ...more });
  let release: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (release = resolve));
  playsTurns(agent, async () => {
    agent.update(call('a', { title: 'Alpha', status: 'in_progress', capabilities: { cancel: {} } }));
    agent.update(call('b', { title: 'Beta', status: 'paused' }));
    agent.update(call('c', { title: 'Gamma', status: 'meditating' }));
    await over;
  });
  const done = t.prompt('go');
  await t.page.sees({ role: 'article', name: 'Tool call: Beta', hasText: 'paused' });
  await t.page.sees({ role: 'article', name: 'Tool call: Gamma', hasText: 'in progress' });
  await t.page.click({ role: 'button', name: 'Stop this tool call' });
  assert.deepEqual(await paramsOf(agent, 'tool_call/cancel'), { sessionId: 's1', toolCallId: 'a' });
  agent.update(call('a', { status: 'cancelled' }));
  await t.page.sees({ role: 'article', name: 'Tool call: Alpha', hasText: 'cancelled' });
  await t.page.misses({ role: 'button', name: 'Stop this tool call' });
  release();
  await done;
});

row('U18', "shows an agent's command by byte, whole output, end, and stop", async (t) => {
  const agent = await openSecond(t, { 'terminal/cancel': () => ({}) });
  const terminal = (more: object) => ({ sessionUpdate: 'terminal_update', terminalId: 't', ...more });
  const chunk = (bytes: Uint8Array) => ({
    sessionUpdate: 'terminal_output_chunk',
    terminalId: 't',
    data: base64(bytes),
  });
  const bytes = Buffer.from('schön \u001b[31mrot\u001b[0m');
  const content = [{ type: 'terminal', terminalId: 't' }];
  let release: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (release = resolve));
  playsTurns(agent, async () => {
    agent.update(terminal({}));
    agent.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 't',
      title: 'Run',
      kind: 'execute',
      status: 'in_progress',
      content,
    });
    agent.update(terminal({ command: 'make', capabilities: { cancel: {} } }));
    for (const byte of bytes) agent.update(chunk(Uint8Array.of(byte)));
    await over;
  });
  const done = t.prompt('go');
  await t.page.sees({ role: 'region', name: 'Terminal: make', hasText: 'schön rot' });
  await t.page.click({ role: 'button', name: 'Stop command' });
  assert.deepEqual(await paramsOf(agent, 'terminal/cancel'), { sessionId: 's1', terminalId: 't' });
  agent.update(terminal({ output: { data: base64('all of it') }, exitStatus: { exitCode: -1, signal: null } }));
  agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed' });
  await t.page.sees({ role: 'article', name: 'Tool call: Run', hasText: 'exit -1' });
  await t.page.sees({ role: 'region', name: 'Terminal: make', hasText: 'all of it' });
  release();
  await done;
});

row('U19', "shows a patch's lines, and the files of a patchless diff", async (t) => {
  const agent = await openSecond(t);
  const path = `${t.workspace}/notes.md`;
  const patch = {
    format: 'git_patch',
    text: `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n@@ -7 +7 @@\n-old line\n+new line\n`,
  };
  const moved = { operation: 'move', oldPath: `${t.workspace}/a.txt`, path: `${t.workspace}/b.txt` };
  const call = (toolCallId: string, title: string, diff: object) => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    title,
    kind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', ...diff }],
  });
  await turn(
    t,
    agent,
    call('a', 'With a patch', { changes: [{ operation: 'modify', path }], patch }),
    call('b', 'Without one', { changes: [moved, { operation: 'copy', oldPath: path, path: `${path}.bak` }] }),
  );
  await t.page.sees({ role: 'figure', name: 'Diff: notes.md' });
  await t.page.opens('Without one');
  await t.page.sees({ text: 'Move: a.txt → b.txt' });
  await t.page.sees({ text: 'Copy: notes.md → notes.md.bak' });
});

row('R07', "shows a request's own text about a command or unknown subject", async (t) => {
  const agent = await openSecond(t);
  const asks = (params: object) => agent.result('session/request_permission', { options, ...params });
  const answers: unknown[] = [];
  playsTurns(agent, async () => {
    const subject = { type: 'command', command: 'make all', cwd: '/elsewhere' };
    answers.push(await asks({ title: 'Build it?', description: 'It takes long.', subject }));
    answers.push(await asks({ title: 'Go online?', subject: { type: 'network', host: 'example.com' } }));
  });
  const done = t.prompt('go');
  await t.page.sees({ role: 'group', name: 'Permission: Build it?', hasText: 'It takes long.' });
  await t.page.sees({ role: 'article', name: 'Tool call: Build it?', hasText: 'make all' });
  await t.page.sees({ role: 'group', name: 'Permission: Build it?', hasText: 'Folder: /elsewhere' });
  await t.page.answer('Build it?', 'Allow');
  await t.page.sees({ role: 'article', name: 'Tool call: Go online?', hasText: 'example.com' });
  await t.page.answer('Go online?', 'Reject');
  await done;
  assert.deepEqual(answers, [
    { outcome: { outcome: 'selected', optionId: 'yes' } },
    { outcome: { outcome: 'selected', optionId: 'no' } },
  ]);
});

row('R08', 'answers a withdrawn request as cancelled', async (t) => {
  const agent = await openSecond(t);
  let answer: unknown;
  playsTurns(agent, async () => {
    const id = agent.ask('session/request_permission', { sessionId: 's1', title: 'Sure?', options });
    await t.page.sees({ role: 'group', name: 'Permission: Sure?' });
    agent.send({ method: '$/cancel_request', params: { requestId: id } });
    answer = (await agent.answer(id))['result'];
  });
  await t.prompt('go');
  assert.deepEqual(answer, { outcome: { outcome: 'cancelled' } });
  await t.page.misses({ role: 'group', name: 'Permission: Sure?' });
});

row('M03', 'sends servers with a type in version 2 if supported', async (t) => {
  await t.set('parley.mcpServers', {
    local: { command: 'sh' },
    web: { type: 'http', url: 'https://example.com/mcp' },
    events: { type: 'sse', url: 'https://example.com/sse' },
  });
  const agent = await openSecond(t, introduces({ mcp: { stdio: {} } }));
  const { mcpServers } = (await paramsOf(agent, 'session/new')) as { mcpServers: readonly Params[] };
  const command = String(mcpServers[0]?.['command']);
  assert.ok(isAbsolute(command));
  assert.deepEqual(mcpServers, [{ type: 'stdio', name: 'local', command, args: [], env: [] }]);
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'web: the agent doesn’t support http servers' });
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'events: the agent doesn’t support sse servers' });
});
