import {
  createMessageConnection,
  ErrorCodes,
  Message,
  ParameterStructures,
  RequestType,
  NotificationType,
  ResponseError as LibraryError,
  type MessageConnection,
  type MessageStrategy,
} from 'vscode-jsonrpc/node';
import { Disposable, toDisposable, type IDisposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { isRecord } from '../../shared/values/isRecord';
import { IncomingRequests, OutgoingRequests, signalOf, tokenOf } from './cancellation';
import {
  ConnectionClosedError,
  invalidParams,
  requestCancelled,
  ResponseError,
  toAcpError,
  type AcpError,
} from '../base/errors';
import type { AcpNotification, AcpRequest } from '../base/method';
import { protocolMethods } from './methods';
import type { TrafficLog } from './traffic';
import { tooLong, type RefusedLine, type Transport, type TransportReader, type TransportWriter } from './transport';

export interface AcpConnectionOptions {
  /** Records every message and every line that isn't a message. Not owned. */
  readonly traffic?: TrafficLog;
  /** Called with lines from the agent that aren't messages, shortened. */
  readonly onNoise?: (line: string) => void;
  /**
   * Called for notifications without a handler; they are harmless
   * (https://agentclientprotocol.com/protocol/extensibility).
   */
  readonly onUnhandledNotification?: (method: string, params: unknown) => void;
  /** How long to wait for the agent's last messages after it stops reading, in milliseconds. Defaults to 1,000. */
  readonly farewellMilliseconds?: number;
}

/** A silent logger, because the library would print whole messages, including secrets. */
const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, log: () => undefined };

/** The library sends an error of its own as it is. */
function forLibrary({ code, message, data }: AcpError): LibraryError<unknown> {
  return new LibraryError(code, message, data);
}

/**
 * A JSON-RPC connection to one agent, with typed methods (https://agentclientprotocol.com/protocol/overview).
 *
 * Handles messages in order of arrival. A response never overtakes earlier notifications if notification handlers are
 * synchronous. When either side ends the connection, every pending request rejects with `ConnectionClosedError` and the
 * signals of the agent's requests abort. The caller owns the underlying streams or process.
 */
export class AcpConnection extends Disposable {
  private readonly closed = new Emitter<void>();
  /** Fires once, when the connection has ended and all pending requests are settled. */
  readonly onDidClose = this.closed.event;
  /**
   * Resolves when `onDidClose` fires. Everything received before that was handled, unless this side closed the
   * connection.
   */
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
  /** False once the agent stops reading, which may be before the connection ends. */
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
      // Each message read may also queue a response.
      onBlocked: (isBlocked) => {
        this.reader.hold(isBlocked);
      },
      onGivenUp: () => {
        this.onGivenUp();
      },
    });
    // No `maxParallelism`, because with it responses overtake notifications.
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

  /** Id of the most recent outgoing request. Agents refer to it when they need user input for that request. */
  get newestRequestId(): number | string | undefined {
    return this.outgoing.newest;
  }

  /** Whether the connection ended because the agent sent more at once than Parley accepts. */
  get sawTooMuch(): boolean {
    return this.hasRefusedLength;
  }

  /** Whether the connection ended because the agent didn't read its input. */
  get sawNoReading(): boolean {
    return this.hasGivenUp;
  }

  /** Starts reading. Register handlers first. */
  listen(): void {
    if (this.isOpen) this.rpc.listen();
  }

  /**
   * Sends a request to the agent. Rejects with the agent's `AcpError`, with `ConnectionClosedError`, or, as soon as
   * `signal` aborts, with a `requestCancelled` error. In the last case, the agent is notified and its late response is
   * ignored. A `null` result becomes `{}`.
   */
  request<P, R>(method: AcpRequest<P, R>, params: NoInfer<P>, signal?: AbortSignal): Promise<R> {
    if (!this.canSend) return Promise.reject(new ConnectionClosedError());
    if (signal?.aborted === true) return Promise.reject(requestCancelled());
    const type = new RequestType<P, R | null, unknown>(method.method, ParameterStructures.byName);
    return new Promise<R>((resolve, reject) => {
      const answer = this.rpc.sendRequest(type, params as never, signal && tokenOf(signal));
      // Registered after the library's own listener, so that the agent is notified first.
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

  /**
   * Sends a notification to the agent. Resolves when the stream has accepted the message; rejects with
   * `ConnectionClosedError`.
   */
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
   * Handles an agent's request method until disposed. `params` is an unchecked object. A thrown `AcpError` is sent
   * unchanged. Any other error is sent as an internal error, or as cancelled if `signal` has aborted. A missing result
   * becomes `{}`.
   */
  onRequest<P, R>(method: AcpRequest<P, R>, handler: (params: P, signal: AbortSignal) => R | Promise<R>): IDisposable {
    if (!this.canSend) return toDisposable(() => undefined);
    const type = new RequestType<unknown, unknown, unknown>(method.method, ParameterStructures.byName);
    return this.rpc.onRequest(type, async (params, token) => {
      if (!isRecord(params)) throw forLibrary(invalidParams(`The params of ${method.method} must be an object`));
      const signal = signalOf(token);
      try {
        return (await handler(params as P, signal)) ?? {};
      } catch (error) {
        const isCancelled = signal.aborted && !(error instanceof ResponseError);
        throw forLibrary(isCancelled ? requestCancelled() : toAcpError(error));
      }
    });
  }

  /**
   * Handles an agent's notification until disposed. Each method can have one handler, and the handler must be
   * synchronous.
   */
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

  /** How the library dispatches requests and responses. Notifications never reach the library. */
  private readonly messageStrategy: MessageStrategy = {
    handleMessage: (message, next) => {
      const result = next(message);
      if (Message.isRequest(message)) {
        const settle = () => {
          this.incoming.settle(message);
        };
        Promise.resolve(result).then(settle, settle);
      }
      // Wait for the next turn of the event loop, so that code awaiting a response continues before the messages after
      // it.
      setImmediate(() => {
        this.reader.markDispatched();
      });
      return result;
    },
  };

  /**
   * Dispatches notifications directly. They need nothing from the library, and its extra event loop turn for each would
   * halve the speed.
   */
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
      // A bug in a handler must not close the user's connection; the log shows the error.
      this.options.traffic?.note(`Handling ${method} failed: ${String(error)}`);
    }
  }

  private onRefused(refused: RefusedLine): void {
    if (refused.reason === tooLong) this.hasRefusedLength = true;
    this.options.traffic?.record('noise', refused.line, refused.bytes);
    this.options.onNoise?.(refused.line);
    if (refused.answer === undefined) return;
    this.writer.write(refused.answer).catch(() => {
      // The connection has closed, so the response has no receiver.
    });
  }

  /**
   * The agent has stopped reading, probably because it exited. Messages it already sent still count, for a limited
   * time.
   */
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
    // Rejects pending requests and disposes the reader and writer.
    this.rpc.dispose();
    this.notificationHandlers.clear();
    this.closed.fire();
    this.closed.dispose();
  }

  private asRequestError(error: unknown): Error {
    const canSend = this.canSend && this.writer.isWritable;
    if (!(error instanceof LibraryError)) return canSend ? toAcpError(error) : new ConnectionClosedError();
    const { code, message, data } = error as LibraryError<unknown>;
    // The library's error messages for a lost connection. The codes alone aren't enough, because agents may use the
    // same numbers for other errors.
    const isLost =
      (code === ErrorCodes.PendingResponseRejected && !this.isOpen) ||
      (code === ErrorCodes.MessageWriteError && !canSend);
    return isLost ? new ConnectionClosedError() : new ResponseError(code, message, data);
  }
}
