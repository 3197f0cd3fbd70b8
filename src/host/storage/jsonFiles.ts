import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** JSON files in one folder of ours. A file is written whole or not at all; only its owner may read it. */
export class JsonFiles {
  private readonly folder: string;

  /** `folder` is created with the first file. */
  constructor(folder: string) {
    this.folder = folder;
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
    await mkdir(this.folder, { recursive: true });
    const draft = join(this.folder, `${name}.${randomUUID()}`);
    try {
      await writeFile(draft, json, { mode: 0o600 });
      await rename(draft, join(this.folder, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Removes a file that may not be there. */
  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }
}
