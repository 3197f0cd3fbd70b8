import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How long an empty folder is kept, in milliseconds. Another window may be about to use a newer one. */
const unusedMs = 24 * 60 * 60 * 1000;

/**
 * An empty folder of Parley's own for each window without a folder. Its sessions work there instead of in the user's
 * home.
 */
export class ScratchFolder {
  private readonly root: string;
  private folder: string | undefined;

  /** `root` contains the folders of all windows. */
  constructor(root: string) {
    this.root = root;
  }

  /** This window's folder. Created on first use. */
  get path(): string {
    if (this.folder === undefined) void this.tidyUp(Date.now());
    this.folder ??= join(this.root, randomUUID().slice(0, 8));
    this.bringBack(this.folder);
    return this.folder;
  }

  /** Returns true if a folder is one of these, of any window. */
  has(folder: string): boolean {
    return dirname(folder) === this.root;
  }

  /** Recreates the folder of an earlier window whose session continues. Ignores other folders. */
  bringBack(folder: string): void {
    if (this.has(folder)) mkdirSync(folder, { recursive: true });
  }

  /** Removes the empty folders of earlier windows and keeps those with files. Never rejects. */
  async tidyUp(now: number): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    for (const name of names) {
      const folder = join(this.root, name);
      const found = await stat(folder).catch(() => undefined);
      if (folder === this.folder || !found || now - found.mtimeMs < unusedMs) continue;
      // Fails if the folder isn't empty, as intended.
      await rmdir(folder).catch(() => undefined);
    }
  }
}
