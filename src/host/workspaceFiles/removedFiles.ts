import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

/** The system's trash takes a moment for each file; when so many have gone within `burstMs`, the others go to our own. */
const burst = 20;
const burstMs = 10_000;
/** What is in our own trash stays so long (ms). */
const keptMs = 30 * 24 * 3600 * 1000;

/**
 * What an undo takes away: nothing is deleted for good. It goes to the system's trash, or into a folder of our own where there is no
 * such trash, or for many files at once.
 */
export class RemovedFiles {
  /** Where files are found that did not go to the system's trash. */
  readonly folder: string;
  private hasTrash = true;
  private recent: number[] = [];
  private isPruned = false;
  private count = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** How many files have gone into `folder` so far. */
  get ownCount(): number {
    return this.count;
  }

  /** Takes away a file or folder; nothing happens when there is none. */
  async takeAway(path: string): Promise<void> {
    const now = Date.now();
    this.recent = this.recent.filter((at) => now - at < burstMs);
    this.recent.push(now);
    if (this.hasTrash && this.recent.length <= burst && (await this.toTrash(path))) return;
    await this.toOwn(path);
  }

  /** Puts a copy by of what the editor is about to delete. */
  async putBy(path: string): Promise<void> {
    await copy(path, await this.place(path));
  }

  private async toTrash(path: string): Promise<boolean> {
    try {
      await vscode.workspace.fs.delete(vscode.Uri.file(path), { recursive: true, useTrash: true });
      return true;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return true;
      // A remote machine has none, and some desktops have none either.
      this.hasTrash = false;
      return false;
    }
  }

  private async toOwn(path: string): Promise<void> {
    const target = await this.place(path);
    try {
      await rename(path, target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EXDEV') throw error;
      // Another disk.
      await copy(path, target);
      await rm(path, { recursive: true, force: true });
    }
    this.count++;
  }

  /** A new place in our own folder. */
  private async place(path: string): Promise<string> {
    await this.prune();
    const folder = join(this.folder, `${Date.now()}-${randomUUID()}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, basename(path));
  }

  private async prune(): Promise<void> {
    if (this.isPruned) return;
    this.isPruned = true;
    for (const name of await readdir(this.folder).catch(() => [])) {
      const at = Number(name.split('-')[0]);
      const path = join(this.folder, name);
      const isOld = Number.isFinite(at) && Date.now() - at > keptMs;
      if (isOld && (await stat(path).catch(() => undefined))) await rm(path, { recursive: true, force: true });
    }
  }
}

function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}
