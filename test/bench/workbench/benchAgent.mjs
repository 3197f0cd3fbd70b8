// @ts-check
// An agent that produces expensive updates on demand: many chunks at once or at intervals, many diffs, and many turns.
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const paragraph = `## A heading about the change

The client now retries with *exponential backoff* and **jitter**. Each attempt waits twice as long as the one before it,
up to a limit, and \`Retry-After\` wins over both. See [the guide](https://example.com/guide) for why.

- The first attempt goes out at once
- The second waits between 250 and 500 ms
  - and says so in the log
- The third gives up when the server said no

\`\`\`ts
export async function retry<T>(work: () => Promise<T>, attempts = 4): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(); // the usual case
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}
\`\`\`

| attempt | waits | in all |
| --- | ---: | ---: |
| 1 | 0 ms | 0 ms |
| 2 | 375 ms | 375 ms |

`;
const chunkLength = 24;
const frameMs = 1000 / 60;

/** @param {number} count */
function* markdown(count) {
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const text = (paragraph + paragraph).slice(at, at + chunkLength);
    at = (at + chunkLength) % paragraph.length;
    yield text;
  }
}

/** @param {object} message */
async function send(message) {
  if (!process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)) await once(process.stdout, 'drain');
}

/** @param {string} sessionId @param {object} update */
const update = (sessionId, update) => send({ method: 'session/update', params: { sessionId, update } });

/** @param {string} sessionId @param {string} text */
const chunk = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** The agent's clock in milliseconds since the epoch, with fractions. */
const now = () => performance.timeOrigin + performance.now();

/** @type {Record<string, (sessionId: string, count: number) => Promise<void>>} */
const commands = {
  async chunks(sessionId, count) {
    for (const text of markdown(count)) await chunk(sessionId, text);
  },
  async raw(sessionId, count) {
    for (let index = 0; index < count; index += 1) await chunk(sessionId, 'plain words of text here ');
  },
  async paced(sessionId, count) {
    const start = performance.now();
    for (let index = 0; index < count; index += 1) {
      // Screens are drawn 60 times a second, too, so the chunks are spread over all phases of a frame. Otherwise, the result would be random.
      const drift = (Math.abs((index % 300) - 150) / 150) * frameMs;
      await delay(Math.max(0, start + frameMs * index + drift - performance.now()));
      // Paragraphs of a few sentences, as agents write them.
      await chunk(sessionId, `clock:${now().toFixed(2)}; ${index % 30 === 29 ? '\n\n' : ''}`);
    }
  },
  async diffs(sessionId, count) {
    for (let index = 0; index < count; index += 1) {
      const oldText = Array.from({ length: 80 }, (_, line) => `const value${line} = compute(${line}, ${index});`).join(
        '\n',
      );
      const newText = oldText.replaceAll(/compute\((\d*[05]),/g, 'computeBetter($1,');
      await update(sessionId, {
        sessionUpdate: 'tool_call',
        toolCallId: `diff-${Date.now()}-${index}`,
        title: `Edit file${index}.ts`,
        kind: 'edit',
        status: 'completed',
        locations: [{ path: `/bench/src/file${index}.ts`, line: 1 }],
        content: [{ type: 'diff', path: `/bench/src/file${index}.ts`, oldText, newText }],
      });
    }
  },
  /** As Claude and Codex report their edits: each call in three updates, with a file outside the workspace and a diff of 40 lines. */
  async calls(sessionId, count) {
    for (let index = 0; index < count; index += 1) {
      const toolCallId = `call-${Date.now()}-${index}`;
      const path = `/bench/outside/file${index}.ts`;
      const oldText = Array.from({ length: 40 }, (_, line) => `const value${line} = compute(${line}, ${index});`).join(
        '\n',
      );
      const newText = oldText.replaceAll(/compute\((\d*[05]),/g, 'computeBetter($1,');
      const call = { toolCallId, title: `Edit file${index}.ts`, kind: 'edit', locations: [{ path, line: 1 }] };
      await update(sessionId, { sessionUpdate: 'tool_call', ...call, status: 'pending' });
      await update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
      const content = [{ type: 'diff', path, oldText, newText }];
      await update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
    }
  },
  /** Changes that many lines of big.ts directly on disk. */
  async changes(_sessionId, count) {
    const file = join(folder, 'big.ts');
    const lines = readFileSync(file, 'utf8').split('\n');
    const step = Math.floor(lines.length / count);
    writeFileSync(file, lines.map((line, at) => (at % step === 7 ? `${line} // changed` : line)).join('\n'));
  },
  /** Writes that many new files. */
  async files(_sessionId, count) {
    for (let index = 0; index < count; index += 1)
      writeFileSync(join(folder, `file${index}.ts`), 'a line\n'.repeat(40));
  },
  /** Creates that many new files in new folders. */
  async made(_sessionId, count) {
    for (let index = 0; index < count; index += 1) {
      const parent = join(folder, 'made', `part${index % 20}`);
      mkdirSync(parent, { recursive: true });
      writeFileSync(join(parent, `file${index}.ts`), `export const value = ${index};\n`.repeat(20));
    }
  },
  async turns(sessionId, count) {
    const stamp = Date.now();
    for (let index = 0; index < count; index += 1) {
      const messageId = `${stamp}-${index}`;
      const content = { type: 'text', text: `Question ${index}: what does this function do?` };
      await update(sessionId, { sessionUpdate: 'user_message_chunk', messageId: `u${messageId}`, content });
      await update(sessionId, {
        sessionUpdate: 'tool_call',
        toolCallId: `read-${messageId}`,
        title: `Read file${index}.ts`,
        kind: 'read',
        status: 'completed',
        locations: [{ path: `/bench/src/file${index}.ts` }],
      });
      const answer = { type: 'text', text: paragraph };
      await update(sessionId, { sessionUpdate: 'agent_message_chunk', messageId: `a${messageId}`, content: answer });
    }
  },
};

let sessions = 0;
let folder = '';
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const agentCapabilities = { loadSession: true, sessionCapabilities: { list: {} } };
    await send({
      id,
      result: { protocolVersion: 1, agentInfo: { name: 'bench', version: '1.0.0' }, agentCapabilities },
    });
  } else if (method === 'session/list') {
    const stored = [1, 2, 3, 4, 5].map((at) => ({ sessionId: `kept-${at}`, cwd: params.cwd, title: `Kept ${at}` }));
    await send({ id, result: { sessions: stored } });
  } else if (method === 'session/load') {
    await commands['turns']?.(params.sessionId, 300);
    await chunk(params.sessionId, `\n\nend-of-${params.sessionId}`);
    await send({ id, result: {} });
  } else if (method === 'session/new') {
    sessions += 1;
    folder = params.cwd;
    await send({ id, result: { sessionId: `bench-${sessions}` } });
  } else if (method === 'session/prompt') {
    const text = params.prompt.map((/** @type {{ text?: string }} */ block) => block.text ?? '').join('');
    const [name, count, mark] = text.trim().split(/\s+/);
    await commands[name]?.(params.sessionId, Number(count));
    await chunk(params.sessionId, `\n\nlast:${now().toFixed(2)}; end-of-${mark}`);
    await send({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) {
    await send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
