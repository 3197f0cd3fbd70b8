import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { wayBelow } from '../disk/paths';
import { readPointer } from '../git/lfs';
import type { FileBefore } from './baseline';
import { git } from './git';

/** Time limit for one git command, in milliseconds. */
const patience = 20_000;

/** A worktree of a repository: its folder, and where git keeps its own files about it. */
interface Worktree {
  readonly root: string;
  readonly gitFolder: string;
}

/**
 * Finds the worktrees of a repository that came into being since its baseline was taken. Git wrote the files there, so the commit that a
 * worktree began with is what was there before, and only what differs from it is a change.
 */
export class MadeWorktrees {
  private readonly top: string;
  private readonly common: string;
  private readonly isKnown: (root: string) => boolean;
  private found: { readonly stamp: number; readonly all: readonly Worktree[] } | undefined;
  private readonly starts = new Map<string, Promise<string | undefined>>();

  /** `isKnown` returns whether a folder isn't new. */
  constructor(top: string, common: string, isKnown: (root: string) => boolean) {
    this.top = top;
    this.common = common;
    this.isKnown = isKnown;
  }

  /** The folders of the worktrees. Absolute paths. */
  async roots(): Promise<readonly string[]> {
    return (await this.all()).map(({ root }) => root);
  }

  /** Returns the content of a path as git wrote it. Undefined if the path is in no such worktree; `readBlob` reads one of git's objects. */
  async read(path: string, readBlob: (name: string) => Promise<Buffer | undefined>): Promise<FileBefore | undefined> {
    const tree = (await this.all()).find(({ root }) => path === root || path.startsWith(root + sep));
    if (!tree) return undefined;
    const below = wayBelow(tree.root, path)?.split(sep).join('/');
    const start = await this.startOf(tree);
    // Git's answer is one line for each line of the question.
    const isAskable = below !== undefined && !below.includes('\n') && start !== undefined;
    const blob = isAskable ? await readBlob(`${start}:${below}`) : undefined;
    return blob ? asWritten(path, blob) : { kind: 'absent' };
  }

  /** Returns the paths that differ from what git wrote, or the folder of a worktree with more than `most` of them. */
  async changed(most: number): Promise<readonly string[]> {
    const found = await Promise.all(
      (await this.all()).map(async (tree) => {
        const start = await this.startOf(tree);
        const compare = ['diff', '--name-only', '--no-renames', '--ignore-submodules', '-z', start ?? 'HEAD', '--'];
        const printed = await Promise.all([
          git(tree.root, compare, patience),
          git(tree.root, ['ls-files', '-o', '--exclude-standard', '-z'], patience),
        ]);
        const paths = printed.flatMap((one) => one?.toString('utf8').split('\0').filter(Boolean) ?? []);
        const isUnknown = printed.includes(undefined) || paths.length > most;
        return isUnknown ? [tree.root] : paths.map((below) => join(tree.root, below));
      }),
    );
    return found.flat();
  }

  private async all(): Promise<readonly Worktree[]> {
    const folder = join(this.common, 'worktrees');
    const stamp = (await lstat(folder).catch(() => undefined))?.mtimeMs;
    if (stamp === undefined) return [];
    if (this.found?.stamp === stamp) return this.found.all;
    const listed = await listWorktrees(this.common);
    const all = listed.flatMap((one) => one ?? []).filter(({ root }) => this.isMade(root));
    // Git may be about to write where the newest one is.
    if (!listed.includes(undefined)) this.found = { stamp, all };
    return all;
  }

  private isMade(root: string): boolean {
    return root.startsWith(this.top + sep) && !this.isKnown(root);
  }

  /** Returns the commit that git checked out when it made a worktree, whatever the agent has committed there since. */
  private startOf({ root, gitFolder }: Worktree): Promise<string | undefined> {
    const known = this.starts.get(root);
    if (known) return known;
    const start = readFile(join(gitFolder, 'logs', 'HEAD'), 'utf8').then(
      (log) => /^0+ ([0-9a-f]{40,64}) /.exec(log)?.[1],
      () => undefined,
    );
    const found = start.then(async (one) => one ?? headOf(root));
    this.starts.set(root, found);
    return found;
  }
}

/** Returns the folders of all worktrees of a repository, but for the first. */
export async function worktreesOf(common: string): Promise<string[]> {
  return (await listWorktrees(common)).flatMap((one) => (one ? [one.root] : []));
}

async function listWorktrees(common: string): Promise<(Worktree | undefined)[]> {
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  return Promise.all(
    names.map(async (name) => {
      const gitFolder = join(common, 'worktrees', name);
      const text = await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => '');
      const path = dirname(text.trim());
      return text === '' ? undefined : { root: await realpath(path).catch(() => path), gitFolder };
    }),
  );
}

async function headOf(root: string): Promise<string | undefined> {
  const printed = await git(root, ['rev-parse', '--verify', '-q', 'HEAD'], patience);
  return printed?.toString('latin1').trim();
}

/** Returns a blob as git wrote it to the disk: with other line breaks, as a link, or as the object that it stands for. */
async function asWritten(path: string, blob: Buffer): Promise<FileBefore> {
  const info = await lstat(path).catch(() => undefined);
  const isExecutable = ((info?.mode ?? 0) & 0o111) !== 0;
  const text = blob.toString('latin1');
  if (info?.isSymbolicLink() === true) {
    const target = await readlink(path).catch(() => '');
    return target === blob.toString('utf8') ? { kind: 'link', target } : { kind: 'file', bytes: blob, isExecutable };
  }
  const now = info?.isFile() === true ? await readFile(path).catch(() => undefined) : undefined;
  if (now?.toString('latin1').replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n'))
    return { kind: 'file', bytes: now, isExecutable };
  const pointer = readPointer(text);
  if (!pointer) return { kind: 'file', bytes: blob, isExecutable };
  return now && createHash('sha256').update(now).digest('hex') === pointer.sha256
    ? { kind: 'file', bytes: now, isExecutable }
    : { kind: 'skipped', reason: 'unreadable' };
}
