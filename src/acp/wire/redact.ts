import { agentMethods, clientMethods } from './methods';
import { hidden, isSecretName, redactText } from '../base/redactText';
import { isRecord } from '../../shared/values/isRecord';

/** Removes secrets from values that will be shown, logged, or exported. Neither method changes its argument. */
export interface Redactor {
  /** Returns a copy of a JSON value without its secrets; parts without secrets are shared with the original. */
  redact(value: unknown): unknown;
  redactText(text: string): string;
}

const maximumDepth = 64;
/** Numbers under these keys are counts, not secrets. */
const tokenKey = /token/i;
/** Keys whose values are maps or lists of secrets, under any keys. */
const secretMap =
  /^(env(ironment)?([-_]?(vars?|variables?))?|(extra|custom|default|auth|http|request|response)?[-_]?headers)$/i;
/** Methods whose messages identify the user. */
const accountMethods: ReadonlySet<unknown> = new Set([
  clientMethods.authStatusUpdate.method,
  clientMethods.authStatusUpdateByConvention.method,
]);
/** Methods whose `_meta` is what the user typed; the second is of version 2. */
const loginMethods: ReadonlySet<unknown> = new Set([agentMethods.authenticate.method, 'auth/login']);
const openAccountFields = new Set(['state']);
/** Params of `providers/set` that aren't secret. */
const openProviderParams = new Set(['providerId', 'apiType']);

const secretOption =
  /^--?[\w-]*(token|api[-_]?key|secret|passw(or)?d|passphrase|credential|auth|(private|access|session)[-_]?key)[\w-]*$/i;

/**
 * Creates a redactor for `secrets`. It also hides values under names of secrets (environment, headers, tokens,
 * passwords, login data, and provider settings) and texts that look like keys anywhere. Values under four characters,
 * and short plain words or numbers, aren't searched for, because that would hide ordinary text.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const values = valuePattern(secrets);
  const withoutAny = (text: string): string => redactText(values === undefined ? text : text.replace(values, hidden));
  return { redactText: withoutAny, redact: (value) => redactMessage(value, withoutAny) };
}

function valuePattern(secrets: readonly string[]): RegExp | undefined {
  const forms = new Set<string>();
  for (const secret of secrets.filter(isWorthHiding)) {
    forms.add(secret);
    // The same value inside a JSON string and inside a URL.
    forms.add(JSON.stringify(secret).slice(1, -1));
    forms.add(encodeURIComponent(Buffer.from(secret).toString()));
  }
  if (forms.size === 0) return undefined;
  // Longest first, so that a secret that starts with another one is hidden completely.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

function isWorthHiding(secret: string): boolean {
  if (/^\d+$/.test(secret)) return secret.length >= 6;
  return secret.length >= 6 || (secret.length >= 4 && /[a-z]/i.test(secret) && /[^a-z]/i.test(secret));
}

type TextRedactor = (text: string) => string;

function redactMessage(message: unknown, redactText: TextRedactor): unknown {
  if (!isRecord(message)) return redactValue(message, redactText, 0);
  const copy = redactValue(message, redactText, 0);
  if (!isRecord(copy)) return copy;
  const { params, result } = message;
  if (isRecord(params) && loginMethods.has(message['method'])) {
    return {
      ...copy,
      params: { ...asRecord(copy['params']), ...('_meta' in params ? { _meta: hideAll(params['_meta'], 0) } : {}) },
    };
  }
  if (isRecord(params) && message['method'] === agentMethods.setProvider.method) {
    return { ...copy, params: hideBut(params, openProviderParams) };
  }
  if (isRecord(params) && accountMethods.has(message['method'])) {
    return { ...copy, params: hideBut(params, openAccountFields) };
  }
  if (isRecord(params) && message['method'] === clientMethods.sessionUpdate.method) {
    const update = asRecord(copy['params'])['update'];
    if (isRecord(update))
      return { ...copy, params: { ...asRecord(copy['params']), update: redactBytes(update, redactText) } };
  }
  // The response to `auth/status`.
  if (isRecord(result) && Array.isArray(result['accounts'])) {
    return { ...copy, result: hideBut(result, openAccountFields) };
  }
  // An accepted elicitation: the user's input in the agent's form.
  if (isRecord(result) && result['action'] === 'accept' && 'content' in result) {
    return { ...copy, result: { ...asRecord(copy['result']), content: hideAll(result['content'], 0) } };
  }
  return copy;
}

/** Terminal output of version 2 is base64, in which a secret isn't found as text. */
function redactBytes(update: Readonly<Record<string, unknown>>, redactText: TextRedactor): unknown {
  const { sessionUpdate, data, output } = update;
  const plain = (bytes: string) => {
    const text = Buffer.from(bytes, 'base64').toString();
    const redacted = redactText(text);
    return redacted === text ? bytes : Buffer.from(redacted).toString('base64');
  };
  if (sessionUpdate === 'terminal_output_chunk' && typeof data === 'string') return { ...update, data: plain(data) };
  if (sessionUpdate !== 'terminal_update' || !isRecord(output) || typeof output['data'] !== 'string') return update;
  return { ...update, output: { ...output, data: plain(output['data']) } };
}

