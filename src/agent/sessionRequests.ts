import { decodeSessionPage, decodeSessionStatus, decodeStoredTitle, type SessionPage } from '../acp/decodeSessions';
import { isResourceNotFound } from '../acp/errors';
import { agentMethods } from '../acp/methods';
import type { SessionId } from '../shared/ids';
import type { Agent } from './agent';

/*
 * Requests about sessions that an agent keeps, whether they are open here or not. All of them reject as requests do.
 */

/** `session/list`: a page of the sessions in a folder, the first without a cursor; those that are archived only if they are wanted. */
export async function listSessions(
  agent: Agent,
  { cwd, cursor, archived }: { readonly cwd: string; readonly cursor: string | undefined; readonly archived: boolean },
  signal: AbortSignal,
): Promise<SessionPage> {
  const filter = archived ? { archived: 'only' as const } : {};
  const params = { cwd, ...(cursor === undefined ? {} : { cursor }), ...filter };
  return decodeSessionPage(await agent.ask(agentMethods.listSessions, params, signal));
}

/** `session/delete`; one that the agent does not know is as good as deleted. */
export async function deleteSession(agent: Agent, sessionId: SessionId): Promise<void> {
  try {
    await agent.ask(agentMethods.deleteSession, { sessionId });
  } catch (error) {
    if (!isResourceNotFound(error)) throw error;
  }
}

/** `session/set_title`; resolves to the title as the agent has stored it. Only where `can.setTitle` says so. */
export async function setTitle(agent: Agent, sessionId: SessionId, title: string): Promise<string> {
  return decodeStoredTitle(await agent.ask(agentMethods.setTitle, { sessionId, title })) ?? title;
}

/** `session/archive` or `session/unarchive`. Only where `can.archive` says so. */
export async function archiveSession(agent: Agent, sessionId: SessionId, isArchived: boolean): Promise<void> {
  const { archiveSession: archive, unarchiveSession: unarchive } = agentMethods;
  await agent.ask(isArchived ? archive : unarchive, { sessionId });
}

/** `session/status`. Only where `can.sessionStatus` says so. */
export async function sessionStatus(
  agent: Agent,
  sessionId: SessionId,
  signal: AbortSignal,
): Promise<'open' | 'saved'> {
  return decodeSessionStatus(await agent.ask(agentMethods.sessionStatus, { sessionId }, signal));
}
