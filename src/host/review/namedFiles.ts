import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import { Coalesced } from '../base/coalesce';
import { spelledOnDisk } from '../base/filePaths';
import type { DiskChanges } from './diskChanges';
import { unchangedSince } from './noticed';
import type { NamedFile, WatchedTurns } from './watchedTurns';

/**
 * Minimum time between two looks at the files of finished tool calls, in milliseconds, because hundreds may finish
 * together.
 */
const calmMs = 200;

/** Reads the files that tool calls refer to, also where no watcher sees them. */
export class NamedFiles extends Disposable {
  private readonly disk: DiskChanges;
  private readonly over = new Set<string>();
  private readonly soon: Coalesced;

  constructor(turns: WatchedTurns, disk: DiskChanges, report: (error: unknown) => void) {
    super();
    this.disk = disk;
    this.soon = this.register(new Coalesced(() => void this.lookAtOver().catch(report), calmMs));
    this.register(turns.onDidName((named) => void this.named(named).catch(report)));
  }

  private async named({ turn, path, isOver }: NamedFile): Promise<void> {
    if (isOver) {
      this.over.add(path);
      this.soon.request();
      return;
    }
    const uri = vscode.Uri.file(await spelledOnDisk(path));
    // Remember the content if the file hasn't been written yet, because the baseline may not have it.
    if (!this.disk.isFollowed(uri) && !turn.noticed.has(path)) {
      const before = await unchangedSince(path, turn.startedAt);
      if (before) turn.noticed.set(path, before);
    }
    await this.disk.look(uri);
  }

  private async lookAtOver(): Promise<void> {
    const paths = [...this.over];
    this.over.clear();
    await this.disk.lookAt(paths);
  }
}
