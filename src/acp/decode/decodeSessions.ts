import { asList, asObject, asString, compact, decodeTime } from '../../shared/values/decodeValue';
import type { SessionId } from '../../shared/values/ids';

/** A session in an agent's list. */
export interface ListedSession {
  readonly sessionId: SessionId;
  /** Absolute, if the agent follows the protocol. */
  readonly cwd: string;
  /**
   * The additional folders of the last time it was opened, absolute like `cwd`; absent if the agent doesn't report
   * them.
   */
  readonly additionalDirectories?: readonly string[];
  /** Empty if the session has no title. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt?: number;
  readonly isArchived: boolean;
}

/** Returns the title that the agent stored, from its response to `session/set_title`; undefined if missing. */
export function decodeStoredTitle(value: unknown): string | undefined {
  return asString(asObject(value)?.['title'])?.replace(/\s+/g, ' ').trim() || undefined;
}

/**
 * Returns whether the agent has a session in memory, from its response to `session/status`; an unknown status counts as
 * saved.
 */
export function decodeSessionStatus(value: unknown): 'open' | 'saved' {
  return asObject(value)?.['status'] === 'open' ? 'open' : 'saved';
}

/** One page of an agent's list; the last page has no `nextCursor`. */
export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor?: string;
}

/** Reads a response to `session/list`; skips malformed items. */
export function decodeSessionPage(value: unknown): SessionPage {
  const page = asObject(value);
  const nextCursor = asString(page?.['nextCursor']);
  return { sessions: asList(page?.['sessions'], decodeSession) ?? [], ...(nextCursor ? { nextCursor } : {}) };
}

function decodeSession(value: unknown): ListedSession | undefined {
  const session = asObject(value);
  const [sessionId, cwd] = [asString(session?.['sessionId']), asString(session?.['cwd'])];
  if (!session || !sessionId || !cwd) return undefined;
  const additionalDirectories = asList(session['additionalDirectories'], asString);
  const updatedAt = decodeTime(session['updatedAt']);
  return {
    sessionId: sessionId as SessionId,
    cwd,
    title: asString(session['title'])?.trim() ?? '',
    isArchived: session['archived'] === true,
    ...(additionalDirectories ? { additionalDirectories } : {}),
    ...compact({ updatedAt }),
  };
}
