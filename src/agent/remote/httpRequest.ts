import type * as Http from 'node:http';
import type * as Https from 'node:https';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { compact } from '../../shared/values/decodeValue';
import type { RemoteTarget } from './remoteTarget';

/**
 * VS Code adds its proxy and certificate settings to these modules if they are loaded with `require` and by these names. The built-in
 * `fetch` isn't an alternative, because it ends a stream that is silent for 300 seconds.
 */
// oxlint-disable-next-line typescript/no-require-imports
const http = require('http') as typeof Http;
// oxlint-disable-next-line typescript/no-require-imports
const https = require('https') as typeof Https;

export interface OpenRequest {
  readonly request: ClientRequest;
  /** Resolves when the status and the headers have arrived; rejects with the network's error. */
  readonly response: Promise<IncomingMessage>;
}

/** Sends one request with the target's headers and cookies, and stores the cookies of its response. */
export function sendRequest(
  target: RemoteTarget,
  method: 'GET' | 'POST' | 'DELETE',
  headers: OutgoingHttpHeaders,
  body?: string,
): OpenRequest {
  const url = new URL(target.url);
  const cookie = target.cookies.header(url);
  const { request: open } = url.protocol === 'https:' ? https : http;
  const request = open(url, {
    method,
    headers: { ...target.headers, ...headers, ...compact({ Cookie: cookie }) },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', (answer) => {
      target.cookies.store(url, answer.headers['set-cookie']);
      // An error after this ends the body, where it is handled.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    // The listener stays: a late error without one would end the extension host.
    request.on('error', reject);
  });
  response.catch(() => undefined);
  request.setSocketKeepAlive(true, 15_000);
  request.end(body);
  return { request, response };
}

/** Reads a body up to `limit` bytes; longer ones are cut. Rejects if the body isn't complete. */
export async function readBody(response: IncomingMessage, limit: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > limit) break;
  }
  return Buffer.concat(parts).toString('utf8').slice(0, limit);
}
