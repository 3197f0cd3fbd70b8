import { asList, asObject, asString, compact, isAbsent, type JsonObject } from '../../shared/values/decodeValue';

/** An environment variable that an older agent requires. */
export interface AuthVariable {
  readonly name: string;
  readonly label?: string;
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

/**
 * A login method that the agent offers. Offering one does not mean that a login is required
 * (https://agentclientprotocol.com/protocol/authentication).
 */
export type AuthMethod = {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
} & (
  | { readonly type: 'agent' }
  /** Runs the agent's own program in a terminal, with these arguments after its own. */
  | { readonly type: 'terminal'; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  /** Runs exactly this program in a terminal: the convention `_meta["terminal-auth"]`. */
  | {
      readonly type: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly label?: string;
    }
  /** No longer in the schema. */
  | { readonly type: 'env_var'; readonly vars: readonly AuthVariable[]; readonly link?: string }
  /** The conventions `_meta["api-key"]` and `_meta.gateway`. */
  | { readonly type: 'apiKey'; readonly provider?: string }
  | { readonly type: 'gateway'; readonly needsRestart: boolean }
);

/** Reads an item of `authMethods`; undefined if it is malformed or of an unsupported type. */
export function decodeAuthMethod(value: unknown): AuthMethod | undefined {
  const method = asObject(value);
  const id = asString(method?.['id']);
  if (!method || id === undefined) return undefined;
  const name = asString(method['name'])?.trim();
  const base = compact({ id, name: name ? name : id, description: asString(method['description']) });
  const meta = asObject(method['_meta']);
  const reported = asObject(meta?.['terminal-auth']);
  const command = asString(reported?.['command']);
  if (reported && command) {
    return {
      ...base,
      type: 'command',
      command,
      ...program(reported),
      ...compact({ label: asString(reported['label']) }),
    };
  }
  // Qwen declares the type only here.
  const hidden = isAbsent(method['type']) && meta?.['type'] === 'terminal' ? meta : undefined;
  switch (asString((hidden ?? method)['type']) ?? 'agent') {
    case 'terminal':
      return { ...base, type: 'terminal', ...program(hidden ?? method) };
    case 'env_var': {
      const vars = asList(method['vars'], decodeVariable) ?? [];
      if (vars.length === 0) return undefined;
      return { ...base, type: 'env_var', vars, ...compact({ link: asString(method['link']) }) };
    }
    case 'agent':
      return { ...base, ...byMeta(meta) };
    default:
      return undefined;
  }
}

function byMeta(
  meta: JsonObject | undefined,
): { type: 'agent' } | { type: 'apiKey' } | { type: 'gateway'; needsRestart: boolean } {
  const key = asObject(meta?.['api-key']);
  if (key) return { type: 'apiKey', ...compact({ provider: asString(key['provider']) }) };
  const gateway = asObject(meta?.['gateway']);
  // Some agents send the boolean as a string.
  if (gateway) return { type: 'gateway', needsRestart: String(gateway['restartRequired']) === 'true' };
  return { type: 'agent' };
}

function program(from: JsonObject): { args: readonly string[]; env: Readonly<Record<string, string>> } {
  const env = Object.entries(asObject(from['env']) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isVariableName(entry[0]),
  );
  return { args: asList(from['args'], asString) ?? [], env: Object.fromEntries(env) };
}

function decodeVariable(value: unknown): AuthVariable | undefined {
  const variable = asObject(value);
  const name = asString(variable?.['name']);
  if (!variable || name === undefined || !isVariableName(name)) return undefined;
  return {
    name,
    ...compact({ label: asString(variable['label']) }),
    isSecret: variable['secret'] !== false,
    isOptional: variable['optional'] === true,
  };
}

function isVariableName(name: string): boolean {
  return name !== '' && !/[=\0]/.test(name);
}
