import assert from 'node:assert/strict';
import type { Params, ScriptedAgent } from '../agent';
import { isAlive, until } from '../case';
import { withoutTerminalsName } from '../connections';
import { row } from '../row';

/** Starts a command and returns what the other methods name it by. */
async function create(agent: ScriptedAgent, params: Params): Promise<{ terminalId: string }> {
  return (await agent.result('terminal/create', params)) as { terminalId: string };
}

/** A program of Node's, without a shell between. */
const node = (source: string, ...args: string[]) => ({ command: process.execPath, args: ['-e', source, ...args] });

/** Waits until the output holds the pattern. */
async function output(agent: ScriptedAgent, terminal: Params, pattern: RegExp): Promise<Params> {
  for (;;) {
    const seen = await agent.result('terminal/output', terminal);
    if (pattern.test(String(seen['output']))) return seen;
  }
}

/** The longest end of a text that fits into so many bytes and is whole characters. */
function tail(text: string, limit: number): string {
  const characters = Array.from(text);
  while (Buffer.byteLength(characters.join('')) > limit) characters.shift();
  return characters.join('');
}

row('X01', 'returns a terminal while its command runs', async (t) => {
  const agent = await t.open();
  const terminal = await create(agent, { command: 'sleep', args: ['60'] });
  assert.equal(typeof terminal.terminalId, 'string');
  assert.deepEqual((await agent.result('terminal/output', terminal))['exitStatus'] ?? null, null);
});

row('X02', 'returns the output so far, and the exit once known', async (t) => {
  const agent = await t.open();
  const terminal = await create(agent, node(`console.log('first'); setTimeout(() => process.exit(3), 400)`));
  const before = await output(agent, terminal, /first/);
  assert.equal(before['truncated'], false);
  assert.equal(before['exitStatus'] ?? undefined, undefined);
  await agent.result('terminal/wait_for_exit', terminal);
  const after = await agent.result('terminal/output', terminal);
  assert.equal((after['exitStatus'] as Params)['exitCode'], 3);
});

row('X03', 'several requests may wait for the exit, before and after it', async (t) => {
  const agent = await t.open();
  const terminal = await create(agent, node('setTimeout(() => process.exit(5), 200)'));
  const waits = [1, 2].map(() => agent.ask('terminal/wait_for_exit', { sessionId: 's1', ...terminal }));
  for (const id of waits) assert.equal(((await agent.answer(id))['result'] as Params)['exitCode'], 5);
  assert.equal((await agent.result('terminal/wait_for_exit', terminal))['exitCode'], 5);
});

row('X04', 'a killed command keeps its id and reports the signal', async (t) => {
  const agent = await t.open();
  const terminal = await create(agent, node(`console.log('up'); setInterval(() => {}, 1e6)`));
  await output(agent, terminal, /up/);
  assert.deepEqual(await agent.result('terminal/kill', terminal), {});
  const exit = await agent.result('terminal/wait_for_exit', terminal);
  assert.equal(exit['exitCode'] ?? null, null);
  assert.match(String(exit['signal']), /^SIG/);
  assert.match(String((await agent.result('terminal/output', terminal))['output']), /up/);
  assert.deepEqual(await agent.result('terminal/kill', terminal), {});
});

row('X05', 'releasing ends the command, answers waiting requests, and removes the id', async (t) => {
  const agent = await t.open();
  const terminal = await create(agent, node('console.log(String(process.pid)); setInterval(() => {}, 1e6)'));
  const pid = Number(/\d+/.exec(String((await output(agent, terminal, /\d+\r?\n/))['output']))?.[0]);
  const waiting = agent.ask('terminal/wait_for_exit', { sessionId: 's1', ...terminal });
  await agent.catchUp();
  assert.deepEqual(await agent.result('terminal/release', terminal), {});
  assert.ok('id' in (await agent.answer(waiting)));
  await until(() => !isAlive(pid));
  for (const method of ['output', 'wait_for_exit', 'kill', 'release']) {
    assert.notEqual(await agent.errorCode(`terminal/${method}`, terminal), undefined, method);
  }
});

