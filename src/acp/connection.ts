import {
  createMessageConnection,
  ErrorCodes,
  Message,
  ParameterStructures,
  RequestType,
  NotificationType,
  ResponseError,
  type MessageConnection,
  type MessageStrategy,
} from 'vscode-jsonrpc/node';
import { Disposable, toDisposable, type IDisposable } from '../shared/disposable';
import { Emitter } from '../shared/event';
import { isRecord } from '../shared/isRecord';
import { IncomingRequests, OutgoingRequests, signalOf, tokenOf } from './cancellation';
import { ConnectionClosedError, invalidParams, requestCancelled, toAcpError } from './errors';
import { protocolMethods, type AcpNotification, type AcpRequest } from './methods';
import type { TrafficLog } from './traffic';
import { tooLong, type RefusedLine, type Transport, type TransportReader, type TransportWriter } from './transport';

export interface AcpConnectionOptions {
  /** Where every message, and every line that was none, is recorded. Not owned. */
  readonly traffic?: TrafficLog;
  /** Lines of the agent that were no message, shortened. */
  readonly onNoise?: (line: string) => void;
  /** Notifications that nobody handles; harmless (https://agentclientprotocol.com/protocol/extensibility). */
  readonly onUnhandledNotification?: (method: string, params: unknown) => void;
  /** How long the agent's last words are awaited after it stopped listening; 1,000 ms unless told. */
  readonly farewellMilliseconds?: number;
}

/** A logger that says nothing: the library would print whole messages, secrets included. */
const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, log: () => undefined };

/**
 * A JSON-RPC connection to one agent, with typed methods (https://agentclientprotocol.com/protocol/overview).
 *
 * Messages are handled in the order of their arrival; an answer never overtakes the notifications before it, provided
 * that notification handlers are synchronous. When the connection ends, by either side, every pending request rejects with
 * `ConnectionClosedError` and the signals of the agent's own requests abort. What the transport runs over belongs to the caller.
 */
export class AcpConnection extends Disposable {
  private readonly closed = new Emitter<void>();
  /** Fires once, when the connection has ended and everything pending is settled. */
  readonly onDidClose = this.closed.event;
  /** Resolves then. All that had arrived before was handled, unless this side has ended it. */
  readonly ended = new Promise<void>((resolve) => void this.onDidClose(resolve));

  private readonly options: AcpConnectionOptions;
  private readonly outgoing = new OutgoingRequests();
  private readonly incoming = new IncomingRequests();
  private readonly notificationHandlers = new Map<string, (params: unknown) => void>();
  private readonly reader: TransportReader;
  private readonly writer: TransportWriter;
  private readonly rpc: MessageConnection;
  private isOpen = true;
  private hasRefusedLength = false;
  private hasGivenUp = false;
  /** False as soon as the agent no longer listens, which may be before the connection ends. */
  private canSend = true;
  private farewell: ReturnType<typeof setTimeout> | undefined;

  constructor(transport: Transport, options: AcpConnectionOptions = {}) {
    super();
    this.options = options;
    const { traffic } = options;
    this.reader = transport.openReader({
      isPending: this.outgoing.isPending,
      onMessage: (message, bytes) => traffic?.record('receive', message, bytes),
      onRefused: (refused) => {
        this.onRefused(refused);
      },
      dispatchNow: (message) => this.dispatchNow(message),
    });
    this.writer = transport.openWriter({
      onWrite: (message, bytes) => traffic?.record('send', message, bytes),
      // Each message read may make an answer that waits, too.
      onBlocked: (isBlocked) => {
        this.reader.hold(isBlocked);
      },
      onGivenUp: () => {
        this.onGivenUp();
      },
    });
    // No `maxParallelism`: with it answers overtake notifications.
    this.rpc = createMessageConnection(this.reader, this.writer, silent, {
      cancellationStrategy: { sender: this.outgoing, receiver: this.incoming },
      messageStrategy: this.messageStrategy,
    });
    this.reader.onClose(() => {
      this.close();
    });
    this.reader.onError((error) => traffic?.note(`Reading failed: ${error.message}`));
    this.writer.onError(([error]) => traffic?.note(`Writing failed: ${error.message}`));
    this.writer.onClose(() => {
      this.onWriterClosed();
    });
    this.onNotification(protocolMethods.cancelRequest, ({ requestId }) => {
      this.incoming.cancel(requestId);
    });
  }

  /** Id of the request that was sent last; agents name it when they need the user for it. */
  get newestRequestId(): number | string | undefined {
    return this.outgoing.newest;
  }

  /** Whether it ended because the agent sent more at once than is accepted. */
  get sawTooMuch(): boolean {
    return this.hasRefusedLength;
  }

  /** Whether it ended because the agent did not read what was sent to it. */
  get sawNoReading(): boolean {
    return this.hasGivenUp;
  }

  /** Starts reading. Handlers should be registered before. */
  listen(): void {
    if (this.isOpen) this.rpc.listen();
  }

