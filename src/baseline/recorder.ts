import { lstat, readFile, readlink } from 'node:fs/promises';
import { isLossy, lossyStat } from '../disk/lossyNames';
import type { BlobHash, BlobStore } from './blobStore';
import type { BaselineLimits, FileBefore, SkipReason } from './baseline';
import { Checkouts } from './checkedOut';
import { isChangedSince } from './folderScan';

/** A recorded file: the hash of its content, and the metadata that shows whether it changed. */
export interface RecordedFile {
  readonly hash: BlobHash;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** All permission bits. */
  readonly mode: number;
}

/** A recorded path: a file, or a symbolic link and its target. */
export type Recorded = RecordedFile | { readonly link: string };

/** A file may change twice within one clock step, so the time of a file younger than this (in milliseconds) isn't trusted. */
const clockStepMs = 50;
/** Windows has no permission bits. */
const hasModes = process.platform !== 'win32';
/** Maximum number of files to examine concurrently. */
const lanes = 16;

/**
 * Records file contents in a blob store, within limits. Files unchanged since they were recorded, by size, time, and inode, aren't read
 * again.
 */
export class Recorder {
  private readonly store: BlobStore;
  private readonly limits: BaselineLimits;
  private readonly now: () => number;
  private readonly cache = new Map<string, RecordedFile>();
  /** What is known about repositories from earlier baselines. */
  readonly checkouts = new Checkouts();

  constructor(store: BlobStore, limits: BaselineLimits, now: () => number) {
    this.store = store;
    this.limits = limits;
    this.now = now;
  }

  /** Hashes of the contents that the next baseline expects in the store. */
  get hashes(): Set<BlobHash> {
    return new Set([...this.cache.values()].map(({ hash }) => hash));
  }

  /** Returns the current time on the caller's clock. */
  time(): number {
    return this.now();
  }

  /** Resolves to the current contents of files. Missing files are omitted, and special files are skipped. */
  async record(
    paths: readonly string[],
    limits: BaselineLimits = this.limits,
  ): Promise<Map<string, Recorded | SkipReason>> {
    const result = new Map<string, Recorded | SkipReason>();
    let total = 0;
    let at = 0;
    const room = { newFiles: limits.newFiles, fileBytes: limits.fileBytes };
    const lane = async () => {
      while (at < paths.length) {
        const path = paths[at++] ?? '';
        if (result.size >= limits.files || total >= limits.totalBytes) {
          result.set(path, 'budget');
          continue;
        }
        const recorded = await this.recordOne(path, room);
        if (recorded === undefined) continue;
        result.set(path, recorded);
        if (typeof recorded !== 'string' && 'size' in recorded) total += recorded.size;
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, paths.length) }, lane));
    return result;
  }

  /**
   * Records the files that `record` left out of a baseline over its budget, one at a time, as long as they weren't written since the baseline
   * (`since`, in milliseconds). Adds them to `recorded`.
   */
  async recordRest(
    recorded: Map<string, Recorded | SkipReason>,
    since: number,
    isStopped: () => boolean,
  ): Promise<void> {
    const left = [...recorded].filter(([, one]) => one === 'budget').slice(0, this.limits.files);
    if (left.length === 0) return;
    const sizes = [...recorded.values()].map((one) => (typeof one !== 'string' && 'size' in one ? one.size : 0));
    let total = sizes.reduce((sum, size) => sum + size, 0);
    for (const [path] of left) {
      if (isStopped() || total >= this.limits.totalBytes) return;
      if (await isChangedSince(path, since)) continue;
      const one = await this.recordOne(path, { newFiles: 1, fileBytes: this.limits.fileBytes });
      // It may have been written while it was read.
      if (one === undefined || one === 'unreadable' || (await isChangedSince(path, since))) continue;
      recorded.set(path, one);
      if (typeof one !== 'string' && 'size' in one) total += one.size;
    }
  }

  /**
   * Resolves to the recorded files whose size, time, or inode changed or that were deleted, and the skipped files changed at or after
   * `since` (in milliseconds).
   */
  async changed(
    all: Iterable<readonly [path: string, recorded: Recorded | SkipReason]>,
    since: number,
  ): Promise<string[]> {
    const waiting = [...all];
    const found: string[] = [];
    let at = 0;
    const lane = async () => {
      for (let next = waiting[at++]; next !== undefined; next = waiting[at++]) {
        const [path, recorded] = next;
        const isSame =
          typeof recorded !== 'string' ? isUntouched(path, recorded) : isChangedSince(path, since).then(not);
        if (!(await isSame)) found.push(path);
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, waiting.length) }, lane));
    return found;
  }

  /** Resolves to the recorded content. */
  async read(recorded: Recorded | SkipReason | undefined): Promise<FileBefore> {
    if (recorded === undefined) return { kind: 'absent' };
    if (typeof recorded === 'string') return { kind: 'skipped', reason: recorded };
    if ('link' in recorded) return { kind: 'link', target: recorded.link };
    const bytes = await this.store.get(recorded.hash);
    if (!bytes) return { kind: 'skipped', reason: 'budget' };
    const { mode } = recorded;
    return { kind: 'file', bytes, isExecutable: (mode & 0o111) !== 0, ...(hasModes ? { mode } : {}) };
  }

  private async recordOne(
    path: string,
    room: { newFiles: number; readonly fileBytes: number },
  ): Promise<Recorded | SkipReason | undefined> {
    try {
      const info = await lstat(path);
      if (info.isSymbolicLink()) return { link: await readlink(path) };
      if (!info.isFile()) return info.isDirectory() ? undefined : 'unreadable';
      if (info.size > room.fileBytes) return 'large';
      const known = this.cache.get(path);
      const { size, mtimeMs, ino: inode } = info;
      const mode = info.mode & 0o7777;
      if (known?.size === size && known.mtimeMs === mtimeMs && known.inode === inode) return { ...known, mode };
      if (--room.newFiles < 0) return 'budget';
      const bytes = await readFile(path);
      const hash = await this.store.save(bytes);
      const recorded = { hash, size: bytes.byteLength, mtimeMs, inode, mode };
      if (this.now() - mtimeMs > clockStepMs) this.cache.set(path, recorded);
      return recorded;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'unreadable';
      return isLossy(path) && (await lossyStat(path)) ? 'unreadable' : undefined;
    }
  }
}

/** Returns the recorded files that had last been written at or after `at` (milliseconds). */
export function writtenSince(all: Iterable<readonly [path: string, recorded: Recorded | SkipReason]>, at: number) {
  return [...all].flatMap(([path, one]) =>
    typeof one !== 'string' && 'mtimeMs' in one && one.mtimeMs >= at ? [path] : [],
  );
}

async function isUntouched(path: string, recorded: Recorded): Promise<boolean> {
  try {
    if ('link' in recorded) return (await readlink(path)) === recorded.link;
    const info = await lstat(path);
    const { size, mtimeMs, inode, mode } = recorded;
    const isSame = info.isFile() && info.size === size && info.mtimeMs === mtimeMs && info.ino === inode;
    return isSame && (!hasModes || (info.mode & 0o7777) === mode);
  } catch {
    return false;
  }
}

function not(value: boolean): boolean {
  return !value;
}
