import type { PermissionOption } from '../../shared/transcript/transcript';
import { asList, asObject, asOneOf, asString } from '../../shared/values/decodeValue';
import { invalidParams } from '../base/errors';
import type { RequestPermissionResponse } from '../schema';

const permissionKinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;

/** Reads the options of a permission request; throws the error for the agent if they aren't a list. */
export function decodePermissionOptions(value: unknown): readonly PermissionOption[] {
  const options = asList(value, decodePermissionOption);
  if (!options) throw invalidParams('options must be a list', { field: 'options' });
  return options;
}

function decodePermissionOption(value: unknown): PermissionOption | undefined {
  const option = asObject(value);
  const optionId = asString(option?.['optionId']);
  if (!option || optionId === undefined) return undefined;
  const kind = asOneOf(option['kind'], permissionKinds) ?? 'unknown';
  return { optionId, name: asString(option['name']) ?? optionId, kind };
}

/** Returns the response to a request: the chosen option, or undefined if the request was withdrawn. */
export function permissionAnswer(optionId: string | undefined): RequestPermissionResponse {
  if (optionId === undefined) return { outcome: { outcome: 'cancelled' } };
  return { outcome: { outcome: 'selected', optionId } };
}
