import { decoded } from '../../shared/text/uriName';
import type { RemoteTarget } from './remoteTarget';

/** Returns every part of a target that must not appear in a log: values of headers, and tokens in the URL. */
export function secretsOfTarget({ url, headers }: Pick<RemoteTarget, 'url' | 'headers'>): readonly string[] {
  const found = new Set<string>();
  for (const value of Object.values(headers)) {
    found.add(value);
    // "Bearer abc": a server may repeat the token alone.
    const [, token] = /^\S+\s+(\S.*)$/.exec(value) ?? [];
    if (token !== undefined) found.add(token);
  }
  if (URL.canParse(url)) {
    const { username, password, search, searchParams } = new URL(url);
    const written = search.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
    for (const value of [username, password, ...written, ...searchParams.values()]) {
      found.add(value);
      found.add(decoded(value));
    }
  }
  // Shorter values are words such as "1" or "json", and hiding them everywhere would garble the log.
  return [...found].filter((value) => value.length >= 4);
}
