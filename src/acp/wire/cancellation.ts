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

/** A `CancellationToken` of vscode-jsonrpc that follows an `AbortSignal`. */
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

/** Returns a token for an outgoing request; `signal` cancels it. */
export function tokenOf(signal: AbortSignal): CancellationToken {
  return new SignalToken(signal);
}

/** Returns the signal behind a token that a handler received. */
export function signalOf(token: CancellationToken): AbortSignal {
  if (token instanceof SignalToken) return token.signal;
  throw new Error('A handler was called with a token that is not ours.');
}

/**
 * Tracks unanswered outgoing requests and cancels them with `$/cancel_request`. A cancelled request stays unanswered
 * until the agent responds (https://agentclientprotocol.com/protocol/cancellation).
 */
export class OutgoingRequests implements CancellationSenderStrategy {
  private readonly pending = new Set<unknown>();
  /** Id of the most recent request. */
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

/**
 * The agent's requests in progress. Each has a signal that aborts when the agent cancels the request or disconnects.
 */
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

  /** Cancels the requests with exactly this id; type and value must match. Ignores unknown ids. */
  cancel(id: unknown): void {
    for (const [request, controller] of this.running) {
      if (request.id === id) controller.abort();
    }
  }

  cancelAll(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  /** Removes a request. Call when it has been answered. */
  settle(request: RequestMessage): void {
    this.running.delete(request);
  }
}
