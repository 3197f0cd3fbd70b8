// A network between a client and a server on loopback that breaks as it is told.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after } from 'node:test';

/** What happens to what one side has sent. */
export type Fate = 'pass' | 'drop' | 'stall';

export class ChaosProxy {
  port = 0;
  /** Decides about each piece; both sockets of a dropped one are destroyed. Stalled pieces wait for `release`. */
  onPiece: (from: 'client' | 'server', text: string) => Fate = () => 'pass';
  /** Cuts pieces from the server into parts of this size; 0 leaves them whole. */
  cut = 0;
  /** Returns what is delivered in place of a piece from the server. */
  change: (text: string) => string = (text) => text;
  isDown = false;
  private readonly target: number;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private stalled: (() => void)[] = [];
  private readonly server: Server;

  private constructor(target: number) {
    this.target = target;
    this.server = createServer((client) => this.accept(client));
  }

  /** For one test, at whose end it stops. */
  static async start(target: number): Promise<ChaosProxy> {
    const proxy = await ChaosProxy.open(target);
    after(() => proxy.stop());
    return proxy;
  }

  /** Until `stop`. */
  static async open(target: number): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    proxy.port = (proxy.server.address() as AddressInfo).port;
    return proxy;
  }

  drop(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  release(): void {
    const stalled = this.stalled;
    this.stalled = [];
    for (const deliver of stalled) deliver();
  }

  stop(): Promise<void> {
    this.drop();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private accept(client: Socket): void {
    if (this.isDown) {
      client.destroy();
      return;
    }
    const server = connect(this.target, '127.0.0.1');
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    client.on('data', (piece) => this.forward('client', piece, server, pair));
    server.on('data', (piece) => this.forward('server', piece, client, pair));
  }

  private forward(from: 'client' | 'server', piece: Buffer, to: Socket, pair: readonly [Socket, Socket]): void {
    const fate = this.onPiece(from, piece.toString('latin1'));
    if (fate === 'drop') {
      for (const socket of pair) socket.destroy();
      return;
    }
    const deliver = () => {
      if (to.destroyed) return;
      const changed = from === 'server' ? Buffer.from(this.change(piece.toString('latin1')), 'latin1') : piece;
      if (this.cut === 0 || from === 'client') to.write(changed);
      else for (let at = 0; at < changed.length; at += this.cut) to.write(changed.subarray(at, at + this.cut));
    };
    if (fate === 'stall') this.stalled.push(deliver);
    else deliver();
  }
}
