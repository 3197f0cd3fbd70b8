import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Baseline, FileBefore, SkipReason } from './baseline';
import { git, GitContents } from './git';
import type { Recorded, Recorder } from './recorder';

/** Git may take so long (ms) for one answer; a baseline that comes later is none. */
const patience = 20_000;

interface TreeEntry {
  readonly mode: string;
  readonly blob: string;
}

/**
 * What the repository around a folder held: files that git knows as unchanged are read from its objects when they are asked
 * for, all others are recorded now. Undefined when the folder is in no repository, or git is not there.
 */
export async function gitBaseline(folder: string, recorder: Recorder): Promise<Baseline | undefined> {
  const found = await git(folder, ['rev-parse', '--show-toplevel'], patience);
  if (!found) return undefined;
  const top = await realpath(found.toString('utf8').replace(/\r?\n$/, ''));
  const status = await statusOf(top);
  if (!status) return undefined;
  const { head, paths } = status;
  const recorded = await recorder.record(paths.map((path) => join(top, path)));
  return new GitBaseline(top, head, new Set(paths), recorder, recorded);
}

class GitBaseline implements Baseline {
  readonly folder: string;
  private readonly head: string | undefined;
  /** Paths that differ from the last commit, or that git does not track; relative, with `/`. */
  private readonly differing: ReadonlySet<string>;
  private readonly recorder: Recorder;
  private readonly recorded: ReadonlyMap<string, Recorded | SkipReason>;
  private tree: Promise<ReadonlyMap<string, TreeEntry> | undefined> | undefined;
  private contents: GitContents | undefined;
  /** Whether git ignores a folder, by its path with a `/` at the end. */
  private readonly leftOutFolders = new Map<string, Promise<boolean>>();
  private isDisposed = false;

  constructor(
    folder: string,
    head: string | undefined,
    differing: ReadonlySet<string>,
    recorder: Recorder,
    recorded: ReadonlyMap<string, Recorded | SkipReason>,
  ) {
    this.folder = folder;
    this.head = head;
    this.differing = differing;
    this.recorder = recorder;
    this.recorded = recorded;
  }

  async read(path: string): Promise<FileBefore> {
    const below = relative(this.folder, path).split(sep).join('/');
    if (this.differing.has(below)) return this.recorder.read(this.recorded.get(path));
    const entries = await this.entries();
    if (!entries) return { kind: 'skipped', reason: 'unreadable' };
    const entry = entries.get(below);
    if (!entry) return (await this.isLeftOut(below)) ? { kind: 'skipped', reason: 'ignored' } : { kind: 'absent' };
    if (!entry.mode.startsWith('100') || this.isDisposed) return { kind: 'skipped', reason: 'unreadable' };
    this.contents ??= new GitContents(this.folder);
    const bytes = await this.contents.read(entry.blob, below);
    if (!bytes) return { kind: 'skipped', reason: 'unreadable' };
    return { kind: 'file', bytes, isExecutable: entry.mode === '100755' };
  }

  async changed(): Promise<string[]> {
    const [status, touched] = await Promise.all([statusOf(this.folder), this.recorder.changed(this.recorded)]);
    const found = new Set(touched);
    const committed = status && status.head !== this.head ? await this.committedTo(status.head) : [];
    for (const below of [...(status?.paths ?? []), ...committed]) {
      const path = join(this.folder, below);
      // What was recorded has been looked at, and what was skipped has nothing to be compared with.
      if (!this.recorded.has(path)) found.add(path);
    }
    return [...found];
  }

  dispose(): void {
    this.isDisposed = true;
    this.contents?.dispose();
  }

  /** All files of the commit that was checked out, listed once, when the first of them is asked for. */
  private entries(): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
    this.tree ??= this.list();
    return this.tree;
  }

  private async list(): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
    const entries = new Map<string, TreeEntry>();
    if (this.head === undefined) return entries;
    const printed = await git(this.folder, ['ls-tree', '-r', '-z', this.head], patience);
    if (!printed) return undefined;
    for (const line of printed.toString('utf8').split('\0')) {
      const match = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line);
      if (match) entries.set(match[3] ?? '', { mode: match[1] ?? '', blob: match[2] ?? '' });
    }
    return entries;
  }

  /** Paths in which another commit differs from ours. */
  private async committedTo(head: string | undefined): Promise<string[]> {
    if (head === undefined) return [...((await this.entries())?.keys() ?? [])];
    const args =
      this.head === undefined
        ? ['ls-tree', '-r', '-z', '--name-only', head]
        : ['diff-tree', '-r', '-z', '--name-only', '--no-renames', this.head, head];
    const printed = await git(this.folder, args, patience);
    return (
      printed
        ?.toString('utf8')
        .split('\0')
        .filter((below) => below !== '') ?? []
    );
  }

  /**
   * What git ignores is in no list, so whether it was there cannot be known. Folders are asked about first and once, since a
   * build may write ten thousand files into an ignored one.
   */
  private async isLeftOut(below: string): Promise<boolean> {
    for (let at = below.indexOf('/'); at >= 0; at = below.indexOf('/', at + 1)) {
      const folder = below.slice(0, at + 1);
      const answer = this.leftOutFolders.get(folder) ?? this.isIgnored(folder);
      this.leftOutFolders.set(folder, answer);
      if (await answer) return true;
    }
    return this.isIgnored(below);
  }

  private async isIgnored(below: string): Promise<boolean> {
    return (await git(this.folder, ['check-ignore', '-q', '--no-index', '--', below], patience)) !== undefined;
  }
}

async function statusOf(top: string): Promise<{ head: string | undefined; paths: string[] } | undefined> {
  const args = ['--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];
  const status = await git(top, ['status', ...args], patience);
  return status && parseStatus(status.toString('utf8'));
}

/** Reads the second porcelain format (https://git-scm.com/docs/git-status, "Porcelain Format Version 2"). */
export function parseStatus(text: string): { head: string | undefined; paths: string[] } {
  let head: string | undefined;
  const paths: string[] = [];
  // Fields before the path, by kind of line: changed, unmerged, untracked.
  const fields: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };
  for (const line of text.split('\0')) {
    const oid = /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1];
    if (oid !== undefined) head = oid;
    const count = fields[line.charAt(0)];
    if (count === undefined || line.startsWith('#')) continue;
    const path = line.split(' ').slice(count).join(' ');
    if (path !== '') paths.push(path);
  }
  return { head, paths };
}
