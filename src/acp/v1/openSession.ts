import { decodeOpened, type AgentCapabilities, type OpenedSession } from '../decode/decodeAgent';
import type { ChannelConnection } from '../dialect/dialect';
import { initialOptions } from '../dialect/newerParts';
import { openingParams } from '../dialect/openingParams';
import { agentMethods } from '../wire/methods';
import type { McpServer, OpeningSetup, OpenMethod } from '../shape/openingSetup';
import type { McpServer as WireServer } from '../schema';

/** Sends the request that opens a session (https://agentclientprotocol.com/protocol/session-setup). */
export async function openSession(
  connection: Pick<ChannelConnection, 'request'>,
  can: AgentCapabilities | undefined,
  how: OpenMethod,
  { mcpServers, ...own }: OpeningSetup,
  signal: AbortSignal,
): Promise<OpenedSession> {
  const setup = {
    ...openingParams(can, own),
    mcpServers: mcpServers.map(wireServer),
    ...initialOptions(own.initialOptions),
  };
  switch (how.method) {
    case 'new':
      return decodeOpened(await connection.request(agentMethods.newSession, setup, signal));
    case 'resume':
      return decodeOpened(
        await connection.request(agentMethods.resumeSession, { ...setup, sessionId: how.sessionId }, signal),
      );
    case 'load':
      return decodeOpened(
        await connection.request(agentMethods.loadSession, { ...setup, sessionId: how.sessionId }, signal),
      );
    case 'fork':
      return decodeOpened(
        await connection.request(agentMethods.forkSession, { ...setup, sessionId: how.sessionId }, signal),
      );
  }
}

function wireServer(server: McpServer): WireServer {
  if ('url' in server) return { ...server, headers: [...server.headers] };
  if ('serverId' in server) return server;
  const { name, command, args, env } = server;
  return { name, command, args: [...args], env: [...env] };
}
