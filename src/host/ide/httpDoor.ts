import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IDisposable } from '../../shared/values/disposable';

/** Serves the requests of one guest. */
export interface Guest {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** A guest's way in. Disposing of it ends its open requests and makes the token worthless. */
export interface Admission extends IDisposable {
  readonly url: string;
  readonly token: string;
}

interface Admitted {
  readonly digest: Buffer;
  readonly guest: Guest;
  readonly open: Set<ServerResponse>;
}

const path = '/mcp';
/** Maximum size of a request, in bytes. */
const mostBytes = 4 * 1024 * 1024;

/**
 * A web server on the loopback interface. Each guest has a token of 256 bits. Browsers are refused: requests with an
 * `Origin`, or with a `Host` that isn't this server's own address, as after DNS rebinding.
 */
export class HttpDoor implements IDisposable {
  private readonly server: Server;
  private readonly admitted = new Set<Admitted>();
  readonly port: number;

  private constructor(server: Server) {
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async open(): Promise<HttpDoor> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    // Agents keep connections open, and the window must be able to close.
    server.unref();
    return new HttpDoor(server);
  }

  admit(guest: Guest): Admission {
    const token = randomBytes(32).toString('base64url');
    const entry: Admitted = { digest: digestOf(token), guest, open: new Set() };
    this.admitted.add(entry);
    return { url: `http://127.0.0.1:${this.port}${path}`, token, dispose: () => this.dismiss(entry) };
  }

  dispose(): void {
    for (const entry of this.admitted) this.dismiss(entry);
    this.server.close();
    this.server.closeAllConnections();
  }

  private dismiss(entry: Admitted): void {
    this.admitted.delete(entry);
    for (const response of entry.open) response.destroy();
    entry.guest.close().catch(() => undefined);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.refusalOf(request);
    const entry = refusal === undefined ? this.find(request.headers.authorization) : undefined;
    if (!entry) {
      response.writeHead(refusal ?? 401, { connection: 'close' }).end();
      return;
    }
    entry.open.add(response);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const answer = await entry.guest.fetch(requestOf(request, this.port, gone.signal));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      // The listener gets the head of a stream before its first event.
      response.flushHeaders();
      if (answer.body) await pipeline(Readable.from(answer.body), response);
      else response.end();
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    } finally {
      entry.open.delete(response);
    }
  }

  private refusalOf({ headers, url }: IncomingMessage): number | undefined {
    const hosts = [`127.0.0.1:${this.port}`, `localhost:${this.port}`];
    if (headers.origin !== undefined || !hosts.includes(headers.host ?? '')) return 403;
    if (url !== path) return 404;
    return Number(headers['content-length'] ?? 0) > mostBytes ? 413 : undefined;
  }

  /** Compares with every token, so that the time says nothing about any of them. */
  private find(authorization = ''): Admitted | undefined {
    const given = digestOf(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? '');
    let found: Admitted | undefined;
    for (const entry of this.admitted) if (timingSafeEqual(entry.digest, given)) found = entry;
    return found;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function requestOf(request: IncomingMessage, port: number, signal: AbortSignal): Request {
  const { method = 'GET' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token has done its work, and nothing behind the door needs it.
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
  });
}
