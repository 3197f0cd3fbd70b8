import { compact } from '../../shared/values/decodeValue';
import {
  decodeSessionPage,
  decodeSessionStatus,
  decodeStoredTitle,
  type SessionPage,
} from '../../acp/decode/decodeSessions';
import { isResourceNotFound } from '../../acp/base/errors';
import { agentMethods } from '../../acp/wire/methods';
import type { SessionId } from '../../shared/values/ids';
import type { Agent } from './agent';

/* Requests about an agent's stored sessions, whether they are open here or not. All of them reject as requests do. */

/**
 * Sends `session/list`: a page of the sessions in a folder, the first one without a cursor. Agents that archive sessions list
 * archived ones only on request.
 */
export async function listSessions(
  agent: Agent,
  { cwd, cursor }: { readonly cwd: string; readonly cursor: string | undefined },
  signal: AbortSignal,
): Promise<SessionPage> {
  const filter = agent.can?.archive ? { archived: 'include' as const } : {};
  const params = { cwd, ...compact({ cursor }), ...filter };
  return decodeSessionPage(await agent.ask(agentMethods.listSessions, params, signal));
}

/** Sends `session/delete`. A session unknown to the agent counts as deleted. */
export async function deleteSession(agent: Agent, sessionId: SessionId): Promise<void> {
  try {
    await agent.ask(agentMethods.deleteSession, { sessionId });
  } catch (error) {
    if (!isResourceNotFound(error)) throw error;
  }
}

/** Sends `session/set_title`; resolves to the title as the agent stored it. Call only if `can.setTitle` is true. */
export async function setTitle(agent: Agent, sessionId: SessionId, title: string): Promise<string> {
  return decodeStoredTitle(await agent.ask(agentMethods.setTitle, { sessionId, title })) ?? title;
}

/** Sends `session/archive` or `session/unarchive`. Call only if `can.archive` is true. */
export async function archiveSession(agent: Agent, sessionId: SessionId, isArchived: boolean): Promise<void> {
  const { archiveSession: archive, unarchiveSession: unarchive } = agentMethods;
  await agent.ask(isArchived ? archive : unarchive, { sessionId });
}

/** Sends `session/status`. Call only if `can.sessionStatus` is true. */
export async function sessionStatus(
  agent: Agent,
  sessionId: SessionId,
  signal: AbortSignal,
): Promise<'open' | 'saved'> {
  return decodeSessionStatus(await agent.ask(agentMethods.sessionStatus, { sessionId }, signal));
}
