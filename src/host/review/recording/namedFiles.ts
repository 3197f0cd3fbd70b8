import * as vscode from 'vscode';
import { Disposable } from '../../../shared/values/disposable';
import { Coalesced } from '../../base/coalesce';
import { spelledOnDisk } from '../../base/filePaths';
import type { DiskChanges } from './diskChanges';
import { unchangedSince } from '../moves/noticed';
import type { NamedFile, WatchedTurn, WatchedTurns } from './watchedTurns';

/** Minimum time between two looks at the files of tool calls, in milliseconds, because hundreds may be reported together. */
const calmMs = 200;

/**
 * Reads the files that tool calls refer to, also where no watcher sees them. Never before the calls themselves are on their way to the
 * page.
 */
export class NamedFiles extends Disposable {
  private readonly disk: DiskChanges;
  private readonly report: (error: unknown) => void;
  /** Files that calls are about to change, and that weren't read in their turn yet. */
  private readonly unread = new Map<WatchedTurn, Set<string>>();
  /** The files of each turn that were read. */
  private readonly read = new WeakMap<WatchedTurn, Set<string>>();
  private reading: NodeJS.Immediate | undefined;
  private readonly named = new Set<string>();
  private readonly soon: Coalesced;

  constructor(turns: WatchedTurns, disk: DiskChanges, report: (error: unknown) => void) {
    super();
    this.disk = disk;
    this.report = report;
    this.soon = this.register(new Coalesced(() => void this.lookAtNamed().catch(report), calmMs));
    this.register(turns.onDidName((named) => this.note(named)));
    this.register({ dispose: () => clearImmediate(this.reading) });
  }

  private note({ turn, path, isOver }: NamedFile): void {
    this.named.add(path);
    this.soon.request();
    if (isOver || this.read.get(turn)?.has(path)) return;
    this.unread.set(turn, (this.unread.get(turn) ?? new Set()).add(path));
    this.reading ??= setImmediate(() => {
      this.reading = undefined;
      void this.readUnread().catch(this.report);
    });
  }

  /** Remembers contents that weren't written yet, because the baseline may not have them. */
  private async readUnread(): Promise<void> {
    const all = [...this.unread];
    this.unread.clear();
    for (const [turn, paths] of all) {
      this.read.set(turn, new Set([...(this.read.get(turn) ?? []), ...paths]));
      await Promise.all([...paths].map((path) => this.remember(turn, path)));
    }
  }

  private async remember(turn: WatchedTurn, path: string): Promise<void> {
    const uri = vscode.Uri.file(await spelledOnDisk(path));
    if (this.disk.isFollowed(uri) || turn.noticed.has(path)) return;
    const before = await unchangedSince(path, turn.startedAt);
    if (before) turn.noticed.set(path, before);
  }

  private async lookAtNamed(): Promise<void> {
    const paths = [...this.named];
    this.named.clear();
    await this.disk.lookAt(paths);
  }
}
