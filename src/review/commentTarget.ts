import type { SessionKey } from '../shared/ids';
import type { AgentAuthor, Author } from './hunk';

interface OpenSession {
  readonly key: SessionKey;
  readonly agentName: string;
}

/** Who gets a comment on a change. */
export type CommentTarget<S extends OpenSession> =
  | { readonly kind: 'session'; readonly session: S }
  /** No session of the agent that made the change is open; without a name it is not known any more which agent that was. */
  | { readonly kind: 'other'; readonly agentName?: string };

/**
 * The session that made the change; when it is closed, the newest one of the same agent. Sessions come in the order in which they
 * were made. Of several authors the last one counts first.
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

/** The agent that made a change, when this session had no hand in it. */
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
