// Checks the client's messages against the published schema of version 2.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from '@agentclientprotocol/sdk/schema/v2/schema.unstable.json';

type Message = Readonly<Record<string, unknown>>;

interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(schema, 'v2');
const definitions = Object.entries(schema.$defs as Readonly<Record<string, Definition>>);
const compiled = new Map<string, ValidateFunction>();

/** Returns what is wrong with all messages of the client; `wire` has those of both sides in order. */
export function faultsOnWire(wire: readonly (readonly [direction: string, message: object])[]): readonly string[] {
  const asked = new Map<unknown, string>();
  return wire.flatMap(([direction, any]) => {
    const message = any as Message;
    if (direction === 'send') return faultsOfSecond(message, asked.get(message['id']));
    if (typeof message['method'] === 'string' && 'id' in message) asked.set(message['id'], message['method']);
    return [];
  });
}

/**
 * Returns what is wrong with a message of the client. `answers` is the method of the request that the message answers.
 * Keys that the schema doesn't have count as wrong.
 */
export function faultsOfSecond(message: Message, answers: string | undefined): readonly string[] {
  const { id, method } = message;
  if (typeof method === 'string') {
    const kind = id === undefined ? 'Notification' : 'Request';
    return check(nameOf(method, ['agent', 'protocol'], kind), method, message['params']);
  }
  if ('error' in message) return check('Error', 'error', message['error']);
  return check(nameOf(answers ?? '', ['client'], 'Response'), answers ?? 'nothing', message['result']);
}

function nameOf(method: string, sides: readonly string[], kind: string): string | undefined {
  return definitions.find(
    ([name, { 'x-method': of, 'x-side': side }]) => of === method && sides.includes(side ?? '') && name.endsWith(kind),
  )?.[0];
}

function check(name: string | undefined, what: string, value: unknown): readonly string[] {
  if (name === undefined) return [`${what} is no method of version 2`];
  const validate = compiled.get(name) ?? ajv.compile({ $ref: `v2#/$defs/${name}`, unevaluatedProperties: false });
  compiled.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${name}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`;
  });
}