function redactValue(value: unknown, redactText: TextRedactor, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maximumDepth) return hidden;
  if (Array.isArray(value)) return redactList(value, redactText, depth);
  const copy: Record<string, unknown> = {};
  const fields = value as Readonly<Record<string, unknown>>;
  // `{ name: 'X-Api-Key', value: '…' }` anywhere.
  const named = typeof fields['name'] === 'string' && isSecretName(fields['name']);
  for (const [key, field] of Object.entries(fields)) {
    if (secretMap.test(key)) define(copy, key, hideNamed(field, depth + 1));
    else if (isSecretName(key) || (named && key === 'value') || (key === 'auth' && typeof field === 'string'))
      define(copy, key, hideAll(field, depth + 1, tokenKey.test(key)));
    else define(copy, key, redactValue(field, redactText, depth + 1));
  }
  return copy;
}

function redactList(list: readonly unknown[], redactText: TextRedactor, depth: number): unknown[] {
  return list.map((item, index) => {
    const previous = list[index - 1];
    // A command line such as `--api-key`, `VALUE`.
    if (typeof previous !== 'string' || typeof item !== 'string') return redactValue(item, redactText, depth + 1);
    // `-u`, `user:VALUE`.
    const user = /^(?:-u|--user|--proxy-user)$/.test(previous) ? /^[^\s:]{1,100}:(?!\d+$)/.exec(item) : null;
    if (user) return user[0] + hidden;
    const isOptionValue = secretOption.test(previous);
    return isOptionValue && !item.startsWith('-') ? hidden : redactValue(item, redactText, depth + 1);
  });
}

/** Redacts `env` and `headers`, a list of `{ name, value }` or an object; names stay readable. */
function hideNamed(value: unknown, depth: number): unknown {
  if (!Array.isArray(value)) return hideAll(value, depth);
  return value.map((item: unknown) => (isRecord(item) ? hideBut(item, new Set(['name'])) : hideAll(item, depth)));
}

function hideAll(value: unknown, depth: number, keepNumbers = false): unknown {
  if (value === null || value === undefined) return value;
  if (keepNumbers && typeof value === 'number') return value;
  if (typeof value !== 'object' || depth > maximumDepth) return hidden;
  if (Array.isArray(value)) return value.map((item: unknown) => hideAll(item, depth + 1, keepNumbers));
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) define(copy, key, hideAll(field, depth + 1, keepNumbers));
  return copy;
}

function hideBut(value: Readonly<Record<string, unknown>>, open: ReadonlySet<string>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) define(copy, key, open.has(key) ? field : hideAll(field, 0));
  return copy;
}

/** Sets an own property even for the key `__proto__`, which JSON may contain. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true });
  else target[key] = value;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
