// Damages agents' messages in ways that agents do and in ways that only a malicious agent would.

type Random = () => number;

/** Nested more deeply than JSON.stringify supports. */
const bottomless = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
const huge = 'x'.repeat(100_000);

const replacements: readonly ((value: unknown) => unknown)[] = [
  () => undefined,
  () => null,
  () => 0,
  () => -1.5,
  () => 1e308,
  () => '',
  () => 'words',
  () => huge,
  () => '__proto__',
  () => true,
  () => [],
  () => ({}),
  () => bottomless,
  () => ({ toString: 'no function', constructor: null, length: -1 }),
  (value) => [value],
  (value) => [value, null, value, 7],
  (value) => ({ value }),
];

/** Returns a copy with one to four of its parts missing or replaced. */
export function mutate(value: unknown, random: Random): unknown {
  let mutated: unknown = structuredClone(value);
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) mutated = mutateOnce(mutated, random);
  return mutated;
}

function mutateOnce(value: unknown, random: Random): unknown {
  const keys = typeof value === 'object' && value !== null && value !== bottomless ? Object.keys(value) : [];
  const key = pick(keys, random);
  // Replaces the whole message sometimes, and its parts most of the time.
  if (key === undefined || random() < 0.1) return pick(replacements, random)!(value);
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  const part = mutateOnce(copy[key], random);
  if (part === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, key);
  else copy[key] = part;
  return copy;
}

/** Returns a random element of a list, or undefined if it is empty. */
export function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)];
}
