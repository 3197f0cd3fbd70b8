import type { Transport } from '../../acp/wire/transport';
import { Emitter, type Event } from '../../shared/values/event';
import type { Link, LinkOptions } from './link';
import { HttpLink } from './httpLink';
import type { LinkLoss, RemoteTarget } from './remoteTarget';
import { WebSocketLink } from './webSocketLink';

/**
 * What a process is for other agents: the connection to a remote agent. It has no id, no exit code, and no stderr; it
 * has exited when the connection has ended. The agent itself keeps running.
 */
export class RemoteAgent {
  readonly target: RemoteTarget;
  private readonly link: Link;
  private lost: LinkLoss | undefined;
  private readonly exitEmitter = new Emitter<void>();
  readonly onDidExit: Event<void> = this.exitEmitter.event;
  private stopping: Promise<void> | undefined;

  constructor(target: RemoteTarget, options: LinkOptions) {
    this.target = target;
    const isSocket = /^wss?:/i.test(target.url);
    this.link = isSocket ? new WebSocketLink(target, options) : new HttpLink(target, options);
    void this.link.lost.then((loss) => {
      this.lost = loss;
      this.exitEmitter.fire();
      this.exitEmitter.dispose();
    });
  }

  get transport(): Transport {
    return this.link.transport;
  }

  /** Why the connection has ended; undefined while it exists. */
  get loss(): LinkLoss | undefined {
    return this.lost;
  }

  /** A remote agent's log is on its own machine. */
  stderrTail(): string {
    return '';
  }

  /** Closes the connection. Resolves when the server has confirmed it, or after a short time. */
  stop(): Promise<void> {
    return (this.stopping ??= this.link.close());
  }

  /** Another client may use a session of an agent that can't close sessions. */
  releaseSession(sessionId: string): void {
    this.link.releaseSession?.(sessionId);
  }

  /** Drops the connection, as a broken network would, so that the agent continues. */
  detach(): void {
    this.link.detach();
  }

  kill(): void {
    void this.stop();
  }
}
