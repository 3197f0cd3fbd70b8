import type { AcpConnection } from '../../acp/wire/connection';
import type { AcpRequest } from '../../acp/base/method';
import { agentMethods } from '../../acp/wire/methods';
import type { Session } from '../../session/session';

/** A session that waits for the response to a request of Parley's. */
export interface Waiting {
  readonly session: Session;
  /** Whether the request is the prompt of a turn. */
  readonly isPrompt: boolean;
  /** Aborts when the response has arrived. */
  readonly over: AbortSignal;
}

/** A connection as used by one session. */
export type SessionConnection = Pick<AcpConnection, 'request' | 'notify'>;

/**
 * Maps pending requests to sessions. An agent that needs the user before a session exists, for example during a login,
 * refers to the request by its id (https://agentclientprotocol.com/protocol/elicitation).
 */
export class WaitingRequests {
  private readonly waiting = new Map<number | string, Waiting>();

  get sessions(): readonly Session[] {
    return [...this.waiting.values()].map(({ session }) => session);
  }

  find(requestId: number | string): Waiting | undefined {
    // Parley's ids are numbers. If an agent returns one as a string, the number is meant.
    return this.waiting.get(requestId) ?? this.waiting.get(Number(requestId));
  }

  /** Returns the connection for a session: while its requests are pending, their ids lead to the session. */
  of(session: Session, connection: AcpConnection): SessionConnection {
    return {
      notify: (method, params) => connection.notify(method, params),
      request: <P, R>(method: AcpRequest<P, R>, params: NoInfer<P>, signal?: AbortSignal): Promise<R> => {
        const before = connection.newestRequestId;
        const answer = connection.request(method, params, signal);
        const id = connection.newestRequestId;
        // Nothing was sent.
        if (id === undefined || id === before) return answer;
        const over = new AbortController();
        const isPrompt = method.method === agentMethods.prompt.method;
        this.waiting.set(id, { session, isPrompt, over: over.signal });
        return answer.finally(() => {
          this.waiting.delete(id);
          over.abort();
        });
      },
    };
  }
}
