import { splitLineFragment } from '../../src/shared/text/lineFragment';
import { pathOfFileUri } from '../../src/shared/text/uriName';

/** Returns the name of a file with its lines. */
export function nameWithLines({ uri, name }: { readonly uri: string; readonly name: string }): string {
  const { lines } = splitLineFragment(uri);
  if (!lines) return name;
  return lines.end > lines.start ? `${name}:${lines.start}–${lines.end}` : `${name}:${lines.start}`;
}

/** Returns the path of a file's URI for a tooltip. */
export function pathOf(uri: string): string {
  return pathOfFileUri(splitLineFragment(uri).uri);
}
