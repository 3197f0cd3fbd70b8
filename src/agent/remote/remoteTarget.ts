import type { CookieJar } from './cookieJar';

/** Where a remote agent is, with everything resolved. */
export interface RemoteTarget {
  /** An absolute http, https, ws, or wss URL. */
  readonly url: string;
  /** Sent with every request and with the WebSocket upgrade. The values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Kept across reconnects, so that a load balancer routes to the same server. */
  readonly cookies: CookieJar;
}

/** Why there is no connection to a remote agent, or no longer one. */
export interface LinkLoss {
  /**
   * `network`: it can't be reached or the connection broke; `gone`: the server no longer knows the connection;
   * `login`: it needs other credentials (401); `denied`: it rejects these (403); `refused`: any other answer that makes
   * the connection impossible; `ended`: this side closed it.
   */
  readonly kind: 'network' | 'gone' | 'login' | 'denied' | 'refused' | 'ended';
  /** A sentence for the user. */
  readonly reason: string;
}

/** Returns whether it makes sense to connect again without the user. */
export function isPassing({ kind }: LinkLoss): boolean {
  return kind === 'network' || kind === 'gone';
}

/** Returns whether others on the network can read what is sent to this URL: it isn't encrypted and isn't loopback. */
export function isExposed(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'ws:') return false;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return !(host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host));
}