  /**
   * Asks the agent. Rejects with the agent's `AcpError`, with `ConnectionClosedError`, or, as soon as `signal` aborts, with
   * a `requestCancelled` error; the agent is then told and its late answer ignored. A result of `null` becomes `{}`.
   */
  request<P, R>(method: AcpRequest<P, R>, params: NoInfer<P>, signal?: AbortSignal): Promise<R> {
    if (!this.canSend) return Promise.reject(new ConnectionClosedError());
    if (signal?.aborted === true) return Promise.reject(requestCancelled());
    const type = new RequestType<P, R | null, unknown>(method.method, ParameterStructures.byName);
    return new Promise<R>((resolve, reject) => {
      const answer = this.rpc.sendRequest(type, params as never, signal && tokenOf(signal));
      // Registered after the library's own listener: the agent is told first.
      const onAbort = () => {
        reject(requestCancelled());
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      answer
        .then(
          (result) => {
            resolve(result ?? ({} as R));
          },
          (error: unknown) => {
            reject(this.asRequestError(error));
          },
        )
        .finally(() => signal?.removeEventListener('abort', onAbort));
    });
  }

  /** Tells the agent. Resolves when the message has been handed to the stream; rejects with `ConnectionClosedError`. */
  async notify<P>(method: AcpNotification<P>, params: NoInfer<P>): Promise<void> {
    if (!this.canSend) throw new ConnectionClosedError();
    const type = new NotificationType<P>(method.method, ParameterStructures.byName);
    try {
      await this.rpc.sendNotification(type, params as never);
    } catch (error) {
      throw this.asRequestError(error);
    }
  }

  /**
   * Answers a method of the agent's, until disposed. `params` is an object, as yet unchecked. An `AcpError` thrown goes to
   * the agent as it is, anything else as an internal error, or as cancelled once `signal` has aborted. No result becomes `{}`.
   */
  onRequest<P, R>(method: AcpRequest<P, R>, handler: (params: P, signal: AbortSignal) => R | Promise<R>): IDisposable {
    if (!this.canSend) return toDisposable(() => undefined);
    const type = new RequestType<unknown, unknown, unknown>(method.method, ParameterStructures.byName);
    return this.rpc.onRequest(type, async (params, token) => {
      if (!isRecord(params)) throw invalidParams(`The params of ${method.method} must be an object`);
      const signal = signalOf(token);
      try {
        return (await handler(params as P, signal)) ?? {};
      } catch (error) {
        throw signal.aborted && !(error instanceof ResponseError) ? requestCancelled() : toAcpError(error);
      }
    });
  }

  /** Hears a notification of the agent's, until disposed; one handler per method. It must be synchronous. */
  onNotification<P>(method: AcpNotification<P>, handler: (params: P) => void): IDisposable {
    const own = (params: unknown) => {
      handler(params as P);
    };
    this.notificationHandlers.set(method.method, own);
    return toDisposable(() => {
      if (this.notificationHandlers.get(method.method) === own) this.notificationHandlers.delete(method.method);
    });
  }

  override dispose(): void {
    this.close();
    super.dispose();
  }

  /** How the library dispatches requests and answers; notifications never reach it. */
  private readonly messageStrategy: MessageStrategy = {
    handleMessage: (message, next) => {
      const result = next(message);
      if (Message.isRequest(message)) {
        const settle = () => {
          this.incoming.settle(message);
        };
        Promise.resolve(result).then(settle, settle);
      }
      // In the next turn: whoever awaits an answer goes on before the messages that follow it.
      setImmediate(() => {
        this.reader.markDispatched();
      });
      return result;
    },
  };

  /** Notifications need nothing of the library, and its turn of the event loop for each would halve the speed. */
  private dispatchNow(message: Message): boolean {
    if (!Message.isNotification(message)) return false;
    this.notified(message.method, message.params);
    return true;
  }

  private notified(method: string, params: unknown): void {
    const handler = this.notificationHandlers.get(method);
    if (handler === undefined) {
      this.options.onUnhandledNotification?.(method, params);
      return;
    }
    if (!isRecord(params)) {
      this.options.traffic?.note(`${method} was ignored because its params are not an object.`);
      return;
    }
    try {
      handler(params);
    } catch (error) {
      // A bug of ours must not cost the user the connection; the log shows it.
      this.options.traffic?.note(`Handling ${method} failed: ${String(error)}`);
    }
  }

  private onRefused(refused: RefusedLine): void {
    if (refused.reason === tooLong) this.hasRefusedLength = true;
    this.options.traffic?.record('noise', refused.line, refused.bytes);
    this.options.onNoise?.(refused.line);
    if (refused.answer === undefined) return;
    this.writer.write(refused.answer).catch(() => {
      // Nobody is left to hear it.
    });
  }

  /** The agent has stopped listening, probably because it ended: what it said before still counts, for a while. */
  private onWriterClosed(): void {
    this.canSend = false;
    if (!this.isOpen || this.farewell !== undefined) return;
    this.farewell = setTimeout(() => {
      this.close();
    }, this.options.farewellMilliseconds ?? 1000);
  }

  private onGivenUp(): void {
    this.hasGivenUp = true;
    this.options.traffic?.note("The agent isn't reading the messages sent to it.");
    this.close();
  }

  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.canSend = false;
    clearTimeout(this.farewell);
    this.options.traffic?.note('The connection closed.');
    this.incoming.cancelAll();
    // Rejects what is pending and disposes reader and writer.
    this.rpc.dispose();
    this.notificationHandlers.clear();
    this.closed.fire();
    this.closed.dispose();
  }

  private asRequestError(error: unknown): Error {
    const canSend = this.canSend && this.writer.isWritable;
    if (!(error instanceof ResponseError)) return canSend ? toAcpError(error) : new ConnectionClosedError();
    // The library's own words for a lost connection; agents may use the same numbers for something else.
    const isLost =
      (error.code === ErrorCodes.PendingResponseRejected && !this.isOpen) ||
      (error.code === ErrorCodes.MessageWriteError && !canSend);
    return isLost ? new ConnectionClosedError() : error;
  }
}
