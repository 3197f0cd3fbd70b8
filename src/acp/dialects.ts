import { asObject } from './decodeValue';
import type { Dialect } from './dialect';
import { v1 } from './v1/dialect';

/** The versions that Parley speaks (https://agentclientprotocol.com/protocol/initialization#protocol-version). */
const dialects: ReadonlyMap<number, Dialect> = new Map([v1].map((dialect) => [dialect.version, dialect]));

/** The version that Parley asks agents for. */
export const requestedDialect: Dialect = v1;

/** The version that an agent names in its answer to `initialize`; undefined when it names none. */
export function answeredVersion(answer: unknown): number | undefined {
  const version = asObject(answer)?.['protocolVersion'];
  return typeof version === 'number' && Number.isInteger(version) ? version : undefined;
}

/** How to speak this version; undefined for one that Parley doesn't support. */
export function dialectOf(version: number | undefined): Dialect | undefined {
  return version === undefined ? undefined : dialects.get(version);
}
