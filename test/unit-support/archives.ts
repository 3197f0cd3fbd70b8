// Small archives, built by hand because no library creates them: names that leave the folder, links, and special entry types.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32, gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';

export interface ArchiveEntry {
  readonly name: string;
  readonly content?: string;
  readonly mode?: number;
  readonly type?: Header['type'];
  /** The target of a link. */
  readonly target?: string;
}

export async function tar(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const packing = pack();
  for (const { name, content = '', mode = 0o644, type = 'file', target } of entries) {
    packing.entry({ name, mode, type, ...(target !== undefined && { linkname: target }) }, content);
  }
  packing.finalize();
  return buffer(packing);
}

export async function tarGz(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  return gzipSync(await tar(entries));
}

/** Returns an uncompressed zip, as written by a Unix-like system. */
export function zip(entries: readonly ArchiveEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o644, type = 'file', target } of entries) {
    const data = Buffer.from(type === 'symlink' ? (target ?? '') : content);
    const bytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(bytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, bytes, data]);
    const kind = { file: 0o100000, directory: 0o040000, symlink: 0o120000, fifo: 0o010000 }[type as string] ?? 0;
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((kind | mode) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, bytes);
    parts.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listing, end]);
}

/** A web server on this machine. */
export class LocalServer {
  readonly requests: IncomingMessage[] = [];
  /** The handlers by path. */
  readonly answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request);
      const answer = this.answers.get(request.url ?? '');
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
  }

  static async open(): Promise<LocalServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LocalServer(server);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Serves these bytes at `path` and returns their URL. */
  serve(path: string, bytes: Buffer | string): string {
    this.answers.set(path, (_request, response) => response.end(bytes));
    return this.url(path);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
