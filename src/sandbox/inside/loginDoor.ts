import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Disposable } from '../../shared/values/disposable';
import type { HostTarget } from '../../shared/limits/hostTarget';
import type { OpenPage } from '../../shared/limits/sandbox';

export interface LoginDoorOptions {
  /** The file in which the program inside finds the door. */
  readonly file: string;
  /** Whether the network of the sandbox is held, so that the door is reached through its proxy. */
  readonly isHeld: boolean;
  /** Whether the sandbox has a network of its own, so that its ports can't be reached from outside. */
  readonly hasOwnNetwork: boolean;
  readonly openPage: OpenPage;
  readonly log?: (line: string) => void;
}

/** Maximum length of the first line: logins have long addresses. */
const longestLine = 16_384;
const longestQueue = 20;
const helloWithin = 10_000;

/**
 * Lets a sandboxed agent log in with a browser, which runs outside. While the door is open, a program inside can ask for a
 * page, and what the browser sends to the port that the page's address names reaches the agent. Nothing of it is left when
 * the login ends.
 */
export class LoginDoor extends Disposable {
  private readonly options: LoginDoorOptions;
  private readonly token = randomBytes(16).toString('hex');
  private readonly server = createServer((socket) => this.serve(socket));
  private readonly sockets = new Set<Socket>();
  private callback: { readonly port: number; readonly server: Server } | undefined;
  /** Connections from inside that wait for one of the browser, and the other way round. */
  private readonly tunnels: Socket[] = [];
  private readonly browsers: Socket[] = [];
  private isAsking = false;
  private port = 0;

  private constructor(options: LoginDoorOptions) {
    super();
    this.options = options;
  }

  static async open(options: LoginDoorOptions): Promise<LoginDoor> {
    const door = new LoginDoor(options);
    try {
      door.server.listen(0, '127.0.0.1');
      await once(door.server, 'listening');
      door.port = (door.server.address() as AddressInfo).port;
      const way = options.isHeld ? 'proxy' : 'direct';
      // The agent writes there, too, and may have put a link to a file of the user's.
      rmSync(options.file, { force: true });
      writeFileSync(options.file, `${door.port} ${door.token} ${way}\n`, { mode: 0o600, flag: 'wx' });
      return door;
    } catch (error) {
      door.dispose();
      throw error;
    }
  }

  /**
   * Returns whether a connection from inside leads here, and whether the door is open. The program inside may learn only by its next connection
   * that the login has ended.
   */
  at({ host, port }: HostTarget): 'open' | 'closed' | undefined {
    if (host !== '127.0.0.1' || port !== this.port) return undefined;
    return this.isDisposed ? 'closed' : 'open';
  }

  override dispose(): void {
    if (this.isDisposed) return;
    super.dispose();
    rmSync(this.options.file, { force: true });
    this.server.close();
    this.callback?.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    // An error is followed by the end, which is all that matters.
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }

  private serve(socket: Socket): void {
    this.keep(socket);
    socket.setTimeout(helloWithin, () => socket.destroy());
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const end = text.indexOf('\n');
      if (end === -1 && text.length <= longestLine) return;
      socket.off('data', read);
      socket.setTimeout(0);
      const [token, verb, ...rest] = text.slice(0, end).split(' ');
      if (end === -1 || token !== this.token) socket.destroy();
      else if (verb === 'wait') this.pair(socket, this.tunnels, this.browsers);
      else if (verb === 'open') void this.openFor(socket, rest.join(' '));
      else socket.destroy();
    };
    socket.on('data', read);
  }

  private async openFor(socket: Socket, address: string): Promise<void> {
    const answer = await this.openPage(address).catch((error: unknown) => {
      this.options.log?.(`Sandbox: a login page couldn't be opened: ${String(error)}`);
      return 'no';
    });
    socket.end(`${answer}\n`);
  }

  /** Resolves to the line for the program inside: `ok`, with the port to be reached if there is one, or `no`. */
  private async openPage(address: string): Promise<string> {
    const { hasOwnNetwork, openPage } = this.options;
    // One question at a time: a program can ask as often as it likes.
    if (this.isAsking || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return 'no';
    this.isAsking = true;
    try {
      const port = hasOwnNetwork ? callbackPort(address) : undefined;
      // First, so that the browser finds it.
      if (port !== undefined) await this.listen(port);
      if (!(await openPage(address))) return 'no';
      return port === undefined ? 'ok' : `ok ${port}`;
    } finally {
      this.isAsking = false;
    }
  }

  private async listen(port: number): Promise<void> {
    if (this.callback?.port === port) return;
    this.callback?.server.close();
    const server = createServer((socket) => {
      this.keep(socket);
      this.pair(socket, this.browsers, this.tunnels);
    });
    this.callback = { port, server };
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    // The login may have ended in the meantime.
    if (this.isDisposed) server.close();
  }

  private pair(socket: Socket, own: Socket[], others: Socket[]): void {
    const other = others.find(({ destroyed }) => !destroyed);
    others.splice(0, other ? others.indexOf(other) + 1 : others.length);
    if (!other) {
      if (own.length >= longestQueue) socket.destroy();
      else own.push(socket);
      return;
    }
    socket.pipe(other).pipe(socket);
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const)
      one.once('close', () => peer.destroySoon());
  }
}

/** The parameters of an address with the page that the browser is to call after a login. */
const callbacks = ['redirect_uri', 'redirect_url', 'redirect_to', 'callback_url', 'callback'];

/**
 * Returns the port of this machine that a login page calls in the end; undefined if its address names none. Ports of
 * system services don't count.
 */
export function callbackPort(address: string): number | undefined {
  const { searchParams } = new URL(address);
  for (const name of callbacks) {
    const written = searchParams.get(name);
    const url = written === null ? null : URL.parse(written);
    const isHere = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    const port = Number(url?.port);
    if (isHere && port >= 1024) return port;
  }
  return undefined;
}
