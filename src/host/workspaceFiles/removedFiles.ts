import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { patiently } from '../../disk/patiently';

/** The system's trash is slow. After this many files within `burstMs`, further ones go to Parley's own trash. */
const burst = 20;
const burstMs = 10_000;
/** How long files stay in Parley's own trash, in milliseconds. */
const keptMs = 30 * 24 * 3600 * 1000;

/**
 * Files removed by an undo, which are never deleted permanently. They go to the system's trash, or to a folder of
 * Parley's if there is no trash or there are many files.
 */
export class RemovedFiles {
  /** The folder of files that didn't go to the system's trash. */
  readonly folder: string;
  private hasTrash = true;
  private recent: number[] = [];
  private isPruned = false;
  private count = 0;
  private copies = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Number of files moved to `folder` up to now. */
  get ownCount(): number {
    return this.count;
  }

  /** Number of files copied to `folder` up to now, because an undo overwrites the user's lines in them. */
  get copyCount(): number {
    return this.copies;
  }

  /** Stores a copy of a file in which the user's lines are about to be overwritten. */
  async copyAway(path: string): Promise<void> {
    await this.putBy(path);
    this.copies++;
  }

  /** Removes a file or folder. Does nothing if it doesn't exist. */
  async takeAway(path: string): Promise<void> {
    const now = Date.now();
    this.recent = this.recent.filter((at) => now - at < burstMs);
    this.recent.push(now);
    if (this.hasTrash && this.recent.length <= burst && (await this.toTrash(path))) return;
    await this.toOwn(path);
  }

  /** Stores a copy of a file that the editor is about to delete. */
  async putBy(path: string): Promise<void> {
    await copy(path, await this.place(path));
  }

  private async toTrash(path: string): Promise<boolean> {
    try {
      await vscode.workspace.fs.delete(vscode.Uri.file(path), { recursive: true, useTrash: true });
      return true;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return true;
      // Remote machines and some desktops have no trash.
      this.hasTrash = false;
      return false;
    }
  }

  private async toOwn(path: string): Promise<void> {
    const target = await this.place(path);
    try {
      await patiently(() => rename(path, target));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EXDEV') throw error;
      // The folder is on another disk.
      await copy(path, target);
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    }
    this.count++;
  }

  /** Returns an unused path in Parley's own folder. */
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
      if (isOld && (await stat(path).catch(() => undefined)))
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}
