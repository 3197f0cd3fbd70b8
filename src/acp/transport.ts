import type { Message, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import type { ErrorAnswer } from './incoming';

/** The reason for which a line over the limit is refused, which ends the connection. */
export const tooLong = 'too long';

/** Something that was no message, cut to 1,000 characters, and the error answer its sender should get, if any. */
export interface RefusedLine {
  readonly line: string;
  readonly bytes: number;
  readonly reason: string;
  readonly answer?: ErrorAnswer;
}

/** What whoever reads from an agent asks and tells the connection. */
export interface ReaderHooks {
  /** Whether a request of ours with this id waits for its answer. */
  readonly isPending: (id: unknown) => boolean;
  /** Called for each message before it is handed over, with its size in bytes. */
  onMessage?(message: Message, bytes: number): void;
  onRefused?(refused: RefusedLine): void;
  /** Handles a message at once and returns true, or returns false to have it handed over; asked in order. */
  dispatchNow?(message: Message): boolean;
}

/** Hands messages over one at a time and in order; its close is the end of the connection. */
export interface TransportReader extends MessageReader {
  /** The message handed over last is dispatched: the next one may follow. */
  markDispatched(): void;
  /** While it holds, nothing is handed over or dispatched, and the input waits. */
  hold(isHeld: boolean): void;
}

/** What whoever writes to an agent tells the connection. */
export interface WriterHooks {
  /** Called for each message with its size in bytes. */
  onWrite?(message: Message, bytes: number): void;
  /** The agent doesn't read, and much waits for it; or it reads again. */
  onBlocked?(isBlocked: boolean): void;
  /** So much waits, or for so long, that the agent is not to be waited for. Called once, at most. */
  onGivenUp?(): void;
}

/** Takes messages in order; its close says that the agent listens no more, though it may still speak. */
export interface TransportWriter extends MessageWriter {
  readonly isWritable: boolean;
}

/**
 * How messages get to one agent and back (https://agentclientprotocol.com/protocol/transports). It is all that a connection knows of
 * where its agent is; each side is opened once, and disposed by the connection. Starting and ending the agent is not its business.
 */
export interface Transport {
  openReader(hooks: ReaderHooks): TransportReader;
  openWriter(hooks?: WriterHooks): TransportWriter;
}
