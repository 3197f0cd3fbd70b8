import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A folder in which nothing was put goes after so long (ms); another window may be about to work in a newer one. */
const unusedMs = 24 * 60 * 60 * 1000;

/** An empty folder of Parley's own for each window that has no folder open: its sessions work there and not in the user's home. */
export class ScratchFolder {
  private readonly root: string;
  private made: string | undefined;

  /** `root`: where the folders of all windows are. */
  constructor(root: string) {
    this.root = root;
  }

  /** This window's folder, made with the first use. */
  get path(): string {
    if (this.made === undefined) void this.tidyUp(Date.now());
    this.made ??= join(this.root, randomUUID().slice(0, 8));
    this.bringBack(this.made);
    return this.made;
  }

  /** Whether a folder is one of these, of this window or another. */
  has(folder: string): boolean {
    return dirname(folder) === this.root;
  }

  /** Makes a folder of an earlier window again, whose session goes on; other folders are left alone. */
  bringBack(folder: string): void {
    if (this.has(folder)) mkdirSync(folder, { recursive: true });
  }

  /** Removes the empty folders of earlier windows. What somebody put into one stays. Never rejects. */
  async tidyUp(now: number): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    for (const name of names) {
      const folder = join(this.root, name);
      const found = await stat(folder).catch(() => undefined);
      if (folder === this.made || !found || now - found.mtimeMs < unusedMs) continue;
      // Fails for a folder that isn't empty, which is the point.
      await rmdir(folder).catch(() => undefined);
    }
  }
}
