import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { gitPlaceOf, readOrdinary, type GitPlace } from '../../git/gitPlace';
import { compact } from '../../shared/values/decodeValue';
import type { FolderListing, StartPlaces } from '../../shared/pages/startChoice';
import { fileKey } from '../base/filePaths';
import { workspaceRoots } from '../base/folders';
import type { ReadSettings } from '../settings/settingTable';
import { lastCheck } from '../tries/tryWith';
import { lastBrought } from '../worktrees/lastBrought';

export interface StartPlacesNeeds {
  readonly branches: { of(folder: string): { readonly branch: string } | undefined };
  readonly memory: vscode.Memento;
  readonly settings: ReadSettings<'worktrees.setup'>;
}

/** Maximum number of worktrees to choose from. */
const mostListed = 20;
/** The largest file of git's about a worktree that is read, in bytes. */
const longest = 16_384;

/** Resolves to the places for a new session besides a folder. Starts no program. */
export async function findPlaces(
  { branches, memory, settings }: StartPlacesNeeds,
  folder: string | undefined,
): Promise<StartPlaces> {
  const place = folder === undefined ? undefined : await gitPlaceOf(folder);
  const worktrees = folder === undefined || !place ? [] : await otherWorktrees(place, folder);
  const known = new Set([folder, ...worktrees.map(({ path }) => path)].map((path) => fileKey(path ?? '')));
  const others = workspaceRoots().filter((root) => !known.has(fileKey(root)));
  const { ignored, changes } = lastBrought(memory, 'worktree', place?.top ?? '');
  return {
    worktrees,
    folders: others.map((path) => ({ name: basename(path) || path, path })),
    canCopy: process.platform !== 'win32' && folder !== undefined,
    ignored,
    bringsChanges: changes,
    setup: settings.get('worktrees.setup').trim(),
    check: lastCheck(memory),
    ...compact({ branch: folder === undefined ? undefined : branches.of(folder)?.branch }),
  };
}

/** Lists the other worktrees of a repository, at the folder that is in each where `folder` is here. */
async function otherWorktrees({ top, gitFolder, common }: GitPlace, folder: string): Promise<readonly FolderListing[]> {
  const here = await realpath(gitFolder).catch(() => gitFolder);
  const below = top === undefined ? '' : relative(top, await realpath(folder).catch(() => top));
  const names = (await readdir(join(common, 'worktrees')).catch(() => [])).sort().slice(0, mostListed);
  const others = names.map((name) => join(common, 'worktrees', name));
  const roots = await Promise.all(others.map((one) => rootOf(one, here)));
  const first = basename(common) === '.git' && here !== (await realpath(common)) ? dirname(common) : undefined;
  const found = [first, ...roots].filter((root) => root !== undefined);
  return Promise.all(
    found.map(async (root) => {
      const inner = join(root, below);
      const isThere = (await stat(inner).catch(() => undefined))?.isDirectory() === true;
      return { name: basename(root), path: isThere ? inner : root };
    }),
  );
}

/** Returns the root of a worktree, if it is there and says itself that it is this one. */
async function rootOf(gitFolder: string, here: string): Promise<string | undefined> {
  const real = await realpath(gitFolder).catch(() => undefined);
  if (real === undefined || real === here) return undefined;
  const to = (await readOrdinary(join(real, 'gitdir'), longest))?.toString().trimEnd() ?? '';
  const root = to === '' ? undefined : await realpath(dirname(resolve(real, to))).catch(() => undefined);
  if (root === undefined) return undefined;
  const place = await gitPlaceOf(root);
  const own = place && (await realpath(place.gitFolder).catch(() => undefined));
  return own === real && place?.top === root ? root : undefined;
}
