import type { AcpConnection } from '../acp/connection';
import { decodeReadTextFile, decodeTerminalId, decodeWriteTextFile } from '../acp/decodeClient';
import { decodeElicitationId } from '../acp/decodeElicitation';
import { isResourceNotFound } from '../acp/errors';
import { clientMethods } from '../acp/methods';
import type { FileService } from '../session/services';
import type { AgentOptions } from './agentOptions';
import { askUser } from './elicitationRoute';
import { allOffered } from './offeredCapabilities';
import type { AgentQuirks } from './quirks';
import type { SessionRoutes } from './sessionRoutes';
import { straighten } from './straighten';
import type { WaitingRequests } from './waitingRequests';

/**
 * Registers what Parley serves to an agent (https://agentclientprotocol.com/protocol/overview#client). Anything else is
 * answered "method not found", what the user has turned off included. `quirks` is asked at each request, since the agent introduces itself later.
 */
export function serveClient(
  connection: AcpConnection,
  routes: SessionRoutes,
  waiting: WaitingRequests,
  { services: { files, permissions }, offered = allOffered }: Pick<AgentOptions, 'services' | 'offered'>,
  quirks: () => AgentQuirks,
): void {
  connection.onNotification(clientMethods.sessionUpdate, (params) => {
    routes.update(params, (update) => straighten(update, quirks()));
  });
  connection.onRequest(clientMethods.requestPermission, (params, signal) =>
    routes.serve(params, ({ session, child }) =>
      session.handlePermission(params, signal, permissions, child?.sessionId),
    ),
  );
  connection.onRequest(clientMethods.createElicitation, (params, signal) => askUser(routes, waiting, params, signal));
  connection.onNotification(clientMethods.completeElicitation, (params) => {
    const id = decodeElicitationId(params);
    if (id === undefined) return;
    for (const session of new Set([...routes.sessions, ...waiting.sessions])) session.elicitations.complete(id);
  });
  if (offered.fs) serveFiles(connection, routes, files, quirks);
  if (offered.terminal) serveTerminals(connection, routes);
}

function serveFiles(
  connection: AcpConnection,
  routes: SessionRoutes,
  files: FileService,
  quirks: () => AgentQuirks,
): void {
  connection.onRequest(clientMethods.readTextFile, (params, signal) =>
    routes.serve(params, async ({ session }) => {
      try {
        return { content: await files.readTextFile(session.context, decodeReadTextFile(params), signal) };
      } catch (error) {
        if (quirks().missingFileReadsEmpty && isResourceNotFound(error)) return { content: '' };
        throw error;
      }
    }),
  );
  connection.onRequest(clientMethods.writeTextFile, (params, signal) =>
    routes.serve(params, async ({ session }) => {
      await files.writeTextFile(session.context, decodeWriteTextFile(params), signal);
      return {};
    }),
  );
}

function serveTerminals(connection: AcpConnection, routes: SessionRoutes): void {
  connection.onRequest(clientMethods.createTerminal, (params, signal) =>
    routes.serve(params, ({ terminals }) => terminals.create(params, signal)),
  );
  connection.onRequest(clientMethods.terminalOutput, (params) =>
    routes.find(params).terminals.output(decodeTerminalId(params)),
  );
  connection.onRequest(clientMethods.waitForTerminalExit, (params, signal) =>
    routes.find(params).terminals.waitForExit(decodeTerminalId(params), signal),
  );
  connection.onRequest(clientMethods.killTerminal, async (params) => {
    await routes.find(params).terminals.kill(decodeTerminalId(params));
    return {};
  });
  connection.onRequest(clientMethods.releaseTerminal, async (params) => {
    await routes.find(params).terminals.release(decodeTerminalId(params));
    return {};
  });
}
