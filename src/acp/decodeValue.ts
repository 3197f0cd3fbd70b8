import { isRecord } from '../shared/isRecord';

/** A JSON object whose keys nobody has promised anything about. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is an object (no array, no null). */
export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** The value if it is a string; anything else counts as absent, as the protocol's lenient reading asks for. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Decodes each item of a list and leaves out those that cannot be; undefined when it is no list at all. */
export function asList<T>(value: unknown, decode: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: T[] = [];
  for (const item of value as readonly unknown[]) {
    const decoded = decode(item);
    if (decoded !== undefined) items.push(decoded);
  }
  return items;
}

/** The value if it is one of these words. */
export function asOneOf<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}

/** Whether a field is not there; on the wire `null` means the same. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Deeper than this nobody reads, and what goes on without end cannot be sent to the page or stored. */
const depthLimit = 100;

/** A value of any shape, its innermost parts replaced by an ellipsis where it is nested very deep. */
export function asRaw(value: unknown): unknown {
  return isDeep(value, depthLimit) ? cutDeep(value, depthLimit) : value;
}

function isDeep(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((item) => isDeep(item, limit - 1));
}

function cutDeep(value: unknown, limit: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (limit === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => cutDeep(item, limit - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutDeep(item, limit - 1)]));
}

/** Copies an object without the properties that are undefined, so that absent and undefined stay one thing. */
export function compact<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
