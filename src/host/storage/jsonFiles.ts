import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../../shared/attempt';

/** How files are written: a promise of what it does, or done when it returns. */
export interface Disk {
  mkdir(path: string, options: { readonly recursive: true }): unknown;
  writeFile(path: string, text: string, options: { readonly mode: number }): unknown;
  rename(from: string, to: string): unknown;
  rm(path: string, options: { readonly force: true }): unknown;
}

const inTime: Disk = { mkdir, writeFile, rename, rm };
const atOnce: Disk = { mkdir: mkdirSync, writeFile: writeFileSync, rename: renameSync, rm: rmSync };

/** The folder, in that of the files, for those that could not be read. */
export const damagedFolder = 'damaged';

/** What `parse` answers for a record of a later version of Parley: it stays where it is, untouched. The same in every bundle. */
export const fromLaterVersion: unique symbol = Symbol.for('parley.fromLaterVersion');

/** JSON files in one folder of ours. A file is written whole or not at all; only its owner may read it. */
export class JsonFiles {
  readonly folder: string;
  private disk: Disk;
  private readonly hurried: Disk;
  private readonly onSetAside: (path: string) => void;

  /** `folder` is created with the first file. `onSetAside` hears where files are that could not be read. */
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
   * From now on files are written before anything else in this process can happen, for it may be ended at any time. What is
   * being written just now never comes to its end, so that it cannot take the place of what is newer: who asked for it does
   * so again.
   */
  hurry(): void {
    this.disk = this.hurried;
  }

  /** The name of the file that belongs to a key, whatever characters the key has. */
  static nameOf(key: string): string {
    return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`;
  }

  /** Names of all files that are there, in no order. */
  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** What a file holds, of whatever shape; undefined when there is none, or it is damaged. */
  async read(name: string): Promise<unknown> {
    try {
      return JSON.parse(await readFile(join(this.folder, name), 'utf8'));
    } catch {
      // As good as nothing stored.
      return undefined;
    }
  }

  /**
   * What a record holds, as `parse` reads it. A record that is damaged, or of a shape that `parse` answers undefined for, is set aside, so
   * that nothing is ever written over it. Undefined when there is no record that can be read.
   */
  async load<T>(
    name: string,
    parse: (json: unknown) => T | typeof fromLaterVersion | undefined,
  ): Promise<T | undefined> {
    let text: string;
    try {
      text = await readFile(join(this.folder, name), 'utf8');
    } catch {
      // None, or it cannot be read just now. That does not make it damaged.
      return undefined;
    }
    const parsed = attempt(() => parse(JSON.parse(text)));
    if (parsed === undefined) await this.setAside(name);
    return parsed === fromLaterVersion ? undefined : parsed;
  }

  /** Moves a file that is of no use as it is to where nobody writes, and tells where. */
  async setAside(name: string): Promise<void> {
    const folder = join(this.folder, damagedFolder);
    const there = await readdir(folder).catch((): string[] => []);
    let to = name;
    for (let copy = 2; there.includes(to); copy += 1) to = `${name}.${copy}`;
    try {
      await this.disk.mkdir(folder, { recursive: true });
      await this.disk.rename(join(this.folder, name), join(folder, to));
    } catch {
      // Another window was quicker, or the disk takes nothing: then it stays, and is still not written over by who reads it.
      return;
    }
    this.onSetAside(join(folder, to));
  }

  /** Gives a file a name that no other has, whole or not at all. `gone`: it is not there any more, since somebody else was quicker. */
  async rename(from: string, to: string): Promise<'done' | 'gone' | 'failed'> {
    try {
      await this.disk.rename(join(this.folder, from), join(this.folder, to));
      return 'done';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'failed';
    }
  }

  /** Rejects when the disk does not take it; the file is then as it was. */
  async write(name: string, json: string): Promise<void> {
    const { disk } = this;
    await disk.mkdir(this.folder, { recursive: true });
    const draft = join(this.folder, `${name}.${randomUUID()}`);
    try {
      await disk.writeFile(draft, json, { mode: 0o600 });
      if (disk === this.disk) await disk.rename(draft, join(this.folder, name));
      else await disk.rm(draft, { force: true });
    } catch (error) {
      await disk.rm(draft, { force: true });
      if (disk === this.disk) throw error;
    }
    if (disk !== this.disk) await new Promise(() => undefined);
  }

  /** Removes a file that may not be there. */
  async remove(name: string): Promise<void> {
    const { disk } = this;
    await disk.rm(join(this.folder, name), { force: true });
    if (disk !== this.disk) await new Promise(() => undefined);
  }
}
