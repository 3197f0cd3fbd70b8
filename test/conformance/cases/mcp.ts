import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedAgent } from '../agent';
import { agentName, instructedAgentName } from '../connections';
import { row } from '../row';

const word = 'mcp-token-0123456789';

async function opened(agent: ScriptedAgent, method = 'session/new', count = 1) {
  const { params } = await agent.call(method, count);
  return (params as { mcpServers: readonly Record<string, unknown>[] }).mcpServers;
}

const initialize = (agentCapabilities: object) => ({
  initialize: () => ({ protocolVersion: 1, agentCapabilities }),
});

row('M01', 'sends programs without type, by absolute path, after consent', async (t) => {
  const file = join(t.workspace, '.vscode', 'mcp.json');
  await mkdir(join(t.workspace, '.vscode'), { recursive: true });
  const noted = { type: 'stdio', command: 'env', args: ['${input:level}'], env: { TOKEN: '${input:token}' } };
  const inputs = [
    { type: 'promptString', id: 'token', description: 'Token of the notes', password: true },
    { type: 'pickString', id: 'level', description: 'Which level?', options: ['low', 'high'] },
  ];
  await writeFile(file, `// Mine\n${JSON.stringify({ servers: { noted }, inputs })}`);
  try {
    await t.set('parley.mcpServers', { plain: { command: 'sh' }, gone: { command: 'no-such-server' } });
    const agent = await t.start();
    await agent.call('initialize');
    // The question is in the chat, and the session waits for it.
    await t.page.sees({
      role: 'group',
      name: 'Permission: MCP servers from mcp.json',
      hasText: 'use this MCP server',
    });
    await t.page.sees({ role: 'article', hasText: 'Environment variable: TOKEN=${input:token}' });
    await t.page.answer('MCP servers from mcp.json', 'Allow');
    await t.editor.picks('low');
    assert.equal(await t.editor.enters('Token of the notes', word), 'password');
    const [plain, other, ...more] = await opened(agent);
    assert.ok(isAbsolute(String(plain?.['command'])));
    assert.deepEqual(plain, { name: 'plain', command: plain?.['command'], args: [], env: [] });
    assert.deepEqual(other, {
      name: 'noted',
      command: other?.['command'],
      args: ['low'],
      env: [{ name: 'TOKEN', value: word }],
    });
    assert.match(String(other['command']), /^\/.*\/env$/);
    assert.deepEqual(more, []);
    await t.page.sees({ role: 'article', name: 'Notice', hasText: 'gone: program no-such-server wasn’t found' });
    // Neither question comes again.
    await t.openAnother(agent);
    assert.deepEqual(await opened(agent, 'session/new', 2), [plain, other]);
    const spared = await t.start({}, { agent: instructedAgentName, cwd: '/' });
    assert.deepEqual(await opened(spared), []);
    const log = await t.editor.protocolLog(agentName);
    assert.match(log, /"noted"/);
    assert.ok(!log.includes(word));
  } finally {
    await rm(file);
    await vscode.commands.executeCommand('parley.mcp.forgetAnswers');
  }
});

row('M02', 'sends other transports to supporting agents and reports skipped ones', async (t) => {
  await t.set('parley.mcpServers', {
    web: { type: 'http', url: 'https://mcp.example/web', headers: { 'X-Key': 'k' } },
    events: { type: 'sse', url: 'https://mcp.example/events' },
  });
  const headers = [{ name: 'X-Key', value: 'k' }];
  const web = { type: 'http', name: 'web', url: 'https://mcp.example/web', headers };
  const events = { type: 'sse', name: 'events', url: 'https://mcp.example/events', headers: [] };
  const both = await t.open(initialize({ mcpCapabilities: { http: true, sse: true } }));
  const [editor] = (await opened(both)).slice(-1);
  assert.deepEqual(await opened(both), [web, events, editor]);
  // Parley's own server comes last.
  assert.equal(editor?.['name'], 'editor');
  const url = String(editor['url']);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  // Its token is in no log and no process, and ends with the session.
  const [{ value: authorization = '' } = {}] = editor['headers'] as readonly { readonly value?: string }[];
  const token = authorization.replace('Bearer ', '');
  assert.ok(token.length > 40 && !(await t.editor.protocolLog(agentName)).includes(token));
  assert.ok(!JSON.stringify(both.hello).includes(token));
  const post = async () => (await fetch(url, { method: 'POST', headers: { authorization }, body: '{}' })).status;
  assert.notEqual(await post(), 401);
  await t.close();
  assert.equal(await post(), 401);
  const one = await t.open(initialize({ mcpCapabilities: { http: true } }));
  assert.deepEqual((await opened(one)).slice(0, -1), [web]);
  const words = 'events: the agent doesn’t support sse servers';
  await t.page.sees({ role: 'article', name: 'Notice', hasText: words });
  await t.close();
  const none = await t.open(initialize({}));
  assert.deepEqual(await opened(none), []);
  await t.page.sees({ role: 'article', name: 'Notice', hasText: '2 MCP servers were skipped' });
});

