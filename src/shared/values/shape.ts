import { isRecord } from './isRecord';

/**
 * What a stored value has to be, as far as the code relies on it. Returns whether a value is that. Fields that an object has besides are from
 * a newer version, and count for nothing.
 */
export type Shape<T> = (value: unknown) => value is T;

/** The shape of a field that may be absent. */
interface OptionalShape<T> extends Shape<T | undefined> {
  readonly isOptional: true;
}

export type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalShape<unknown> ? K : never;
}[keyof F];

/** The type of what has a shape. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

type Whole<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ShapeOf<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: ShapeOf<F[K]> };

export const text: Shape<string> = (value) => typeof value === 'string';
/** A finite number. */
export const number: Shape<number> = (value): value is number => Number.isFinite(value);
export const boolean: Shape<boolean> = (value) => typeof value === 'boolean';
export const anything: Shape<unknown> = (_value): _value is unknown => true;

/** One of some values. */
export function oneOf<const T extends string | number | boolean>(...values: readonly T[]): Shape<T> {
  return (value): value is T => values.includes(value as T);
}

export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  const isShaped = (value: unknown): value is T | undefined => value === undefined || shape(value);
  return Object.assign(isShaped, { isOptional: true as const });
}

export function list<T>(item: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every((one) => item(one));
}

/** An object with these fields. */
export function fields<F extends Fields>(shapes: F): Shape<Whole<F>> {
  const entries = Object.entries(shapes);
  return (value): value is Whole<F> => isRecord(value) && entries.every(([name, shape]) => shape(value[name]));
}

/** What has at least one of some shapes. */
export function either<S extends readonly Shape<unknown>[]>(...shapes: S): Shape<ShapeOf<S[number]>> {
  return (value): value is ShapeOf<S[number]> => shapes.some((shape) => shape(value));
}
