import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How files are written: a promise of what it does, or done when it returns. */
interface Disk {
  mkdir(path: string, options: { readonly recursive: true }): unknown;
  writeFile(path: string, text: string, options: { readonly mode: number }): unknown;
  rename(from: string, to: string): unknown;
  rm(path: string, options: { readonly force: true }): unknown;
}

const inTime: Disk = { mkdir, writeFile, rename, rm };
const atOnce: Disk = { mkdir: mkdirSync, writeFile: writeFileSync, rename: renameSync, rm: rmSync };

/** JSON files in one folder of ours. A file is written whole or not at all; only its owner may read it. */
export class JsonFiles {
  private readonly folder: string;
  private disk = inTime;

  /** `folder` is created with the first file. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * From now on files are written before anything else in this process can happen, for it may be ended at any time. What is
   * being written just now never comes to its end, so that it cannot take the place of what is newer: who asked for it does
   * so again.
   */
  hurry(): void {
    this.disk = atOnce;
  }

  /** The name of the file that belongs to a key, whatever characters the key has. */
  static nameOf(key: string): string {
    return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`;
  }

  /** Names of all files that are there, in no order. */
  async names(): Promise<readonly string[]> {
    return readdir(this.folder).catch(() => []);
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
    await this.disk.rm(join(this.folder, name), { force: true });
  }
}
