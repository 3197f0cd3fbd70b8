import type { Transport } from '../../acp/wire/transport';
import type { IDisposable } from '../../shared/values/disposable';
import type { LinkLoss } from './remoteTarget';

/** A connection to a remote agent: Streamable HTTP or WebSocket. */
export interface Link {
  readonly transport: Transport;
  /** Resolves when the connection has ended; never rejects. */
  readonly lost: Promise<LinkLoss>;
  /** Ends the connection, politely if possible. */
  close(): Promise<void>;
  /** Nothing more is expected for a session, which the agent can't close. Absent if a session has nothing of its own here. */
  releaseSession?(sessionId: string): void;
  /** Ends the connection without telling the server, which then keeps the sessions and their turns. */
  detach(): void;
}

export interface LinkOptions {
  /** Calls back once after `ms` milliseconds unless disposed first. */
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  /** Called when the messages of one session no longer arrive, while the connection stays. */
  readonly onSessionLost?: (sessionId: string, loss: LinkLoss) => void;
  /** Receives lines for the protocol log. */
  readonly note?: (text: string) => void;
}
