import { lstat, readFile } from 'node:fs/promises';
import type { BlobHash, BlobStore } from './blobStore';
import type { BaselineLimits, FileBefore, SkipReason } from './baseline';

/** A recorded file: where its content is kept, and by what one sees that it has not changed since. */
export interface Recorded {
  readonly hash: BlobHash;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly isExecutable: boolean;
}

/** A file may change twice within the clock's step; what is younger than this (ms) is not trusted by its time. */
const clockStepMs = 50;
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
  private readonly cache = new Map<string, Recorded>();

  constructor(store: BlobStore, limits: BaselineLimits, now: () => number) {
    this.store = store;
    this.limits = limits;
    this.now = now;
  }

  /** Hashes of the contents that the next baseline takes to be stored. */
  get hashes(): Set<BlobHash> {
    return new Set([...this.cache.values()].map(({ hash }) => hash));
  }

  /** What the files hold now. Files that are not there are not in the answer; links and special files are skipped. */
  async record(paths: readonly string[]): Promise<Map<string, Recorded | SkipReason>> {
    const result = new Map<string, Recorded | SkipReason>();
    let total = 0;
    let at = 0;
    const room = { newFiles: this.limits.newFiles };
    const lane = async () => {
      while (at < paths.length) {
        const path = paths[at++] ?? '';
        if (result.size >= this.limits.files || total >= this.limits.totalBytes) {
          result.set(path, 'budget');
          continue;
        }
        const recorded = await this.recordOne(path, room);
        if (recorded === undefined) continue;
        result.set(path, recorded);
        if (typeof recorded !== 'string') total += recorded.size;
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, paths.length) }, lane));
    return result;
  }

  /** Those of the recorded files that have another size, time or inode now, or are gone. */
  async changed(all: Iterable<readonly [path: string, recorded: Recorded | SkipReason]>): Promise<string[]> {
    const waiting = [...all];
    const found: string[] = [];
    let at = 0;
    const lane = async () => {
      for (let next = waiting[at++]; next !== undefined; next = waiting[at++]) {
        const [path, recorded] = next;
        if (typeof recorded !== 'string' && !(await isUntouched(path, recorded))) found.push(path);
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, waiting.length) }, lane));
    return found;
  }

  /** The content that was recorded. */
  async read(recorded: Recorded | SkipReason | undefined): Promise<FileBefore> {
    if (recorded === undefined) return { kind: 'absent' };
    if (typeof recorded === 'string') return { kind: 'skipped', reason: recorded };
    const bytes = await this.store.get(recorded.hash);
    if (!bytes) return { kind: 'skipped', reason: 'budget' };
    return { kind: 'file', bytes, isExecutable: recorded.isExecutable };
  }

  private async recordOne(path: string, room: { newFiles: number }): Promise<Recorded | SkipReason | undefined> {
    try {
      const info = await lstat(path);
      if (!info.isFile()) return info.isDirectory() ? undefined : 'unreadable';
      if (info.size > this.limits.fileBytes) return 'large';
      const known = this.cache.get(path);
      const { size, mtimeMs, ino: inode } = info;
      if (known?.size === size && known.mtimeMs === mtimeMs && known.inode === inode) return known;
      if (--room.newFiles < 0) return 'budget';
      const bytes = await readFile(path);
      const hash = await this.store.put(bytes);
      const recorded = { hash, size: bytes.byteLength, mtimeMs, inode, isExecutable: (info.mode & 0o111) !== 0 };
      if (this.now() - mtimeMs > clockStepMs) this.cache.set(path, recorded);
      return recorded;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
    }
  }
}

async function isUntouched(path: string, { size, mtimeMs, inode, isExecutable }: Recorded): Promise<boolean> {
  try {
    const info = await lstat(path);
    const isSame = info.isFile() && info.size === size && info.mtimeMs === mtimeMs && info.ino === inode;
    return isSame && ((info.mode & 0o111) !== 0) === isExecutable;
  } catch {
    return false;
  }
}
