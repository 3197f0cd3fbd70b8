// An agent that answers a prompt with many updates: `node floodAgent.mjs UPDATES LINES_PER_WRITE`. The last update is marked.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { updateText } from './updates.mjs';

const updates = Number(process.argv[2]);
const linesPerWrite = Number(process.argv[3]);

function line(message) {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

function updateLine(sessionId, index) {
  const content = { type: 'text', text: updateText(index) };
  return line({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
  });
}

async function write(data) {
  if (!process.stdout.write(data)) await once(process.stdout, 'drain');
}

/** All updates, one buffer per write. Prepared before the measurement, which is about the client and not this agent. */
function prepare(sessionId) {
  const writes = [];
  for (let index = 0; index < updates; index += linesPerWrite) {
    const end = Math.min(index + linesPerWrite, updates);
    let text = '';
    for (let at = index; at < end; at++) text += updateLine(sessionId, at);
    writes.push(Buffer.from(text));
  }
  return writes;
}

let prepared = [];

const results = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': () => {
    prepared = prepare('flood');
    return { sessionId: 'flood' };
  },
  'session/prompt': async () => {
    for (const buffer of prepared) await write(buffer);
    return { stopReason: 'end_turn' };
  },
};

for await (const text of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(text);
  await write(line({ id, result: await results[method](params) }));
}
