import type { AcpConnection } from '../../acp/wire/connection';
import { decodeElicitationId } from '../../acp/decode/decodeElicitation';
import type { Dialect } from '../../acp/dialect/dialect';
import { clientMethods } from '../../acp/wire/methods';
import type { AgentOptions } from '../handshake/agentOptions';
import { askUser } from './elicitationRoute';
import { serveMcpMessages } from './mcpMessages';
import type { AgentQuirks } from '../base/quirks';
import type { SessionRoutes } from './sessionRoutes';
import type { WaitingRequests } from './waitingRequests';

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** The dialect of an agent, once it has answered `initialize`. */
export interface AgentSpeech {
  readonly dialect: Dialect | undefined;
  readonly quirks: AgentQuirks;
}

/**
 * Registers the methods that Parley serves in every version (https://agentclientprotocol.com/protocol/overview#client);
 * the dialect registers the others when the version is known. All other methods are answered with "method not found".
 * `speech` is called for each message.
 */
export function serveClient(
  connection: AcpConnection,
  routes: SessionRoutes,
  waiting: WaitingRequests,
  { services: { permissions, mcp, beforeWork } }: Pick<AgentOptions, 'services'>,
  speech: AgentSpeech,
): void {
  connection.onNotification(clientMethods.sessionUpdate, (params) => {
    routes.update(params, (update) => {
      const { dialect, quirks } = speech;
      return dialect ? dialect.normalizeUpdate(update, quirks) : update;
    });
  });
  connection.onRequest(clientMethods.requestPermission, (params, signal) =>
    routes.serve(params, async ({ session, child }) => {
      const answer = await session.agentSide.handlePermission(params, signal, permissions, child?.sessionId);
      // A stopped turn must not wait.
      if (!signal.aborted) await Promise.race([beforeWork?.(session.key), aborted(signal)]);
      return answer;
    }),
  );
  connection.onRequest(clientMethods.createElicitation, (params, signal) => askUser(routes, waiting, params, signal));
  serveMcpMessages(connection, mcp);
  connection.onNotification(clientMethods.completeElicitation, (params) => {
    const id = decodeElicitationId(params);
    if (id === undefined) return;
    for (const session of new Set([...routes.sessions, ...waiting.sessions])) session.elicitations.complete(id);
  });
}
