/** The name of what a URI points at, as people read it. */
export function nameOfUri(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return decoded(path.slice(path.lastIndexOf('/') + 1)) || uri;
}

/** A part of a URI without its escapes; what was not escaped after all stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
