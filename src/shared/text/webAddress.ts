/** Reasons to check a URL before opening it. */
export type AddressWarning = 'notEncrypted' | 'lookalike' | 'credentials' | 'number';

/** A web URL that an agent wants to open. */
export interface WebAddress {
  /** The whole URL as shown and as opened; non-ASCII letters in the host are spelled out as `xn--…`. */
  readonly href: string;
  /** Host with port. */
  readonly host: string;
  readonly warnings: readonly AddressWarning[];
}

/** Reads a URL; undefined if it isn't a web URL. */
export function readWebAddress(text: string): WebAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return undefined;
  const { href, host, hostname } = url;
  const isNumber = /^\[|^\d+(\.\d+){3}$/.test(hostname);
  const warnings: AddressWarning[] = [];
  if (url.protocol === 'http:' && !isLoopback(hostname)) warnings.push('notEncrypted');
  if (/(^|\.)xn--/.test(hostname)) warnings.push('lookalike');
  if (url.username !== '' || url.password !== '') warnings.push('credentials');
  if (isNumber && !isLoopback(hostname)) warnings.push('number');
  return { href, host, warnings };
}

/** Returns whether a host name refers to this machine. */
function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^(.+\.)?localhost$/.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
