import {
  isIpAddress,
  isPort,
  natureOf,
  normalHost,
  targetName,
  writtenHost,
  type HostTarget,
} from '../../shared/limits/hostTarget';

/** A `host` of a rule: `example.com`, `*.example.com`, `*`, each with or without a port. */
export interface HostPattern {
  /** Undefined for every host. */
  readonly host: string | undefined;
  /** Whether it stands for the names below `host`, and not for `host` itself. */
  readonly isBelow: boolean;
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/** Reads a `host`; undefined if it isn't one. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, written = '', digits] = /^(\[[^\]]*\]|[^:]*|[^[]*:[^[]*:[^[]*?)(?::(\d{1,5}))?$/s.exec(text.trim()) ?? [];
  // An IPv6 address without brackets has no port.
  const isBare = !text.trim().startsWith('[') && text.split(':').length > 2;
  const [name, port] = isBare ? [text.trim(), undefined] : [written, digits === undefined ? undefined : Number(digits)];
  if (port !== undefined && !isPort(port)) return undefined;
  if (name === '*') return { host: undefined, isBelow: true, port };
  const isBelow = name.startsWith('*.');
  const host = normalHost(isBelow ? name.slice(2) : name);
  if (host === undefined || (isBelow && isIpAddress(host))) return undefined;
  return { host, isBelow, port };
}

/**
 * Returns whether a rule's `host` matches. To allow every host doesn't allow this computer, the local network, and
 * addresses without a name: these must be written out.
 */
export function matchesHost(text: string, { host, port }: HostTarget, isAllowed: boolean): boolean {
  const pattern = parseHostPattern(text);
  if (!pattern || (pattern.port !== undefined && pattern.port !== port)) return false;
  if (pattern.host === undefined) return !isAllowed || /^(name|otherAlphabet)$/.test(natureOf(host));
  return pattern.isBelow ? host.endsWith(`.${pattern.host}`) : host === pattern.host;
}

/** Returns the patterns to offer for a host, the narrowest first. Never those that stand for hosts of others. */
export function offeredHosts(target: HostTarget): readonly string[] {
  return [targetName(target), writtenHost(target.host)];
}
