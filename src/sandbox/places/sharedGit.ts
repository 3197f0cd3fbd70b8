import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { attempt } from '../../shared/values/attempt';

/**
 * Returns the folder of git that a worktree shares with its repository; undefined if the folder isn't a worktree. A
 * `.git` file alone proves nothing, since anyone can write one: git's own note has to point back to the folder.
 */
export function sharedGit(folder: string): string | undefined {
  return attempt(() => find(folder));
}

function find(folder: string): string | undefined {
  const file = join(folder, '.git');
  if (!statSync(file).isFile()) return undefined;
  const to = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8'))?.[1];
  if (to === undefined) return undefined;
  const own = realpathSync(resolve(folder, to));
  const back = resolve(own, readFileSync(join(own, 'gitdir'), 'utf8').trim());
  if (realpathSync(dirname(back)) !== realpathSync(folder)) return undefined;
  const common = realpathSync(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
  const isRepository = statSync(join(common, 'objects')).isDirectory() && statSync(join(common, 'HEAD')).isFile();
  return isRepository && own.startsWith(join(common, 'worktrees') + sep) ? common : undefined;
}
