/** Returns the display name of a URI's target. */
export function nameOfUri(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return decoded(path.slice(path.lastIndexOf('/') + 1)) || uri;
}

/** Decodes a part of a URI; returns invalid escapes unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the path of a `file:` URI as its system writes it: with backslashes where it has a drive or a server, as on Windows. Other URIs are
 * only decoded.
 */
export function pathOfFileUri(uri: string): string {
  if (!uri.startsWith('file://')) return decoded(uri);
  const path = decoded(uri.slice('file://'.length));
  if (/^\/[a-z]:/i.test(path)) return path.slice(1).replaceAll('/', '\\');
  return path.startsWith('/') ? path : `\\\\${path.replaceAll('/', '\\')}`;
}
