import type { Message, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import type { ErrorAnswer } from './incoming';

/** The reason for refusing a line over the limit, which ends the connection. */
export const tooLong = 'too long';

/** A line that isn't a message, cut to 1,000 characters, and the error response for its sender, if any. */
export interface RefusedLine {
  readonly line: string;
  readonly bytes: number;
  readonly reason: string;
  readonly answer?: ErrorAnswer;
}

/** A reader's questions and reports to the connection. */
export interface ReaderHooks {
  /** Returns whether an outgoing request with this id is pending. */
  readonly isPending: (id: unknown) => boolean;
  /** Called for each message before it is handed over, with its size in bytes. */
  onMessage?(message: Message, bytes: number): void;
  onRefused?(refused: RefusedLine): void;
  /** Handles a message immediately and returns true, or returns false so that it is handed over. Called in order. */
  dispatchNow?(message: Message): boolean;
}

/** Hands messages over one at a time and in order. Closing the reader ends the connection. */
export interface TransportReader extends MessageReader {
  /** Marks the message handed over last as dispatched, so that the next one may follow. */
  markDispatched(): void;
  /** While `isHeld` is true, nothing is handed over or dispatched, and the input waits. */
  hold(isHeld: boolean): void;
}

/** A writer's reports to the connection. */
export interface WriterHooks {
  /** Called for each message with its size in bytes. */
  onWrite?(message: Message, bytes: number): void;
  /** Called when much output waits because the agent doesn't read, and again when it reads. */
  onBlocked?(isBlocked: boolean): void;
  /** Called at most once, when too much output has waited or for too long, so the agent should be given up. */
  onGivenUp?(): void;
}

/** Accepts messages in order. It closes when the agent no longer reads, although the agent may still send messages. */
export interface TransportWriter extends MessageWriter {
  readonly isWritable: boolean;
}

/**
 * How messages reach one agent and back (https://agentclientprotocol.com/protocol/transports). This is all that a
 * connection knows about its agent's location. Each side is opened once and disposed by the connection. Starting and
 * stopping the agent is not a transport's responsibility.
 */
export interface Transport {
  openReader(hooks: ReaderHooks): TransportReader;
  openWriter(hooks?: WriterHooks): TransportWriter;
}
