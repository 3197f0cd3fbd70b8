import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { matchesWildcards } from '../../rules/judge/patterns';

const mostEntries = 2000;
const mostMatches = 100;
/** A path that is in no workspace, so no rule allows it. */
const unknown = ['/'];

/**
 * Returns the files that a shell replaces a word with. Where that can't be told, returns a path that no rule allows. A
 * word without a match is passed on as it is.
 */
export async function expandGlob(folder: string, word: string): Promise<readonly string[]> {
  const isAbsolute = word.startsWith('/');
  let found = [isAbsolute ? '/' : ''];
  for (const segment of word.split('/').filter((part) => part !== '')) {
    if (!/[*?]/.test(segment)) {
      found = found.map((path) => joined(path, segment));
      continue;
    }
    const next: string[] = [];
    for (const path of found) {
      const names = await readdir(resolve(folder, path)).catch(() => []);
      if (names.length > mostEntries) return unknown;
      for (const name of names) {
        if (!name.startsWith('.') && matchesWildcards(segment, name)) next.push(joined(path, name));
      }
      if (next.length > mostMatches) return unknown;
    }
    found = next;
  }
  // The program would take it for an option.
  if (found.some((path) => path.startsWith('-'))) return unknown;
  return found.length === 0 ? [word] : found;
}

function joined(path: string, name: string): string {
  return path === '' || path.endsWith('/') ? `${path}${name}` : `${path}/${name}`;
}
