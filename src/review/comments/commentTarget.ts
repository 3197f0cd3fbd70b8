import type { SessionKey } from '../../shared/values/ids';
import type { AgentAuthor, Author } from '../hunks/hunk';

interface OpenSession {
  readonly key: SessionKey;
  readonly agentName: string;
}

/** The recipient of a comment on a change. */
export type CommentTarget<S extends OpenSession> =
  | { readonly kind: 'session'; readonly session: S }
  /** The agent that made the change has no open session. Without `agentName`, the agent is unknown. */
  | { readonly kind: 'other'; readonly agentName?: string };

/**
 * Returns the session that made the change or, if it is closed, the newest session of the same agent. `sessions` must be in order of
 * creation. If a change has several authors, the last one comes first.
 */
export function commentTarget<S extends OpenSession>(
  sessions: readonly S[],
  authors: readonly Author[],
): CommentTarget<S> {
  const agents = authors.filter((author): author is AgentAuthor => author.kind === 'agent').reverse();
  const found =
    first(agents, ({ session }) => sessions.find(({ key }) => key === session)) ??
    first(agents, (agent) => sessions.findLast(({ agentName }) => agentName === agent.agentName));
  if (found) return { kind: 'session', session: found };
  const [agent] = agents;
  return { kind: 'other', ...(agent && { agentName: agent.agentName }) };
}

/** Returns the agent that made the change, if it wasn't this session's. */
export function otherAuthor(authors: readonly Author[], session: SessionKey | undefined): string | undefined {
  const agents = authors.filter((author) => author.kind === 'agent');
  return agents.some((agent) => agent.session === session) ? undefined : agents.at(-1)?.agentName;
}

function first<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
