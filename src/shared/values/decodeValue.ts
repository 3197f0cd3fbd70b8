import { isRecord } from './isRecord';

/** A JSON object with unchecked keys and values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object (not an array or null). */
export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns the value if it is a string; other values count as absent, because the protocol requires lenient reading. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the value if it is a finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Decodes each item of a list and skips items that can't be decoded; undefined if the value isn't a list. */
export function asList<T>(value: unknown, decode: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: T[] = [];
  for (const item of value as readonly unknown[]) {
    const decoded = decode(item);
    if (decoded !== undefined) items.push(decoded);
  }
  return items;
}

/** Returns the value if it is one of `words`. */
export function asOneOf<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}

/** Returns whether a field is absent; in messages, `null` means the same. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Maximum nesting depth. Deeper values can't be sent to the page or stored, and nothing reads them. */
const depthLimit = 100;

/** Returns a value of any shape, with parts nested too deep replaced by an ellipsis. */
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

/** An object whose undefined properties are left out. */
type Compact<T extends object> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** Copies an object without its undefined properties, so that absent and undefined stay equal. */
export function compact<const T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Compact<T>;
}

/** Reads an ISO 8601 time as milliseconds since the epoch. */
export function decodeTime(value: unknown): number | undefined {
  const time = Date.parse(asString(value) ?? '');
  return Number.isNaN(time) ? undefined : time;
}
