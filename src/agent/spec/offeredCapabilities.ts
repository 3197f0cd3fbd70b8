import type { OfferedCapabilities } from '../../acp/dialect/dialect';

/** By default, an agent is offered everything. */
export const allOffered: OfferedCapabilities = { fs: true, terminal: true };

/** Reads `clientCapabilities` of an agent's settings; undefined if everything is offered, `wrong` if it is invalid. */
export function toOffered(value: unknown): OfferedCapabilities | undefined | 'wrong' {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return 'wrong';
  const { fs = true, terminal = true, ...others } = value as Readonly<Record<string, unknown>>;
  // A misspelled key would leave something on that should be off.
  if (typeof fs !== 'boolean' || typeof terminal !== 'boolean' || Object.keys(others).length > 0) return 'wrong';
  return fs && terminal ? undefined : { fs, terminal };
}
