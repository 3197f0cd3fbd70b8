import { decodeOpened, type AgentCapabilities, type OpenedSession } from '../decode/decodeAgent';
import type { ChannelConnection } from '../dialect/dialect';
import { initialOptions } from '../dialect/newerParts';
import { openingParams } from '../dialect/openingParams';
import type { McpServer, OpeningSetup, OpenMethod } from '../shape/openingSetup';
import { methods } from './methods';
import type { McpServer as WireServer } from './schema';

/**
 * Sends the request that opens a session (https://agentclientprotocol.com/protocol/v2/session-setup). There is only one
 * for existing sessions; it repeats the conversation on request.
 */
export async function openSession(
  connection: Pick<ChannelConnection, 'request'>,
  can: AgentCapabilities | undefined,
  how: OpenMethod,
  { mcpServers, ...own }: OpeningSetup,
  signal: AbortSignal,
): Promise<OpenedSession> {
  const setup = {
    ...openingParams(can, own),
    mcpServers: mcpServers.flatMap(wireServer),
    ...initialOptions(own.initialOptions, 'id'),
  };
  switch (how.method) {
    case 'new':
      return decodeOpened(await connection.request(methods.newSession, setup, signal));
    case 'resume': {
      const params = { ...setup, sessionId: how.sessionId };
      return decodeOpened(await connection.request(methods.resumeSession, params, signal));
    }
    case 'load': {
      const params = { ...setup, sessionId: how.sessionId, replayFrom: { type: 'start' as const } };
      return decodeOpened(await connection.request(methods.resumeSession, params, signal));
    }
    case 'fork': {
      const params = { ...setup, sessionId: how.sessionId };
      return decodeOpened(await connection.request(methods.forkSession, params, signal));
    }
  }
}

/** The version has no `sse`, and no agent is offered such a server (`mcpSse`). */
function wireServer(server: McpServer): readonly WireServer[] {
  if ('serverId' in server) return [server];
  if (!('url' in server)) {
    const { name, command, args, env } = server;
    return [{ type: 'stdio', name, command, args: [...args], env: [...env] }];
  }
  const { type, name, url, headers } = server;
  return type === 'http' ? [{ type, name, url, headers: [...headers] }] : [];
}
