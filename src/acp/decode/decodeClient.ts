import type { SessionId } from '../../shared/values/ids';
import { asObject } from '../../shared/values/decodeValue';
import { invalidParams } from '../base/errors';

/*
 * Params of the agent's requests. Except for updates, they are read strictly: required fields must be present and all
 * fields well-formed. Otherwise the agent gets an error (-32602) instead of a result that it didn't mean to request.
 */

/** Returns whether a path is absolute on POSIX or on Windows. */
export function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Reads `sessionId` from any request or notification that has one. */
export function decodeSessionId(params: unknown): SessionId {
  const sessionId = asObject(params)?.['sessionId'];
  if (typeof sessionId !== 'string') throw invalidParams('sessionId must be a string', { field: 'sessionId' });
  return sessionId as SessionId;
}
