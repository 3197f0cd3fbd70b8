import { randomBytes } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import { asObject, compact } from '../../shared/values/decodeValue';
import { invalidParams, mcpBackendFailed } from '../../acp/base/errors';
import type { McpMessage, McpNotify, McpReply } from '../../session/services';
import type { IDisposable } from '../../shared/values/disposable';
import type { Guest } from './httpDoor';

/** A guest's way in through its agent's own connection. Disposing of it ends its open requests. */
export interface AcpAdmission extends IDisposable {
  /** As hard to guess as a token, because another agent of this window may try it. */
  readonly serverId: string;
}

interface Admitted {
  readonly guest: Guest;
  readonly gone: AbortController;
}

/** Never sent anywhere: the handler wants an HTTP request. */
const address = 'http://127.0.0.1/mcp';
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Serves MCP requests that agents send as `mcp/message` (https://agentclientprotocol.com/rfds/mcp-over-acp). */
export class AcpDoor implements IDisposable {
  private readonly admitted = new Map<string, Admitted>();

  admit(guest: Guest): AcpAdmission {
    const serverId = `editor:${randomBytes(32).toString('base64url')}`;
    const gone = new AbortController();
    this.admitted.set(serverId, { guest, gone });
    return { serverId, dispose: () => this.dismiss(serverId) };
  }

  /** Resolves to the result or the error of the MCP request. Rejects if there is no answer to it. */
  async message(message: McpMessage, notify: McpNotify, signal: AbortSignal): Promise<McpReply> {
    const entry = this.admitted.get(message.serverId);
    if (!entry) throw invalidParams('There is no MCP server with this serverId.', { field: 'serverId' });
    const either = AbortSignal.any([signal, entry.gone.signal]);
    let reply: McpReply | undefined;
    for await (const answer of answersTo(await entry.guest.fetch(requestOf(message, either)))) {
      reply = replyOf(answer) ?? reply;
      if (typeof answer['method'] === 'string') notify(answer['method'], asObject(answer['params']));
    }
    // Its owner knows why there is no reply.
    signal.throwIfAborted();
    if (!reply) throw mcpBackendFailed("The editor's MCP server ended the request without a result.");
    return reply;
  }

  dispose(): void {
    for (const serverId of [...this.admitted.keys()]) this.dismiss(serverId);
  }

  private dismiss(serverId: string): void {
    const entry = this.admitted.get(serverId);
    this.admitted.delete(serverId);
    entry?.gone.abort();
    entry?.guest.close().catch(() => undefined);
  }
}

/** HTTP repeats parts of the body in headers. */
function requestOf({ method, params }: McpMessage, signal: AbortSignal): Request {
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-method': headerOf(method),
  });
  const version = asObject(params?.['_meta'])?.[versionKey];
  if (typeof version === 'string') headers.set('mcp-protocol-version', headerOf(version));
  const name = params?.['name'];
  if (typeof name === 'string') headers.set('mcp-name', headerOf(name));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) });
  return new Request(address, { method: 'POST', headers, body, signal });
}

/** Encodes what a header can't contain as MCP over HTTP does. */
function headerOf(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The messages of a response: one, or a stream of events. */
async function* answersTo(response: Response): AsyncGenerator<Readonly<Record<string, unknown>>> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    yield* messageIn(await response.text());
    return;
  }
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  const body: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
  if (!body) return;
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const data of events.splice(0)) yield* messageIn(data);
  }
}

function* messageIn(text: string): Generator<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // An event without a message, such as a keep-alive.
    return;
  }
  const message = asObject(value);
  if (message) yield message;
}

function replyOf({ result, error }: Readonly<Record<string, unknown>>): McpReply | undefined {
  if (result !== undefined) return { result };
  const { code, message, data } = asObject(error) ?? {};
  if (typeof code !== 'number') return undefined;
  return { error: { code, message: String(message), ...compact({ data }) } };
}
