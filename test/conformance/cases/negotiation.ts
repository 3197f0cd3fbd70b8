import assert from 'node:assert/strict';
import { silent, type ScriptedAgent } from '../agent';
import { row } from '../row';
import { introduces } from '../second';

row('N01', 'sends initialize first and waits for its response', async (t) => {
  const agent = await t.start({ initialize: () => silent });
  const { id } = await agent.call('initialize');
  await agent.catchUp();
  assert.deepEqual(agent.calls, ['initialize']);
  agent.send({ id, result: { protocolVersion: 1 } });
  await agent.call('session/new');
  assert.deepEqual(agent.calls, ['initialize', 'session/new']);
});

row('N02', 'identifies the client and its capabilities in initialize', async (t) => {
  const agent = await t.open();
  const { params } = await agent.call('initialize');
  const { protocolVersion, clientInfo, clientCapabilities } = params as Record<string, Record<string, unknown>>;
  assert.equal(protocolVersion, 1);
  assert.equal(clientInfo?.['name'], 'parley-acp');
  assert.match(String(clientInfo['version']), /^\d+\.\d+\.\d+/);
  // The rows of each show that it is true.
  assert.deepEqual(clientCapabilities, {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {}, promptSuggestions: {} },
    auth: { terminal: true, _meta: { gateway: true } },
    elicitation: { form: {}, url: {} },
    plan: {},
    subagents: {},
    _meta: { terminal_output: true, 'terminal-auth': true },
  });
  // What is named must be served: none of it is answered "method not found".
  const methods = ['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'terminal/output'];
  for (const method of [...methods, 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release']) {
    assert.notEqual(await agent.errorCode(method), -32601, method);
  }
  assert.equal(await agent.errorCode('elicitation/create'), -32602);
});

row('N03', 'stops an agent with another version and reports it', async (t) => {
  const agent = await t.start({ initialize: () => ({ protocolVersion: 3 }) });
  await t.page.sees({ role: 'alert', hasText: 'have no protocol version in common' });
  await agent.ended;
  assert.deepEqual(agent.calls, ['initialize']);
});

row('N08', 'requests version 1 with default settings', async (t) => {
  const agent = await t.open();
  const versionOf = async (one: ScriptedAgent) =>
    ((await one.call('initialize'))['params'] as { protocolVersion: number }).protocolVersion;
  assert.equal(await versionOf(agent), 1);
  await t.close();
  await agent.ended;
  await t.set('parley.protocolVersion', 'auto');
  assert.equal(await versionOf(await t.open(introduces())), 2);
});

row('N09', 'chats with an agent that answers only the version', async (t) => {
  const agent = await t.open({ initialize: () => ({ protocolVersion: 1 }) });
  await t.turn(agent, ({ say }) => say('minimal and well'));
  await t.page.sees({ text: 'minimal and well' });
});

row('N11', "a silent agent's start can be cancelled", async (t) => {
  const agent = await t.start({ initialize: () => silent });
  await agent.call('initialize');
  await t.page.click({ role: 'button', name: 'Cancel', exact: true });
  await t.page.sees({ text: 'Cancelled starting' });
  await agent.ended;
});