row('X06', 'keeps the end within the byte limit, in whole characters', async (t) => {
  const agent = await t.open();
  const text = 'aé東🙂b';
  for (let limit = 0; limit <= 12; limit++) {
    const params = { ...node(`process.stdout.write('${text}')`), outputByteLimit: limit };
    const terminal = await create(agent, params);
    await agent.result('terminal/wait_for_exit', terminal);
    const seen = await agent.result('terminal/output', terminal);
    assert.equal(seen['output'], tail(text, limit), `limit ${limit}`);
    assert.equal(seen['truncated'], limit < Buffer.byteLength(text), `limit ${limit}`);
  }
});

row('X07', 'passes arguments, variables, and folder to a command', async (t) => {
  const agent = await t.open();
  const source = `console.log(JSON.stringify([process.argv.slice(1), process.env.CONFORMANCE, process.cwd()]) + '.')`;
  const args = ['two words', '', '$HOME', '"quoted"'];
  const env = [{ name: 'CONFORMANCE', value: 'a value' }];
  const run = async (params: Params): Promise<unknown> => {
    const terminal = await create(agent, params);
    const shown = await output(agent, terminal, /\]\./);
    return JSON.parse(/\[.*\]/.exec(String(shown['output']).replace(/\r?\n/g, ''))![0]);
  };
  assert.deepEqual(await run({ ...node(source, ...args), env }), [args, 'a value', t.workspace]);
  assert.deepEqual(await run({ ...node(source), env: null, cwd: '/' }), [[], null, '/']);
});

row('X08', 'runs a whole shell line without arguments in a shell', async (t) => {
  const agent = await t.open();
  for (const args of [{}, { args: [] }, { args: null }]) {
    const terminal = await create(agent, { command: 'echo a && echo "b c" | tr b d', ...args });
    assert.equal((await agent.result('terminal/wait_for_exit', terminal))['exitCode'], 0);
    const { output: text } = await agent.result('terminal/output', terminal);
    assert.equal(text, 'a\nd c\n');
  }
});

row('X09', 'answers an unknown terminal with an error', async (t) => {
  const agent = await t.open();
  for (const method of ['output', 'wait_for_exit', 'kill', 'release']) {
    const code = await agent.errorCode(`terminal/${method}`, { terminalId: 'nobody' });
    assert.ok(code === -32002 || code === -32602, `${method}: ${String(code)}`);
  }
});

row('X10', "stops a command's children with it, and all with the session", async (t) => {
  const agent = await t.open();
  await t.openAnother(agent);
  const line = { sessionId: 's2', command: 'sleep 1000 & echo "pid $! $$"; wait', args: [] };
  const start = async (): Promise<{ terminal: Params; pids: number[] }> => {
    const terminal = { sessionId: 's2', ...(await create(agent, line)) };
    const seen = await output(agent, terminal, /pid \d+ \d+/);
    return { terminal, pids: /pid (\d+) (\d+)/.exec(String(seen['output']))!.slice(1).map(Number) };
  };
  const killed = await start();
  await agent.result('terminal/kill', killed.terminal);
  await until(() => !killed.pids.some(isAlive));
  const left = await start();
  assert.ok(left.pids.every(isAlive));
  await t.close();
  await until(() => !left.pids.some(isAlive));
  const notFound = await agent.errorCode('terminal/output', left.terminal);
  assert.notEqual(notFound, undefined);
});

row('X11', "explains which command can't start", async (t) => {
  const agent = await t.open();
  const answer = await agent.request('terminal/create', { command: '/no/such/command', args: ['x'] });
  assert.match(JSON.stringify(answer['error']), /no\/such\/command/);
  assert.ok(await agent.errorCode('terminal/create', { command: 'true', args: ['x'], cwd: '/no/such/folder' }));
});

row('X12', 'tells an agent without terminals and refuses its requests', async (t) => {
  const agent = await t.start({}, { agent: withoutTerminalsName });
  const { params } = await agent.call('initialize');
  const { clientCapabilities } = params as { clientCapabilities: Readonly<Record<string, unknown>> };
  assert.equal(clientCapabilities['terminal'], false);
  assert.deepEqual(clientCapabilities['fs'], { readTextFile: true, writeTextFile: true });
  await agent.call('session/new');
  await agent.catchUp();
  assert.equal(await agent.errorCode('terminal/create', { command: 'true', args: [] }), -32601);
  for (const method of ['output', 'wait_for_exit', 'kill', 'release']) {
    assert.equal(await agent.errorCode(`terminal/${method}`, { terminalId: 't1' }), -32601, method);
  }
  assert.equal(await agent.errorCode('fs/read_text_file', { path: `${t.workspace}/missing` }), -32002);
});
