/** What makes an address one to look at twice. */
export type AddressWarning = 'notEncrypted' | 'lookalike' | 'credentials' | 'number';

/** An address of the web that an agent wants to have opened. */
export interface WebAddress {
  /** The whole address, as it is shown and as it is opened: foreign letters in the host are spelled out as `xn--…`. */
  readonly href: string;
  /** Host with port. */
  readonly host: string;
  readonly warnings: readonly AddressWarning[];
}

/** Reads an address; undefined when it is none of the web's. */
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

/** Whether a host is this very machine, as far as its name tells. */
function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^(.+\.)?localhost$/.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
