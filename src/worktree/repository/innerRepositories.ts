import { lstat, mkdir, readdir, readFile, realpath, rename, rmdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isLossy } from '../../disk/lossyNames';
import { wayBelow } from '../../disk/paths';
import { messageOf } from '../../shared/values/messageOf';
import { gitPlaceOf } from '../../git/gitPlace';
import { lineOf, partsOf, plainGit } from './userGit';
import { failedProblem, reportedProblem, WorktreeProblem } from './worktreeProblem';

/** A repository inside a worktree. */
export interface InnerRepository {
  /** Relative to the worktree, with slashes. */
  readonly path: string;
  /** Whether its commits are in its folder, in the worktree's own folder of git, or elsewhere. */
  readonly kind: 'folder' | 'submodule' | 'elsewhere';
}

/** How many folders are read at a time. */
const lanes = 16;

/** Finds the repositories inside a worktree, also in folders that git ignores. Starts no program. Follows no link. */
export async function innerRepositories(root: string): Promise<readonly InnerRepository[]> {
  const modules = join(await gitFolderOf(root), 'modules');
  const found: InnerRepository[] = [];
  const slash = Buffer.from(sep);
  // Names that aren't Unicode are only complete as bytes.
  let level: Buffer[] = [Buffer.from(root)];
  while (level.length > 0) {
    const next: Buffer[] = [];
    const lane = async () => {
      for (let at = level.pop(); at; at = level.pop()) {
        const folder = at;
        const entries = await entriesOf(folder);
        const git = entries.find(({ name }) => name.toString().toLowerCase() === '.git');
        const isRoot = folder.toString() === root;
        if (git && !isRoot) {
          const path = folder
            .toString()
            .slice(root.length + 1)
            .split(sep)
            .join('/');
          const kind = isLossy(path) ? 'elsewhere' : await kindOf(join(root, path), git, modules);
          found.push({ path, kind });
          // What is inside moves with it.
          if (kind === 'folder') continue;
        }
        for (const entry of entries) {
          if (entry.isDirectory() && entry !== git) next.push(Buffer.concat([folder, slash, entry.name]));
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    level = next;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Entry {
  readonly name: Buffer;
  isDirectory(): boolean;
  isFile(): boolean;
}

async function entriesOf(folder: Buffer): Promise<readonly Entry[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw failedProblem(l10n.t('Couldn’t read what the worktree has'), error);
  }
}

async function kindOf(folder: string, git: Entry, modules: string): Promise<InnerRepository['kind']> {
  if (git.isDirectory()) return 'folder';
  if (!git.isFile()) return 'elsewhere';
  const text = await readFile(join(folder, git.name.toString()), 'utf8').catch(() => '');
  const to = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
  const real = to === undefined ? undefined : await realpath(resolve(folder, to)).catch(() => undefined);
  return real !== undefined && wayBelow(modules, real) !== undefined ? 'submodule' : 'elsewhere';
}

/** Returns the folder of git that is a worktree's own. */
export async function gitFolderOf(worktree: string): Promise<string> {
  const place = await gitPlaceOf(worktree);
  if (!place) {
    const reported = await plainGit(worktree, ['rev-parse', '--git-dir']);
    throw reportedProblem(l10n.t('Couldn’t read what the worktree has'), reported);
  }
  return realpath(place.gitFolder);
}

/** Returns whether everything in a submodule is in a remote, too: all commits, and its files as they are. */
export async function isElsewhereToo(folder: string): Promise<boolean> {
  const git = (...args: readonly string[]) => plainGit(folder, args);
  const [top, own, staged, others, index] = [
    await git('rev-parse', '--show-toplevel'),
    await git('rev-list', '--count', 'HEAD', '--all', '--not', '--remotes'),
    await git('diff-index', '--cached', '--quiet', '--ignore-submodules=all', 'HEAD', '--'),
    await git('ls-files', '-z', '--others'),
    await git('ls-files', '-z', '--stage'),
  ];
  if ([top, own, staged, others, index].some(({ code }) => code !== 0)) return false;
  if ((await realpath(lineOf(top)).catch(() => '')) !== folder) return false;
  if (lineOf(own) !== '0' || partsOf(others).length > 0) return false;
  // 100644 0123… 0	path
  const files = partsOf(index)
    .map((line) => /^(\d+) ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [])
    .filter(([, mode]) => mode !== '160000')
    .map(([, mode = '', id = '', path = '']) => ({ mode, id, path }));
  if (files.some(({ mode, path }) => mode === '120000' || path.includes('\n'))) return false;
  // Its own filters aren't run: an agent may have configured them.
  const paths = files.map(({ path }) => `${join(folder, path)}\n`).join('');
  const hashed = await plainGit(folder, ['hash-object', '--no-filters', '--stdin-paths'], paths);
  return lineOf(hashed) === files.map(({ id }) => id).join('\n');
}

/** Returns the folder that has the repositories which were inside a worktree. */
export function keptFolder(common: string, id: string): string {
  return join(common, 'parley', 'kept', id);
}

/** Moves repositories out of a worktree, as they are. Throws a `WorktreeProblem` and moves nothing if one can't be moved. */
export async function keepRepositories(
  common: string,
  { id, path: root }: { readonly id: string; readonly path: string },
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const place = keptFolder(common, id);
  const moved: string[] = [];
  try {
    for (const path of paths) {
      await move(root, place, path, common);
      moved.push(path);
      const staged = partsOf(await plainGit(root, ['ls-files', '-z', '--stage', '--', `:(top,literal)${path}`]));
      // A submodule without files isn't deleted.
      if (staged.some((line) => line.startsWith('160000') && line.endsWith(`\t${path}`))) await mkdir(join(root, path));
    }
  } catch (error) {
    await putRepositoriesBack(common, { id, path: root }, moved);
    const [first = ''] = paths.slice(moved.length);
    throw new WorktreeProblem(
      l10n.t(
        '{0} is a repository inside the worktree, and it couldn’t be moved to {1}: {2}. Move it away yourself, then try again.',
        first,
        place,
        messageOf(error),
      ),
    );
  }
}

/** Moves kept repositories back to where they were. Resolves to the paths of those that can't be moved. */
export async function putRepositoriesBack(
  common: string,
  { id, path: root }: { readonly id: string; readonly path: string },
  paths: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const path of paths) {
    // A submodule without files has an empty folder.
    await rmdir(join(root, path)).catch(() => undefined);
    await move(keptFolder(common, id), root, path, root).catch(() => left.push(path));
  }
  return left;
}

/** Moves a folder to the same path below another one, which is inside `around`. Rejects instead of following a link. */
async function move(from: string, to: string, path: string, around: string): Promise<void> {
  const [source, target] = [join(from, path), join(to, path)];
  await mkdir(dirname(target), { recursive: true });
  const [realFrom, realTo, realAround] = [
    await realpath(dirname(source)),
    await realpath(dirname(target)),
    await realpath(around),
  ];
  const isStraight = realFrom === dirname(source) && realTo === dirname(target);
  const isInside = realTo === realAround || wayBelow(realAround, realTo) !== undefined;
  if (!isStraight || !isInside) throw new Error(l10n.t('a link leads out of the folder'));
  if (await lstat(target).catch(() => undefined)) throw new Error(l10n.t('{0} already exists', target));
  await rename(source, target);
}
