import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../shared/attempt';
import { guardedPlace } from '../shared/guardedPlaces';
import { isSecretFile } from '../shared/secretFile';

/** What a sandbox holds inside of a folder that it can write. */
export interface HeldPlaces {
  /** Can be read, and neither changed nor created. */
  readonly readOnly: readonly string[];
  readonly unreadable: readonly string[];
}

/** How deep below a session's folder places are looked for. */
const maxDepth = 6;
/** How many folders are listed. A start must not wait for a huge tree. */
const maxFolders = 5000;
/** How many places are held: the system's program has a limit of arguments. */
const maxPlaces = 1500;
/** Folders that packages and builds fill. */
const skipped = new Set(['node_modules', '.venv', 'venv', 'target', '__pycache__', '.tox', '.gradle', 'vendor']);

/**
 * Folders that the editor reads by itself. One that is missing is represented by a file in it, so that the whole folder
 * can't be created.
 */
const neverCreated = [
  ['.vscode', 'settings.json'],
  ['.idea', 'workspace.xml'],
  ['.devcontainer', 'devcontainer.json'],
] as const;

/**
 * Returns what is guarded and what probably contains secrets below a session's folder. Looks at folders near the top
 * first; doesn't follow links.
 */
export function heldPlaces(folder: string): HeldPlaces {
  const readOnly: string[] = [];
  const unreadable: string[] = [];
  let level: string[] = [folder];
  let listed = 0;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const at of level) {
      if (listed >= maxFolders || readOnly.length + unreadable.length >= maxPlaces) break;
      listed += 1;
      for (const entry of attempt(() => readdirSync(at, { withFileTypes: true })) ?? []) {
        const path = join(at, entry.name);
        if (entry.name === '.git') readOnly.push(...heldInGit(path, entry));
        else if (entry.isFile() && isSecretFile(path, folder)) unreadable.push(path);
        else if (guardedPlace(path, folder)) readOnly.push(path);
        else if (entry.isDirectory() && !skipped.has(entry.name)) next.push(path);
      }
    }
    level = next;
  }
  for (const [name, file] of neverCreated) {
    if (attempt(() => statSync(join(folder, name), { throwIfNoEntry: false })) === undefined) {
      readOnly.push(join(folder, name, file));
    }
  }
  return { readOnly: readOnly.slice(0, maxPlaces), unreadable: unreadable.slice(0, maxPlaces) };
}

/** Commits need the rest of the folder. The file of a worktree says where its repository is. */
function heldInGit(path: string, entry: Dirent): string[] {
  return entry.isDirectory() ? heldInRepository(path) : [path];
}

/**
 * Returns the hooks and settings of a repository, from which programs start, those of its submodules, and the files of its
 * worktrees that say where these are.
 */
export function heldInRepository(git: string): string[] {
  const held = ['hooks', 'config', 'config.worktree', 'info/attributes'].map((name) => join(git, name));
  // A file that is missing would be a placeholder on the disk; the folder of hooks is one that nobody misses.
  const present = held.filter((path, index) => index === 0 || attempt(() => statSync(path)) !== undefined);
  const [hooks = '', ...others] = present;
  const first = attempt(() => statSync(hooks)) ? hooks : join(hooks, 'pre-commit');
  const worktrees = foldersIn(join(git, 'worktrees')).flatMap((worktree) =>
    ['commondir', 'gitdir', 'config.worktree']
      .map((name) => join(worktree, name))
      .filter((path) => attempt(() => statSync(path)) !== undefined),
  );
  return [first, ...others, ...worktrees, ...foldersIn(join(git, 'modules')).flatMap(heldInRepository)];
}

function foldersIn(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory()).slice(0, 100);
  return folders.map(({ name }) => join(folder, name));
}
