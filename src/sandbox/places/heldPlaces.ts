import { existsSync, lstatSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { guardedPlace } from '../../shared/limits/guardedPlaces';
import { isSecretFile } from '../../shared/limits/secretFile';
import { placesOfGitSettings, type GitSettingsFiles } from './gitSettings';

/** What a sandbox holds inside of a folder that it can write. */
export interface HeldPlaces {
  /** Can be read, and neither changed nor created. */
  readonly readOnly: readonly string[];
  readonly unreadable: readonly string[];
  /** Those of `readOnly` that are folders and must be there: an empty one takes the place of a missing one. */
  readonly placeholders?: readonly string[];
}

/** How many folders are listed. A start must not wait for a huge tree. */
const maxFolders = 20_000;
/** How many places are held: each is a mount. */
const maxPlaces = 5000;
/** Folders that packages and builds fill. */
const skipped = new Set(['node_modules', '.venv', 'venv', 'target', '__pycache__', '.tox', '.gradle', 'vendor']);

/** Folders that the editor reads by itself, and that nobody creates inside. */
const neverCreated = ['.vscode', '.idea', '.devcontainer'] as const;

/** A folder has more than a sandbox can hold. What would be left out could be changed or read. */
export class TooMuchToHold extends Error {
  constructor(folder: string) {
    super(`${folder} has too many folders or guarded files`);
    this.name = 'TooMuchToHold';
  }
}

/**
 * Returns what is guarded and what probably contains secrets below a session's folder, and links to that. Doesn't follow
 * links to other folders. Throws `TooMuchToHold` if it can't be all.
 */
export function heldPlaces(folder: string, settings: GitSettingsFiles = {}): HeldPlaces {
  const named = placesOfGitSettings(folder, settings);
  const readOnly = new Set<string>([...named.present, ...named.missingFiles]);
  const unreadable: string[] = [];
  const open = [folder];
  let listed = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    listed += 1;
    for (const entry of attempt(() => readdirSync(at, { withFileTypes: true })) ?? []) {
      const path = join(at, entry.name);
      const isLink = entry.isSymbolicLink();
      if (entry.name === '.git') for (const one of heldInGit(path, entry)) readOnly.add(one);
      else if ((entry.isFile() || isLink) && isSecretFile(path, folder)) unreadable.push(path);
      else if (guardedPlace(path, folder)) readOnly.add(path);
      else if (entry.isDirectory() && !skipped.has(entry.name)) open.push(path);
    }
    if (listed + open.length > maxFolders || readOnly.size + unreadable.length > maxPlaces)
      throw new TooMuchToHold(folder);
  }
  const placeholders = [
    ...neverCreated.map((name) => join(folder, name)),
    ...hookFolders([...readOnly]),
    ...named.missingFolders.filter((path) => existsSync(dirname(path))),
  ];
  const wanted = placeholders.filter((path) => attempt(() => lstatSync(path).isDirectory()) !== false);
  for (const path of wanted) readOnly.add(path);
  return { readOnly: [...readOnly], unreadable, placeholders: wanted };
}

/** Commits need the rest of the folder. The file of a worktree says where its repository is. */
function heldInGit(path: string, entry: Dirent): string[] {
  const isRepository = entry.isDirectory() || attempt(() => statSync(path).isDirectory()) === true;
  return [...(entry.isDirectory() ? [] : [path]), ...(isRepository ? heldInRepository(path) : [])];
}

/**
 * Returns the hooks and settings of a repository, from which programs start, those of its submodules, and the files of its
 * worktrees that say where these are.
 */
export function heldInRepository(git: string): string[] {
  const held = ['hooks', 'config', 'config.worktree', 'commondir', 'info/attributes'].map((name) => join(git, name));
  const present = held.filter((path, index) => index === 0 || attempt(() => statSync(path)) !== undefined);
  const worktrees = foldersIn(join(git, 'worktrees')).flatMap((worktree) =>
    ['commondir', 'gitdir', 'config.worktree']
      .map((name) => join(worktree, name))
      .filter((path) => attempt(() => statSync(path)) !== undefined),
  );
  return [...present, ...worktrees, ...foldersIn(join(git, 'modules')).flatMap(heldInRepository)];
}

/**
 * Returns those places that are folders of a repository's hooks, or would be. Whoever makes them for a sandbox removes them: the library would, as
 * soon as one of several sandboxes ends.
 */
export function hookFolders(readOnly: readonly string[]): string[] {
  return readOnly.filter(
    (path) =>
      basename(path) === 'hooks' &&
      attempt(() => lstatSync(path).isDirectory()) !== false &&
      existsSync(join(dirname(path), 'HEAD')),
  );
}

function foldersIn(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => join(folder, name));
}
