import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patiently, patientlyNow } from '../../disk/patiently';
import { attempt } from '../../shared/values/attempt';
import { toDisposable, type IDisposable } from '../../shared/values/disposable';
import { isRecord } from '../../shared/values/isRecord';

/** File operations, either asynchronous or synchronous. */
export interface Disk {
  mkdir(path: string, options: { readonly recursive: true }): unknown;
  writeFile(path: string, text: string, options: { readonly mode: number }): unknown;
  rename(from: string, to: string): unknown;
  rm(path: string, options: { readonly force: true }): unknown;
  /** Runs one of the operations, and again while another program holds the file. */
  insist(act: () => unknown): unknown;
}

const inTime: Disk = { mkdir, writeFile, rename, rm, insist: patiently };
const atOnce: Disk = {
  mkdir: mkdirSync,
  writeFile: writeFileSync,
  rename: renameSync,
  rm: rmSync,
  insist: patientlyNow,
};

/** The subfolder for unreadable files. */
export const damagedFolder = 'damaged';

/**
 * The result of `parse` for a record of a later version of Parley, which is left untouched. The same symbol in every
 * bundle.
 */
export const fromLaterVersion: unique symbol = Symbol.for('parley.fromLaterVersion');

/** Returns whether a record is of a version after `newest`, so that `parse` has to leave it untouched. */
export function isOfLaterVersion(json: unknown, newest: number): boolean {
  const version = isRecord(json) ? json['version'] : undefined;
  return typeof version === 'number' && version > newest;
}

/** JSON files in one of Parley's folders. Writes are atomic. Only the owner can read the files. */
export class JsonFiles {
  readonly folder: string;
  private disk: Disk;
  private readonly hurried: Disk;
  private readonly onSetAside: (path: string) => void;

  /** `folder` is created with the first file. `onSetAside` is called with the new paths of unreadable files. */
  constructor(
    folder: string,
    onSetAside: (path: string) => void = () => undefined,
    disks: { readonly inTime: Disk; readonly atOnce: Disk } = { inTime, atOnce },
  ) {
    this.folder = folder;
    this.onSetAside = onSetAside;
    this.disk = disks.inTime;
    this.hurried = disks.atOnce;
  }

  /**
   * Makes all later writes synchronous, because the process may exit at any time. Writes in progress never finish, so
   * that they can't replace newer content. The caller must repeat them.
   */
  hurry(): void {
    this.disk = this.hurried;
  }

  /** Returns the file name for a key with any characters. */
  static nameOf(key: string): string {
    return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`;
  }

  /** Returns the names of all existing files, in no particular order. */
  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** Reads a file of any shape. Resolves to undefined if it's missing or damaged. */
  async read(name: string): Promise<unknown> {
    try {
      return JSON.parse(await readFile(join(this.folder, name), 'utf8'));
    } catch {
      // Treated as if nothing were stored.
      return undefined;
    }
  }

  /**
   * Reads a record with `parse`. Sets aside a damaged record, or one that `parse` returns undefined for, so that it's
   * never overwritten. Resolves to undefined if there is no readable record.
   */
  async load<T>(
    name: string,
    parse: (json: unknown) => T | typeof fromLaterVersion | undefined,
  ): Promise<T | undefined> {
    let text: string;
    try {
      text = await patiently(() => readFile(join(this.folder, name), 'utf8'));
    } catch {
      // The record is missing or can't be read now, which doesn't mean it's damaged.
      return undefined;
    }
    const parsed = attempt(() => parse(JSON.parse(text)));
    if (parsed === undefined) await this.setAside(name);
    return parsed === fromLaterVersion ? undefined : parsed;
  }

  /** Moves an unusable file to a place that isn't written to, and reports the place. */
  async setAside(name: string): Promise<void> {
    const folder = join(this.folder, damagedFolder);
    const there = await readdir(folder).catch((): string[] => []);
    let to = name;
    for (let copy = 2; there.includes(to); copy += 1) to = `${name}.${copy}`;
    try {
      await this.disk.mkdir(folder, { recursive: true });
      await this.disk.insist(() => this.disk.rename(join(this.folder, name), join(folder, to)));
    } catch {
      // Another window was faster, or the disk isn't writable. The file stays, and the caller must not overwrite it.
      return;
    }
    this.onSetAside(join(folder, to));
  }

  /**
   * Renames a file atomically to an unused name. `gone`: the file no longer exists, because another window was faster.
   */
  async rename(from: string, to: string): Promise<'done' | 'gone' | 'failed'> {
    try {
      await this.disk.insist(() => this.disk.rename(join(this.folder, from), join(this.folder, to)));
      return 'done';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'failed';
    }
  }

  /** Rejects if the write fails. The file is then unchanged. */
  async write(name: string, json: string): Promise<void> {
    const { disk } = this;
    await disk.mkdir(this.folder, { recursive: true });
    const draft = join(this.folder, `${name}.${randomUUID()}`);
    try {
      await disk.writeFile(draft, json, { mode: 0o600 });
      // Checked before each attempt, because `hurry` may be called between two.
      await disk.insist(() =>
        disk === this.disk ? disk.rename(draft, join(this.folder, name)) : disk.rm(draft, { force: true }),
      );
    } catch (error) {
      await this.discard(disk, draft);
      if (disk === this.disk) throw error;
    }
    if (disk !== this.disk) await new Promise(() => undefined);
  }

  /** Removes a file, which need not exist. */
  async remove(name: string): Promise<void> {
    const { disk } = this;
    await disk.insist(() => disk === this.disk && disk.rm(join(this.folder, name), { force: true }));
    if (disk !== this.disk) await new Promise(() => undefined);
  }

  /** Removes a file synchronously if possible, because the process may exit at any time. */
  removeNow(name: string): void {
    attempt(() => rmSync(join(this.folder, name), { force: true }));
  }

  /**
   * Calls `changed` with the name of each file that is written or removed, or with null if that isn't known. Creates the
   * folder. Does nothing if watching isn't possible.
   */
  watch(changed: (name: string | null) => void): IDisposable {
    const watcher = attempt(() => {
      mkdirSync(this.folder, { recursive: true });
      return watch(this.folder, { persistent: false }, (_event, name) => changed(name)).on('error', () => undefined);
    });
    return toDisposable(() => watcher?.close());
  }

  /** Removes a draft if possible. Never rejects, because the caller reports why the write failed. */
  private async discard(disk: Disk, draft: string): Promise<void> {
    try {
      await disk.insist(() => disk.rm(draft, { force: true }));
    } catch {
      // The draft stays. Its name is never read.
    }
  }
}
