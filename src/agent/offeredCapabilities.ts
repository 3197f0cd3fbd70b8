import type { OfferedCapabilities } from '../acp/dialect';

/** Unless the user says otherwise, an agent is offered everything. */
export const allOffered: OfferedCapabilities = { fs: true, terminal: true };

/** Reads `clientCapabilities` of an agent's settings; undefined when everything is offered. */
export function toOffered(value: unknown): OfferedCapabilities | undefined | 'wrong' {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return 'wrong';
  const { fs = true, terminal = true, ...others } = value as Readonly<Record<string, unknown>>;
  // A word that is mistyped would leave something on that is meant to be off.
  if (typeof fs !== 'boolean' || typeof terminal !== 'boolean' || Object.keys(others).length > 0) return 'wrong';
  return fs && terminal ? undefined : { fs, terminal };
}
