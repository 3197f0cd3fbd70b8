import { asList, asObject, asString } from './decodeValue';
import type { SessionId } from '../shared/ids';

/** A session as an agent lists it. */
export interface ListedSession {
  readonly sessionId: SessionId;
  /** Absolute as far as the agent is right. */
  readonly cwd: string;
  /** The folders that it was last opened with beside `cwd`, as absolute as it; absent when the agent does not tell. */
  readonly additionalDirectories?: readonly string[];
  /** Empty when it has none. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt?: number;
  readonly isArchived: boolean;
}

/** The title as the agent has stored it, from its answer to `session/set_title`; undefined when it does not say. */
export function decodeStoredTitle(value: unknown): string | undefined {
  return asString(asObject(value)?.['title'])?.replace(/\s+/g, ' ').trim() || undefined;
}

/** Whether the agent has a session in memory, from its answer to `session/status`; what it does not know counts as saved. */
export function decodeSessionStatus(value: unknown): 'open' | 'saved' {
  return asObject(value)?.['status'] === 'open' ? 'open' : 'saved';
}

/** One page of an agent's list; without `nextCursor` it is the last. */
export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor?: string;
}

/** Reads an answer to `session/list`; bad items are passed over. */
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
  const updatedAt = Date.parse(asString(session['updatedAt']) ?? '');
  return {
    sessionId: sessionId as SessionId,
    cwd,
    title: asString(session['title'])?.trim() ?? '',
    isArchived: session['archived'] === true,
    ...(additionalDirectories ? { additionalDirectories } : {}),
    ...(Number.isNaN(updatedAt) ? {} : { updatedAt }),
  };
}