row('M04', 'sends the servers again when reopening a session', async (t) => {
  await t.set('parley.mcpServers', { plain: { command: '/bin/sh', args: ['-c', 'cat'] } });
  const servers = [{ name: 'plain', command: '/bin/sh', args: ['-c', 'cat'], env: [] }];
  for (const [method, can] of [
    ['session/resume', { sessionCapabilities: { resume: {} } }],
    ['session/load', { loadSession: true }],
  ] as const) {
    const agent = await t.open(initialize(can));
    assert.deepEqual(await opened(agent), servers);
    await t.turn(agent, ({ say }) => say('before the end'));
    const next = t.nextAgent({ ...initialize(can), [method]: () => ({}) });
    agent.act({ exit: 1 });
    await t.page.startsAgain();
    assert.deepEqual(await opened(await next, method), servers);
    await t.close();
  }
});

row('M05', "offers the editor's tools through the agent's own connection", async (t) => {
  const agent = await t.open(initialize({ mcpCapabilities: { acp: true } }));
  const [server, ...others] = await opened(agent);
  const serverId = String(server?.['serverId']);
  assert.deepEqual([server, ...others], [{ type: 'acp', name: 'editor', serverId }]);
  assert.ok(!(await t.editor.protocolLog(agentName)).includes(serverId));
  const key = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [key('protocolVersion')]: '2026-07-28',
    [key('clientCapabilities')]: {},
    [key('clientInfo')]: { name: 'scripted', version: '1' },
  };
  const ask = (requestId: string, method: string, params = {}, id = serverId) =>
    agent.ask('mcp/message', { serverId: id, requestId, method, params: { ...params, _meta } });
  const inner = async (...sent: Parameters<typeof ask>) =>
    (await agent.answer(ask(...sent)))['result'] as Record<string, Record<string, unknown>>;
  const code = async (...sent: Parameters<typeof ask>) =>
    ((await agent.answer(ask(...sent)))['error'] as Record<string, unknown> | undefined)?.['code'];
  const { result: list } = await inner('1', 'tools/list');
  const names = (list?.['tools'] as { readonly name: string }[]).map(({ name }) => name);
  assert.ok(names.includes('getDiagnostics') && !names.includes('renameSymbol'));
  const { result: called } = await inner('2', 'tools/call', { name: 'readBuffer', arguments: { path: '../x' } });
  assert.equal(called?.['isError'], true);
  // The server's own errors are part of the result.
  assert.equal((await inner('3', 'no/such'))['error']?.['code'], -32601);
  assert.equal(await code('4', 'tools/list', {}, `${serverId}x`), -32602);
  // A subscription stays active, and the server's messages about it are notifications.
  const open = ask('5', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
  const { params } = await agent.call('mcp/message');
  const { method, requestId } = params as Record<string, unknown>;
  assert.deepEqual([method, requestId], ['notifications/subscriptions/acknowledged', '5']);
  assert.equal(await code('5', 'tools/list'), -32602);
  agent.send({ method: '$/cancel_request', params: { requestId: open } });
  assert.equal(((await agent.answer(open))['error'] as Record<string, unknown>)['code'], -32800);
});
