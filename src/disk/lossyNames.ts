import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, parse, sep } from 'node:path';

/** What Node puts in the place of bytes that aren't UTF-8. */
const replacement = '\uFFFD';

/** Returns true if a path may be that of a file whose name isn't UTF-8. Strings can't have such a name, so nothing can open the file by it. */
export function isLossy(path: string): boolean {
  return path.includes(replacement);
}

/** Resolves to the file's information, also if its name isn't UTF-8, or undefined if there is no such file. */
export async function lossyStat(path: string): Promise<Stats | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found || !isLossy(path) || !isAbsolute(path)) return found;
  const bytes = await bytesOf(path);
  return bytes && lstat(bytes).catch(() => undefined);
}

/** Resolves to the bytes of a path, of which `path` has the names as Node reads them. */
async function bytesOf(path: string): Promise<Buffer | undefined> {
  const { root } = parse(path);
  let place = Buffer.from(root);
  for (const part of path.slice(root.length).split(sep)) {
    const names = isLossy(part) ? await readdir(place, { encoding: 'buffer' }).catch(() => []) : [];
    const name = isLossy(part) ? names.find((one) => one.toString('utf8') === part) : Buffer.from(part);
    if (!name) return undefined;
    const end = place.length === root.length ? [] : [Buffer.from(sep)];
    place = Buffer.concat([place, ...end, name]);
  }
  return place;
}
