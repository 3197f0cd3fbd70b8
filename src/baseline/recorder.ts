import { lstat, readFile, readlink } from 'node:fs/promises';
import type { BlobHash, BlobStore } from './blobStore';
import type { BaselineLimits, FileBefore, SkipReason } from './baseline';
import { isChangedSince } from './folderScan';

/** A recorded file: where its content is kept, and by what one sees that it has not changed since. */
export interface RecordedFile {
  readonly hash: BlobHash;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** All permission bits. */
  readonly mode: number;
}

/** What was found at a path: a file, or a symbolic link and where it leads. */
export type Recorded = RecordedFile | { readonly link: string };

/** A file may change twice within the clock's step; what is younger than this (ms) is not trusted by its time. */
const clockStepMs = 50;
/** Windows has no permission bits. */
const hasModes = process.platform !== 'win32';
/** So many files are looked at side by side. */
const lanes = 16;

/**
 * Records the contents of files in a blob store, within limits. What it has recorded before and what has not changed since,
 * by size, time and inode, is not read again.
 */
export class Recorder {
  private readonly store: BlobStore;
  private readonly limits: BaselineLimits;
  private readonly now: () => number;
  private readonly cache = new Map<string, RecordedFile>();

  constructor(store: BlobStore, limits: BaselineLimits, now: () => number) {
    this.store = store;
    this.limits = limits;
    this.now = now;
  }

  /** Hashes of the contents that the next baseline takes to be stored. */
  get hashes(): Set<BlobHash> {
    return new Set([...this.cache.values()].map(({ hash }) => hash));
  }

  /** The time, as whoever made it measures it. */
  time(): number {
    return this.now();
  }

  /** What the files hold now. Files that are not there are not in the answer; special files are skipped. */
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

  /** Those of the recorded files that have another size, time or inode now, or are gone; of the skipped, what changed since `since` (ms). */
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

  /** The content that was recorded. */
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
      const hash = await this.store.put(bytes);
      const recorded = { hash, size: bytes.byteLength, mtimeMs, inode, mode };
      if (this.now() - mtimeMs > clockStepMs) this.cache.set(path, recorded);
      return recorded;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
    }
  }
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
