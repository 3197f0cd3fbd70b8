// Checks the client's messages against the published schema of version 2.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
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

/**
 * Returns what is wrong with the client's messages; `wire` has the messages of both sides in order. Keys that the schema
 * doesn't have count as wrong.
 */
export function faultsOfSecond(wire: readonly (readonly [direction: string, message: object])[]): readonly string[] {
  const asked = new Map<unknown, string>();
  return wire.flatMap(([direction, any]) => {
    const message = any as Message;
    const { id, method } = message;
    if (direction !== 'send') {
      if (typeof method === 'string' && id !== undefined) asked.set(id, method);
      return [];
    }
    if (typeof method === 'string') {
      return check(
        nameOf(method, ['agent', 'protocol'], id === undefined ? 'Notification' : 'Request'),
        method,
        message['params'],
      );
    }
    if ('error' in message) return check('Error', 'error', message['error']);
    const answers = asked.get(id) ?? 'nothing';
    return check(nameOf(answers, ['client'], 'Response'), answers, message['result']);
  });
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
