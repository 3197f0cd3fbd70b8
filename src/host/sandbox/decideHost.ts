import { normalTarget, targetName, type HostTarget } from '../../shared/limits/hostTarget';
import type { PermissionRules } from '../../session/services';
import type { Session } from '../../session/session';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';

/** Whether a connection is allowed, and the reason that the program in the sandbox gets. */
export type HostAnswer = { readonly allow: true } | { readonly allow: false; readonly reason: string };

/** What decisions about hosts need. */
export interface HostDecisionNeeds {
  readonly rules: PermissionRules;
  readonly isTrusted: () => boolean;
  /** Hosts at which the agent looks for updates. */
  readonly updateHosts?: readonly string[] | undefined;
}

/** The parts of a session that decide about its connections. */
export type DecidingSession = Pick<Session, 'hosts' | 'isClosed' | 'transcript'>;

/**
 * Decides whether a program in a sandbox may connect to a host: by rules, or by asking in a chat. `sessions` are those of
 * the program's agent; it isn't known which of them a connection is for.
 */
export async function decideHost(
  { rules, isTrusted, updateHosts = [] }: HostDecisionNeeds,
  sessions: readonly DecidingSession[],
  asked: HostTarget,
  signal: AbortSignal,
): Promise<HostAnswer> {
  const target = normalTarget(asked);
  if (!target) return denied(`"${showHiddenOnOneLine(asked.host.slice(0, 100))}" isn't a host.`);
  const name = targetName(target);
  if (!isTrusted()) return denied(`The workspace isn't trusted, so nothing can connect to ${name}.`);
  const session = askedSession(sessions);
  if (!session) return denied(`The session is closed, so nothing can connect to ${name}.`);
  const isAsked = !updateHosts.includes(name) || usesTools(session);
  const { isAllowed, by } = await session.hosts.decide(target, signal, rules, isAsked);
  if (isAllowed) return { allow: true };
  switch (by) {
    case 'you':
      return denied(`The user rejected the connection to ${name}.`);
    case 'rule':
      return denied(`A rule of the user rejects connections to ${name}.`);
    case 'nobody':
      return denied(
        isAsked
          ? `The user didn't respond to the request to connect to ${name}.`
          : `Updates can't be installed in the sandbox, so ${name} isn't needed.`,
      );
  }
}

/** Returns the session whose chat asks: the one that works. */
export function askedSession<S extends Pick<Session, 'isClosed' | 'transcript'>>(
  sessions: readonly S[],
): S | undefined {
  const open = sessions.filter(({ isClosed }) => !isClosed);
  return open.find(({ transcript }) => transcript.view.activity.state !== 'idle') ?? open.at(-1);
}

/** Whether the agent has used a tool in the turn that runs or was the last: a connection may then be for a command. */
function usesTools({ transcript: { order, entries } }: DecidingSession): boolean {
  const turn = Math.max(0, ...order.map((id) => entries.get(id)?.turn ?? 0));
  return order.some((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn && !entry.asks;
  });
}

function denied(reason: string): HostAnswer {
  return { allow: false, reason };
}
