import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HunkId } from '../../review/hunk';
import { nextHunkFrom, previousHunkFrom, type HunkPlace } from '../../review/hunkPlaces';
import type { ReviewLog } from '../../review/reviewLog';
import type { DiskChanges } from './diskChanges';
import type { ReviewComments } from './reviewComments';
import { compareFile, openChanges } from './showChanges';
import { undoWithQuestion, type FileChanges } from './undoWithQuestion';

/** A change as the editor's peek names it; lines count from 1, and an end of 0 means that the side has no lines. */
interface LineChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** The commands of review, by id. Each acts on what it is called with, else on the editor that has the focus. */
export class ReviewCommands {
  private readonly log: ReviewLog;
  private readonly disk: DiskChanges;
  private readonly comments: ReviewComments;

  constructor(log: ReviewLog, disk: DiskChanges, comments: ReviewComments) {
    this.log = log;
    this.disk = disk;
    this.comments = comments;
  }

  get all(): Readonly<Record<string, (...args: readonly unknown[]) => Promise<void> | void>> {
    return {
      'parley.review.open': () => this.open(),
      'parley.review.compare': (uri) => this.compare(uri),
      'parley.review.nextChange': () => this.go((uri, line) => nextHunkFrom(this.log, uri, line)),
      'parley.review.previousChange': () => this.go((uri, line) => previousHunkFrom(this.log, uri, line)),
      'parley.review.keepChange': (...args) => this.atPlace(args, ({ uri, hunk }) => this.log.keep(uri, [hunk.id])),
      'parley.review.undoChange': (...args) =>
        this.atPlace(args, ({ uri, hunk }) => this.undo([{ uri, ids: [hunk.id] }])),
      'parley.review.comment': (...args) => this.atPlace(args, ({ uri, hunk }) => this.comments.comment(uri, hunk)),
      'parley.review.keepFile': (...args) => this.inFile(args, (uri) => this.log.keep(uri)),
      'parley.review.undoFile': (...args) => this.inFile(args, (uri) => this.undo([{ uri, ids: 'all' }])),
      'parley.review.keepAll': () => this.log.keepAll(),
      'parley.review.undoAll': () => this.undo(this.log.pending.map((uri) => ({ uri, ids: 'all' }))),
      'parley.review.undoKeep': () => void this.log.undoLastKeep(),
    };
  }

  private async open(): Promise<void> {
    await openChanges(this.log, this.log.pending, l10n.t('Agent changes'));
  }

  private async compare(arg: unknown): Promise<void> {
    const uri = this.uriOf(arg);
    if (uri !== undefined) await compareFile(this.log, uri);
  }

  private async go(find: (uri: string, line: number) => HunkPlace | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const place = find(editor?.document.uri.toString() ?? '', editor?.selection.active.line ?? -1);
    if (!place) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    const line = Math.min(place.hunk.start, document.lineCount - 1);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(line, 0, line, 0) });
  }

  /** From a lens (URI, hunk), the peek (Uri, changes, index), or the cursor. */
  private async atPlace(args: readonly unknown[], act: (place: HunkPlace) => Promise<void> | void): Promise<void> {
    const [first, second, third] = args;
    const uri = this.uriOf(first);
    const hunks = uri === undefined ? [] : (this.log.file(uri)?.hunks ?? []);
    if (uri === undefined) return;
    if (typeof second === 'string') {
      const hunk = hunks.find(({ id }) => id === (second as HunkId));
      if (hunk) await act({ uri, hunk });
      return;
    }
    const lines = Array.isArray(second) && typeof third === 'number' ? (second as LineChange[])[third] : undefined;
    const line = lines
      ? lines.modifiedStartLineNumber - 1
      : (vscode.window.activeTextEditor?.selection.active.line ?? 0);
    // What only takes lines away stands between two lines; the peek names the one before.
    const hunk =
      hunks.find(({ start, end }) => line >= start && line < end) ??
      hunks.find(({ start, end }) => start === end && (line === start || line === start - 1));
    if (hunk) await act({ uri, hunk });
  }

  private async inFile(args: readonly unknown[], act: (uri: string) => Promise<void> | void): Promise<void> {
    const uri = this.uriOf(args[0]);
    if (uri !== undefined) await act(uri);
  }

  private undo(changes: readonly FileChanges[]): Promise<void> {
    return undoWithQuestion(this.log, this.disk, changes);
  }

  private uriOf(arg: unknown): string | undefined {
    if (typeof arg === 'string') return arg;
    const named = (arg as { readonly resourceUri?: vscode.Uri } | undefined)?.resourceUri;
    const uri = arg instanceof vscode.Uri ? arg : (named ?? vscode.window.activeTextEditor?.document.uri);
    return uri?.toString();
  }
}
