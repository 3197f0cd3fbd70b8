// @ts-check
import { createServer } from 'node:http';
import { once } from 'node:events';
import { anthropic, gemini, openai, responses } from './modelDialects.mjs';

/**
 * The model's next step: its answer with what that cost, or a failure.
 * @typedef {{ text?: string, calls?: { name: string, input: Record<string, unknown>, namespace?: string }[],
 *   failure?: { status: number, message: string }, tokens?: { input: number, cached: number, output: number } }} ModelStep
 *
 * An agent's request to its model: the user's last message, the number of rounds of tool results since, the text of the
 * last round, and the names of the available tools (none for side tasks such as titles).
 * @typedef {{ prompt: string, rounds: number, result: string, tools: string[] }} ModelRequest
 *
 * @typedef {(request: ModelRequest, body: string) => ModelStep | Promise<ModelStep>} ModelScript
 */

/** What each API says when its model can't answer. @type {Record<number, string>} */
const errorTypes = { 429: 'rate_limit_error', 500: 'api_error', 529: 'overloaded_error' };

/**
 * @param {{ status: number, message: string }} failure
 * @param {import('node:http').ServerResponse} response
 */
function refuse({ status, message }, response) {
  response.writeHead(status, { 'content-type': 'application/json' });
  const type = errorTypes[status] ?? 'invalid_request_error';
  response.end(JSON.stringify({ type: 'error', error: { type, code: status, message } }));
}

/**
 * A scripted model on loopback with the four APIs that the tested agents use: Anthropic messages, Gemini content
 * generation, OpenAI responses, and OpenAI chat completions. Streams text word by word.
 * @param {ModelScript} script
 */
export async function startModelServer(script) {
  /** @type {{ path: string, request?: ModelRequest, step?: ModelStep, body?: string }[]} */
  const seen = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      const read = async () => answer(path, body === '' ? {} : JSON.parse(body), response, body);
      read().catch((error) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: String(error) } }));
      });
    });
  });

  /**
   * @param {string} path
   * @param {any} body
   * @param {import('node:http').ServerResponse} response
   * @param {string} text the body as it was sent
   */
  async function answer(path, body, response, text) {
    const dialect = [anthropic, gemini, responses, openai].find((candidate) => candidate.serves(path));
    if (!dialect) {
      seen.push({ path });
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{}');
      return;
    }
    const side = dialect.side(path);
    if (side !== undefined) {
      seen.push({ path });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(side));
      return;
    }
    const read = dialect.read(body);
    const step = read.tools.length === 0 ? { text: 'A scripted title' } : await script(read, text);
    seen.push({ path, request: read, step, body: text });
    if (step.failure) refuse(step.failure, response);
    else dialect.write(step, body, path, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
