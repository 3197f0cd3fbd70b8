import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { validate as nes } from '@agentclientprotocol/sdk/experimental/nes';
import stable from '@agentclientprotocol/sdk/schema/v1/schema.json';
import unstable from '@agentclientprotocol/sdk/schema/v1/schema.unstable.json';

/** A message as it crosses the wire. */
export type Message = Readonly<Record<string, unknown>>;

interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
}

/** Methods that left the published schema and are served to older agents only. */
const legacy: ReadonlySet<unknown> = new Set(['session/set_model']);

/** Methods of agents outside of the schema, and the method whose params theirs are like. */
const conventions: ReadonlyMap<string, string> = new Map([['_session/steering', 'session/prompt']]);

/** What of the schema of next edit suggestions Parley speaks, to agents that advertise them. Only the SDK still has it. */
const nesParams: ReadonlyMap<string, { parse(value: unknown): unknown }> = new Map<
  string,
  { parse(value: unknown): unknown }
>([
  ['nes/start', nes.zStartNesRequest],
  ['nes/suggest', nes.zSuggestNesRequest],
  ['nes/close', nes.zCloseNesRequest],
  ['nes/accept', nes.zAcceptNesNotification],
  ['nes/reject', nes.zRejectNesNotification],
  ['document/didOpen', nes.zDidOpenDocumentNotification],
  ['document/didChange', nes.zDidChangeDocumentNotification],
  ['document/didClose', nes.zDidCloseDocumentNotification],
  ['document/didSave', nes.zDidSaveDocumentNotification],
  ['document/didFocus', nes.zDidFocusDocumentNotification],
]);

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(stable, 'v1');
ajv.addSchema(unstable, 'unstable');
const definitions = Object.entries(stable.$defs as Readonly<Record<string, Definition>>);
const unstableDefinitions = Object.entries(unstable.$defs as Readonly<Record<string, Definition>>);
/** What of the unstable schema Parley speaks, to agents that advertise it. */
const spokenUnstable: ReadonlySet<string> = new Set([
  'session/fork',
  'session/set_title',
  'session/archive',
  'session/unarchive',
  'auth/status',
  'session/status',
  'providers/list',
  'providers/set',
  'providers/disable',
  'mcp/message',
]);
const compiled = new Map<string, ValidateFunction>();

/** The definitions of the schema that messages were checked against, so that a case can tell what was covered. */
export const checkedDefinitions = new Set<string>();

/**
 * What is wrong with a message of the client's by the published schema of version 1; nothing when it is right. `answers` is the
 * method of the request that the message answers, if it answers one. Keys that the schema does not know count as wrong.
 */
export function findFaults(message: Message, answers: string | undefined): readonly string[] {
  if (message['jsonrpc'] !== '2.0') return ['jsonrpc must be "2.0"'];
  const { method } = message;
  if (method === undefined) return answerFaults(message, answers);
  if (typeof method !== 'string') return ['method must be a string'];
  if (typeof message['params'] !== 'object' || message['params'] === null || Array.isArray(message['params'])) {
    return ['params must be an object'];
  }
  if (legacy.has(method)) return [];
  const ofNes = nesParams.get(method);
  if (ofNes) return nesFaults(method, ofNes, message['params']);
  const kind = 'id' in message ? 'Request' : 'Notification';
  const name = nameOf(conventions.get(method) ?? method, ['agent', 'protocol'], kind);
  if (!name) return [`${method} is no ${kind.toLowerCase()} of a client`];
  return [...extraKeys(message, ['jsonrpc', 'id', 'method', 'params']), ...check(name, message['params'])];
}

/** The SDK drops what it doesn't know and what is wrong, so only what it leaves unchanged is right. */
function nesFaults(name: string, schema: { parse(value: unknown): unknown }, value: unknown): readonly string[] {
  checkedDefinitions.add(name);
  try {
    const read = schema.parse(value);
    return isDeepStrictEqual(read, value) ? [] : [`${name} is read as ${JSON.stringify(read)}`];
  } catch (error) {
    return [`${name} ${String(error)}`];
  }
}

function answerFaults(message: Message, answers: string | undefined): readonly string[] {
  const extra = extraKeys(message, ['jsonrpc', 'id', 'result', 'error']);
  if ('result' in message === 'error' in message) return ['an answer has either a result or an error', ...extra];
  if ('error' in message) return [...extra, ...check('Error', message['error'])];
  const name = answers === undefined ? undefined : nameOf(answers, ['client'], 'Response');
  return name ? [...extra, ...check(name, message['result'])] : ['a result for something that is no request', ...extra];
}

function nameOf(method: string, sides: readonly string[], kind: string): string | undefined {
  const known = spokenUnstable.has(method) ? unstableDefinitions : definitions;
  return known.find(
    ([name, { 'x-method': of, 'x-side': side }]) => of === method && sides.includes(side ?? '') && name.endsWith(kind),
  )?.[0];
}

/** System prompts are stable since 2026-11-06, which is later than this release of the schema; the filter of lists, plans by id, and MCP servers in the connection are unstable. */
function schemaOf(name: string, value: unknown): 'v1' | 'unstable' {
  if (!definitions.some(([known]) => known === name)) return 'unstable';
  const isObject = typeof value === 'object' && value !== null;
  if (name === 'InitializeRequest') return 'unstable';
  if (!isObject) return 'v1';
  return 'systemPrompt' in value || 'archived' in value || hasOwnServer(value) ? 'unstable' : 'v1';
}

function hasOwnServer(value: object): boolean {
  const servers = 'mcpServers' in value ? value.mcpServers : undefined;
  return Array.isArray(servers) && servers.some((server: Message) => server['type'] === 'acp');
}

/**
 * What conventions add: Qwen wants the answers to its questions beside the outcome of its request (Q23), agents of June 2026 know
 * providers by their older name (O01).
 */
const conventional: ReadonlyMap<string, string> = new Map([
  ['RequestPermissionResponse', 'answers'],
  ['SetProviderRequest', 'id'],
  ['DisableProviderRequest', 'id'],
]);

function withoutConvention(name: string, value: unknown): unknown {
  if (name === 'InitializeRequest') return withoutNes(value);
  const added = conventional.get(name);
  if (added === undefined || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => key !== added));
}

/** The capabilities of next edit suggestions have left the schema with them. */
function withoutNes(value: unknown): unknown {
  const { clientCapabilities, ...others } = value as { readonly clientCapabilities?: Message };
  const { nes: wanted, positionEncodings, ...known } = clientCapabilities ?? {};
  const isRight = wanted === undefined || nesFaults('nes', nes.zClientNesCapabilities, wanted).length === 0;
  return isRight && (positionEncodings === undefined) === (wanted === undefined)
    ? { ...others, clientCapabilities: known }
    : value;
}

function check(name: string, value: unknown): readonly string[] {
  const place = `${schemaOf(name, value)}#/$defs/${name}`;
  const validate = compiled.get(place) ?? ajv.compile({ $ref: place, unevaluatedProperties: false });
  compiled.set(place, validate);
  checkedDefinitions.add(name);
  if (validate(withoutConvention(name, value))) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${name}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`;
  });
}

function extraKeys(message: Message, known: readonly string[]): readonly string[] {
  return Object.keys(message)
    .filter((key) => !known.includes(key))
    .map((key) => `the key ${key} is no part of JSON-RPC`);
}
