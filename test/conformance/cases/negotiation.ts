import assert from 'node:assert/strict';
import { silent } from '../agent';
import { row } from '../row';

row('N01', 'initialize comes first, and nothing before its answer', async (t) => {
  const agent = await t.start({ initialize: () => silent });
  const { id } = await agent.call('initialize');
  await agent.catchUp();
  assert.deepEqual(agent.calls, ['initialize']);
  agent.send({ id, result: { protocolVersion: 1 } });
  await agent.call('session/new');
  assert.deepEqual(agent.calls, ['initialize', 'session/new']);
});

row('N02', 'initialize says who the client is, and names what it serves', async (t) => {
  const agent = await t.open();
  const { params } = await agent.call('initialize');
  const { protocolVersion, clientInfo, clientCapabilities } = params as Record<string, Record<string, unknown>>;
  assert.equal(protocolVersion, 1);
  assert.equal(clientInfo?.['name'], 'parley-acp');
  assert.match(String(clientInfo['version']), /^\d+\.\d+\.\d+/);
  assert.deepEqual(clientCapabilities?.['fs'], { readTextFile: true, writeTextFile: true });
  assert.equal(clientCapabilities['terminal'], true);
  // What is named must be served: none of it is answered "method not found".
  const methods = ['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'terminal/output'];
  for (const method of [...methods, 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release']) {
    assert.notEqual(await agent.errorCode(method), -32601, method);
  }
  // And what is not served must not be named.
  const served = (await agent.errorCode('elicitation/create')) !== -32601;
  assert.equal('elicitation' in clientCapabilities, served);
});

row('N03', 'an answer with another version ends the process and says so', async (t) => {
  const agent = await t.start({ initialize: () => ({ protocolVersion: 3 }) });
  await t.page.sees({ role: 'alert', hasText: 'share no protocol version' });
  await agent.ended;
  assert.deepEqual(agent.calls, ['initialize']);
});

row('N08', 'a fresh profile asks for version 1', async (t) => {
  const agent = await t.open();
  assert.equal(((await agent.call('initialize'))['params'] as { protocolVersion: number }).protocolVersion, 1);
});

row('N09', 'an answer that names nothing but the version is enough to chat', async (t) => {
  const agent = await t.open({ initialize: () => ({ protocolVersion: 1 }) });
  await t.turn(agent, ({ say }) => say('minimal and well'));
  await t.page.sees({ text: 'minimal and well' });
});

row('N10', 'what an agent does not advertise is never used', async (t) => {
  const agent = await t.open({ initialize: () => ({ protocolVersion: 1 }) });
  await t.turn(agent);
  const played = t.turn(agent, async () => {
    await t.cancel();
    await agent.call('session/cancel');
    return 'cancelled';
  });
  await played;
  await t.close();
  await agent.ended;
  assert.deepEqual(new Set(agent.calls), new Set(['initialize', 'session/new', 'session/prompt', 'session/cancel']));
  const { params } = agent.heard.find(({ method }) => method === 'session/new')!;
  assert.deepEqual(Object.keys(params as object).sort(), ['cwd', 'mcpServers']);
  for (const { method, params: sent } of agent.heard) {
    if (method !== 'session/prompt') continue;
    const types = (sent as { prompt: { type: string }[] }).prompt.map(({ type }) => type);
    assert.deepEqual(types, ['text']);
  }
});

row('N11', 'an agent that is silent need not be waited for', async (t) => {
  const agent = await t.start({ initialize: () => silent });
  await agent.call('initialize');
  await t.page.click({ role: 'button', name: 'Cancel', exact: true });
  await t.page.sees({ text: 'was cancelled' });
  await agent.ended;
});
