// @ts-check
// An agent that calls the editor's tools on demand and answers with the times as JSON.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Number of calls of each tool. */
const times = 100;
/** Number of problems in the workspace. */
const wanted = Number(process.env['BENCH_PROBLEMS']);

/** @param {object} message */
const send = (message) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** @type {{ url: string, headers: { name: string, value: string }[] } | undefined} */
let server;

/** @param {string} method @param {object} [params] */
async function request(method, params = {}) {
  if (!server) throw new Error('The session has no MCP server.');
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(server.headers.map(({ name, value }) => [name, value])),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}')).result;
}

/** @param {string} name @param {object} [args] */
const call = (name, args = {}) => request('tools/call', { name, arguments: args });

/** @param {() => Promise<unknown>} work @returns {Promise<number[]>} milliseconds */
async function measured(work) {
  const result = [];
  for (let time = 0; time < times; time += 1) {
    const start = performance.now();
    await work();
    result.push(performance.now() - start);
  }
  return result;
}

/** Resolves when the language service has reported the problems of all files. */
async function settled() {
  // The language service checks the project of a shown file.
  await call('openFile', { path: 'src/file1.ts' });
  const end = performance.now() + 240_000;
  for (;;) {
    const { structuredContent } = await call('getDiagnostics');
    if (structuredContent.total >= wanted && structuredContent.settled) return;
    if (performance.now() > end) throw new Error(`Only ${structuredContent.total} problems were reported.`);
    await delay(500);
  }
}

async function measure() {
  await settled();
  return {
    list: await measured(() => request('tools/list')),
    file: await measured(() => call('getDiagnostics', { path: 'src/file1.ts' })),
    all: await measured(() => call('getDiagnostics')),
  };
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    send({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } } });
  } else if (method === 'session/new') {
    [server] = params.mcpServers;
    send({ id, result: { sessionId: 'bench' } });
  } else if (method === 'session/prompt') {
    const text = await measure().then(
      (found) => `measured ${JSON.stringify(found)} end`,
      (error) => `failed ${String(error)} end`,
    );
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    send({ method: 'session/update', params: { sessionId: params.sessionId, update } });
    send({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
