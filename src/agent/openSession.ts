import type { AcpConnection } from '../acp/connection';
import type { AgentCapabilities } from '../acp/decodeAgent';
import { agentMethods } from '../acp/methods';
import type { SessionId } from '../shared/ids';

/** How a session is opened: anew, or one that the agent knows from before. */
export type OpenMethod =
  { readonly method: 'new' } | { readonly method: 'resume' | 'load'; readonly sessionId: SessionId };

/** The folders of a session, absolute. */
export interface SessionFolders {
  readonly cwd: string;
  /** Told to agents that understand it; the others work in `cwd` alone. */
  readonly additionalDirectories: readonly string[];
}

/** Sends the request that opens a session (https://agentclientprotocol.com/protocol/session-setup); its result is unchecked. */
export function requestSession(
  connection: AcpConnection,
  can: AgentCapabilities | undefined,
  how: OpenMethod,
  folders: SessionFolders,
  signal: AbortSignal,
): Promise<unknown> {
  const additionalDirectories = [...folders.additionalDirectories];
  const sends = can?.additionalDirectories === true && additionalDirectories.length > 0;
  const setup = { cwd: folders.cwd, mcpServers: [], ...(sends ? { additionalDirectories } : {}) };
  switch (how.method) {
    case 'new':
      return connection.request(agentMethods.newSession, setup, signal);
    case 'resume':
      return connection.request(agentMethods.resumeSession, { ...setup, sessionId: how.sessionId }, signal);
    case 'load':
      return connection.request(agentMethods.loadSession, { ...setup, sessionId: how.sessionId }, signal);
  }
}
