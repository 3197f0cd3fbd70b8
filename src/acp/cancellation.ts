import {
  NotificationType,
  ParameterStructures,
  type AbstractCancellationTokenSource,
  type CancellationSenderStrategy,
  type CancellationToken,
  type MessageConnection,
  type RequestCancellationReceiverStrategy,
  type RequestMessage,
} from 'vscode-jsonrpc/node';
import { protocolMethods } from './methods';

const cancelNotification = new NotificationType<{ requestId: number | string }>(
  protocolMethods.cancelRequest.method,
  ParameterStructures.byName,
);

/** A token of vscode-jsonrpc that follows an `AbortSignal`. */
class SignalToken implements CancellationToken {
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  get isCancellationRequested(): boolean {
    return this.signal.aborted;
  }

  readonly onCancellationRequested: CancellationToken['onCancellationRequested'] = (listener, context) => {
    const onAbort = () => {
      listener.call(context, undefined);
    };
    this.signal.addEventListener('abort', onAbort, { once: true });
    return {
      dispose: () => {
        this.signal.removeEventListener('abort', onAbort);
      },
    };
  };
}

/** The token for a request of ours that ends when `signal` aborts. */
export function tokenOf(signal: AbortSignal): CancellationToken {
  return new SignalToken(signal);
}

/** The signal behind a token that a handler received. */
export function signalOf(token: CancellationToken): AbortSignal {
  if (token instanceof SignalToken) return token.signal;
  throw new Error('A handler was called with a token that is not ours.');
}

/**
 * Our requests: which ones are unanswered, and how one is cancelled: by `$/cancel_request`, after which it is still
 * unanswered (https://agentclientprotocol.com/protocol/cancellation).
 */
export class OutgoingRequests implements CancellationSenderStrategy {
  private readonly pending = new Set<unknown>();
  /** Id of the request that was made last. */
  newest: number | string | undefined;

  get size(): number {
    return this.pending.size;
  }

  readonly isPending = (id: unknown): boolean => this.pending.has(id);

  enableCancellation(request: RequestMessage): void {
    this.pending.add(request.id);
    this.newest = request.id ?? undefined;
  }

  async sendCancellation(connection: MessageConnection, id: number | string): Promise<void> {
    await connection.sendNotification(cancelNotification, { requestId: id });
  }

  cleanup(id: number | string): void {
    this.pending.delete(id);
  }
}

/** Requests of the agent that are being handled: each has a signal, aborted when the agent cancels it or is gone. */
export class IncomingRequests implements RequestCancellationReceiverStrategy {
  readonly kind = 'request';
  private readonly running = new Map<RequestMessage, AbortController>();

  get size(): number {
    return this.running.size;
  }

  createCancellationTokenSource(request: RequestMessage): AbstractCancellationTokenSource {
    const controller = new AbortController();
    this.running.set(request, controller);
    return {
      token: tokenOf(controller.signal),
      cancel: () => {
        controller.abort();
      },
      dispose: () => undefined,
    };
  }

  /** Cancels the requests with this very id; type and value count. Unknown ids are ignored. */
  cancel(id: unknown): void {
    for (const [request, controller] of this.running) {
      if (request.id === id) controller.abort();
    }
  }

  cancelAll(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  /** To be called when a request has been answered. */
  settle(request: RequestMessage): void {
    this.running.delete(request);
  }
}
