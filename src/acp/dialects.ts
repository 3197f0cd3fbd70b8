import { asObject } from '../shared/values/decodeValue';
import type { Dialect } from './dialect/dialect';
import { v1 } from './v1/dialect';
import { v2 } from './v2/dialect';

/** The supported versions (https://agentclientprotocol.com/protocol/initialization#protocol-version). */
const dialects: ReadonlyMap<number, Dialect> = new Map([v1, v2].map((dialect) => [dialect.version, dialect]));

/** The version that Parley requests from agents by default. */
export const requestedDialect: Dialect = v1;

/** The version that Parley offers to agents that may support it. A draft, so users choose it. */
export const offeredDialect: Dialect = v2;

/** Returns the version in an agent's response to `initialize`; undefined if missing. */
export function answeredVersion(answer: unknown): number | undefined {
  const version = asObject(answer)?.['protocolVersion'];
  return typeof version === 'number' && Number.isInteger(version) ? version : undefined;
}

/** Returns the dialect of a version; undefined if Parley doesn't support it. */
export function dialectOf(version: number | undefined): Dialect | undefined {
  return version === undefined ? undefined : dialects.get(version);
}
