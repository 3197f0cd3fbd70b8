// @ts-check
// What a newer schema of the protocol has that an older one hasn't: methods, types, properties, and values, each by name.

/** @typedef {{ [key: string]: unknown, 'x-method'?: string, properties?: Record<string, Node>, const?: unknown, enum?: unknown[] }} Node */

/**
 * The names of everything in a schema, in the words of the list of news.
 * @param {{ readonly $defs?: Readonly<Record<string, Node>> }} schema
 * @returns {Set<string>}
 */
export function namesIn(schema) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const [type, definition] of Object.entries(schema.$defs ?? {})) {
    names.add(definition['x-method'] === undefined ? `type ${type}` : `method ${definition['x-method']}`);
    collect(definition, type, names);
  }
  return names;
}

/** @param {unknown} node @param {string} type @param {Set<string>} names */
function collect(node, type, names) {
  if (Array.isArray(node)) for (const part of node) collect(part, type, names);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { properties = {}, const: value, enum: values = [], ...rest } = /** @type {Node} */ (node);
  for (const [property, inner] of Object.entries(properties)) {
    names.add(`property ${property} of ${type}`);
    collect(inner, type, names);
  }
  for (const one of value === undefined ? values : [value]) names.add(`value ${JSON.stringify(one)} in ${type}`);
  for (const part of Object.values(rest)) collect(part, type, names);
}

/**
 * What was added and removed, sorted. A type that is new is one line, not one for each of its properties.
 * @param {ReadonlySet<string>} before
 * @param {ReadonlySet<string>} after
 */
export function difference(before, after) {
  return { added: only(after, before), removed: only(before, after) };
}

/** @param {ReadonlySet<string>} these @param {ReadonlySet<string>} those */
function only(these, those) {
  const names = [...these].filter((name) => !those.has(name)).sort();
  const whole = new Set(names.flatMap((name) => /^type (\w+)$/.exec(name)?.[1] ?? []));
  return names.filter((name) => !whole.has(/ (?:of|in) (\w+)$/.exec(name)?.[1] ?? ''));
}
