import { isAcpError } from '../../acp/base/errors';
import { asNumber, asObject, asString } from '../../shared/values/decodeValue';

/** What an agent's code says about a failure. `other`: it is no limit, whatever its words are. */
export type LimitCode = 'limit' | 'rate' | 'overloaded' | 'other';

/** Codes by name: of Claude (`errorKind`), Codex (`codexErrorInfo`), and of the providers. */
const names: Readonly<Record<string, LimitCode>> = {
  usagelimitexceeded: 'limit',
  usagelimitreached: 'limit',
  sessionbudgetexceeded: 'limit',
  billingerror: 'limit',
  insufficientquota: 'limit',
  ratelimit: 'rate',
  ratelimiterror: 'rate',
  ratelimitexceeded: 'rate',
  toomanyrequests: 'rate',
  serveroverloaded: 'overloaded',
  overloaded: 'overloaded',
  overloadederror: 'overloaded',
  authenticationfailed: 'other',
  authenticationerror: 'other',
  unauthorized: 'other',
  permissionerror: 'other',
  invalidrequest: 'other',
  invalidrequesterror: 'other',
  badrequest: 'other',
  contextwindowexceeded: 'other',
  contextlengthexceeded: 'other',
  maxoutputtokens: 'other',
  modelnotfound: 'other',
  notfounderror: 'other',
  requesttoolarge: 'other',
  sandboxerror: 'other',
  cyberpolicy: 'other',
};
const statuses: Readonly<Record<number, LimitCode>> = { 429: 'rate', 503: 'overloaded', 529: 'overloaded' };
const keys = ['errorKind', 'codexErrorInfo', 'type', 'code', 'status', 'statusCode', 'httpStatusCode', 'error', 'data'];
const deepest = 4;

/** Returns what the codes of an agent's error say about a limit; undefined if they don't say anything. */
export function limitCode(error: unknown): LimitCode | undefined {
  if (!isAcpError(error)) return undefined;
  return statuses[error.code] ?? codeIn(error.data, 0);
}

function codeIn(value: unknown, depth: number): LimitCode | undefined {
  const name = asString(value)
    ?.replace(/[^a-z]/gi, '')
    .toLowerCase();
  if (name !== undefined) return Object.hasOwn(names, name) ? names[name] : undefined;
  const number = asNumber(value);
  if (number !== undefined) return statuses[number];
  const fields = asObject(value);
  if (!fields || depth > deepest) return undefined;
  for (const key of keys) {
    const found = codeIn(fields[key], depth + 1);
    if (found) return found;
  }
  // Codex has the name as a key if more is known, such as the status.
  for (const [key, inner] of Object.entries(asObject(fields['codexErrorInfo']) ?? {})) {
    const found = codeIn(key, depth + 1) ?? codeIn(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}
