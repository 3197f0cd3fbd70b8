import { readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileKey, isInside } from '../base/filePaths';

/**
 * Resolves to the path below `root`, with slashes, that a link in it would lead to, through links that are there already. Undefined if it would lead
 * out of it.
 */
export async function linkEnd(root: string, path: string, target: string): Promise<string | undefined> {
  if (/^([/\\]|[a-z]:)/i.test(target)) return undefined;
  const real = await realpath(root);
  const folder = dirname(join(root, path));
  let at = await step(real, relative(root, folder));
  for (const name of target.split(sep === '/' ? '/' : /[/\\]/)) {
    at = await step(at, name);
    // A way out and back again leads somewhere else in another copy of the repository.
    if (!isInside(fileKey(real), fileKey(at))) return undefined;
  }
  return relative(real, at).split(sep).join('/');
}

/** Maximum number of links that lead to each other. */
const maxLinks = 40;

/** Goes on from a folder, following a link if the name is one, also to what doesn't exist yet. */
async function step(from: string, name: string): Promise<string> {
  let to = resolve(from, name);
  for (let links = 0; links < maxLinks; links += 1) {
    const real = await realpath(to).catch(() => undefined);
    if (real !== undefined) return real;
    const target = await readlink(to).catch(() => undefined);
    if (target === undefined) return to;
    to = resolve(dirname(to), target);
  }
  return to;
}
