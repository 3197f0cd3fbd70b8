import stable from '@agentclientprotocol/sdk/schema/v1/schema.json';
import unstable from '@agentclientprotocol/sdk/schema/v1/schema.unstable.json';

interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly const?: string | number;
  readonly $ref?: string;
  readonly allOf?: readonly Definition[];
  readonly anyOf?: readonly Definition[];
  readonly oneOf?: readonly Definition[];
}

/** Stable and unstable definitions; the latter hold the former. */
const definitions = { ...stable.$defs, ...unstable.$defs } as Readonly<Record<string, Definition | undefined>>;

/** A method of the published schema. */
export interface PublishedMethod {
  readonly method: string;
  /** Who serves it: `agent`, `client`, `protocol` for both, or `proxy`. */
  readonly side: string;
  readonly kind: 'request' | 'notification';
}

/** Every method of the published schema. */
export function publishedMethods(): readonly PublishedMethod[] {
  return Object.entries(definitions).flatMap(([name, definition]) => {
    const { 'x-method': method, 'x-side': side } = definition ?? {};
    const kind = name.endsWith('Request') ? 'request' : name.endsWith('Notification') ? 'notification' : undefined;
    return method !== undefined && side !== undefined && kind ? [{ method, side, kind }] : [];
  });
}

/** The values that the published schema names for a choice; with `key` the tags of its variants. */
export function publishedValues(name: string, key?: string): readonly string[] {
  const { anyOf = [], oneOf = [] } = known(name);
  const values = [...anyOf, ...oneOf].map(
    (variant) => (key === undefined ? variant : variant.properties?.[key])?.const,
  );
  return values.flatMap((value) => (value === undefined ? [] : [String(value)]));
}

/** Paths of all that an object of capabilities can say in the published schema. */
export function publishedKeys(name: string, path = ''): readonly string[] {
  return Object.entries(known(name).properties ?? {}).flatMap(([key, property]) => {
    if (key === '_meta') return [];
    const { $ref, allOf = [], anyOf = [] } = property;
    const inner = [$ref, ...[...allOf, ...anyOf].map((one) => one.$ref)].find(Boolean)?.split('/').at(-1);
    const deeper = inner === undefined ? [] : publishedKeys(inner, `${path}${key}.`);
    return deeper.length > 0 ? deeper : [path + key];
  });
}

function known(name: string): Definition {
  const found = definitions[name];
  if (!found) throw new Error(`The published schema has no ${name} any more.`);
  return found;
}
