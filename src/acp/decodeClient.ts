import type { SessionId } from '../shared/ids';
import { asObject } from './decodeValue';
import { invalidParams } from './errors';

/*
 * Params of what agents ask of us. Other than updates these are read strictly: what is required must be there, and what is
 * there must be well-formed, else the agent is told (-32602) instead of served something it did not mean.
 */

/** Whether a path is absolute on POSIX or on Windows. */
export function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** `sessionId` of any request or notification that has one. */
export function decodeSessionId(params: unknown): SessionId {
  const sessionId = asObject(params)?.['sessionId'];
  if (typeof sessionId !== 'string') throw invalidParams('sessionId must be a string', { field: 'sessionId' });
  return sessionId as SessionId;
}
