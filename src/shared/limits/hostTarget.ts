/** Where a program in a sandbox wants to connect to. */
export interface HostTarget {
  /** A name in lower case and ASCII, or an IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

const longestName = 253;
const longestLabel = 63;

/**
 * Returns a host as rules and questions contain it: in lower case, without a dot at its end, names in other alphabets as
 * `xn--…`, and IP addresses in their one usual form. Returns undefined for what isn't a host.
 */
export function normalHost(written: string): string | undefined {
  const host = written.replace(/^\[(.*)\]$/s, '$1');
  if (host.includes(':')) return normalIpv6(host);
  if (written !== host || host.length > longestName + 1 || /[\s\p{C}/?#@\\%[\]<>^|]/u.test(host)) return undefined;
  const name = hostnameOf(host.replace(/\.$/, ''));
  // Names with an underscore exist, though not for web servers.
  const isName = name?.split('.').every((label) => label.length <= longestLabel && /^(?!-)[\w-]+(?<!-)$/.test(label));
  return isName && name !== undefined && name.length <= longestName ? name : undefined;
}

/** Returns a target with its usual host; undefined if there is no such host or port. */
export function normalTarget({ host, port }: HostTarget): HostTarget | undefined {
  const name = normalHost(host);
  return name !== undefined && isPort(port) ? { host: name, port } : undefined;
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

/** Returns a target as users write it. */
export function targetName({ host, port }: HostTarget): string {
  return `${writtenHost(host)}:${String(port)}`;
}

/** Returns a host as users write it: IPv6 in brackets. */
export function writtenHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function isIpAddress(host: string): boolean {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
}

/** What is special about an address. */
export type HostNature =
  /** This computer itself. */
  | 'thisComputer'
  /** A network that isn't the internet: at home, of a company, or of a cloud's machines. */
  | 'localNetwork'
  /** An address without a name. */
  | 'address'
  /** A name with letters of other alphabets, which can look like another name. */
  | 'otherAlphabet'
  | 'name';

const localAddress =
  /^((10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|f(e[89ab]|[cd])[\da-f]*:)/;

/** Returns what is special about a host, as `normalHost` returns it. */
export function natureOf(host: string): HostNature {
  if (/(^|\.)localhost$/.test(host)) return 'thisComputer';
  if (isIpAddress(host)) {
    if (/^((127|0)\.|::1?$)/.test(host)) return 'thisComputer';
    return localAddress.test(host) ? 'localNetwork' : 'address';
  }
  // A name without a dot is looked up in the local network.
  if (!host.includes('.') || /\.(local|internal|lan|home\.arpa)$/.test(host)) return 'localNetwork';
  return /(^|\.)xn--/.test(host) ? 'otherAlphabet' : 'name';
}

/** Returns an IPv6 address in its usual form, and one that stands for an IPv4 address as this one. */
function normalIpv6(host: string): string | undefined {
  if (!/^[\da-f:.]+$/i.test(host)) return undefined;
  const address = hostnameOf(`[${host}]`)?.slice(1, -1);
  const [, high = '', low = ''] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address ?? '') ?? [];
  if (high === '') return address;
  const bytes = [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]);
  return bytes.join('.');
}

/** Reads a host as browsers do, and with it every spelling of an address: `0x7f.1` is `127.0.0.1`. */
function hostnameOf(host: string): string | undefined {
  const url = URL.parse(`http://${host}/`);
  return url && url.hostname !== '' && url.pathname === '/' ? url.hostname : undefined;
}
