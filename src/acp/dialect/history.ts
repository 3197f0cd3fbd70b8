import { asObject } from '../../shared/values/decodeValue';
import { decodeSubagent } from '../decode/decodeSubagent';
import { kindOfUpdate } from '../shape/updateKinds';

/**
 * Returns whether an update, as the agent sent it, is part of the conversation so far, and not of the session's current
 * state, options, or usage. A subagent that runs is part of the state.
 */
export function isHistory(update: unknown): boolean {
  const part = kindOfUpdate(asObject(update)?.['sessionUpdate'])?.part;
  if (part === 'subagent') return decodeSubagent(update)?.fields.state?.state !== 'running';
  return part === 'message' || part === 'step';
}
