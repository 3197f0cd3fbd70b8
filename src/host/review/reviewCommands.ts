import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Hunk, HunkId } from '../../review/hunk';
import { nextHunkFrom, previousHunkFrom, type HunkPlace } from '../../review/hunkPlaces';
import type { ReviewLog } from '../../review/reviewLog';
import { loadOnDemand } from '../onDemand/loadOnDemand';
import type { DiskChanges } from './diskChanges';
import { activeCell, showCell } from './notebooks/cellPlaces';
import { changesAt, notebookUnderReview } from './notebooks/openNotebook';
import type { ReviewComments } from './reviewComments';
import type { FileChanges } from './undoWithQuestion';

/** A change as the editor's peek names it; lines count from 1, and an end of 0 means that the side has no lines. */
interface LineChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** The commands of review, by id. Each acts on what it is called with, else on the editor that has the focus. */
export class ReviewCommands {
  private readonly log: ReviewLog;
  private readonly disk: DiskChanges;
  private readonly comments: () => Promise<ReviewComments>;

  constructor(log: ReviewLog, disk: DiskChanges, comments: () => Promise<ReviewComments>) {
    this.log = log;
    this.disk = disk;
    this.comments = comments;
  }

  get all(): Readonly<Record<string, (...args: readonly unknown[]) => Promise<void> | void>> {
    return {
      'parley.review.open': () => this.open(),
      'parley.review.compare': (uri) => this.compare(uri),
      'parley.review.nextChange': () => this.go('last', (uri, line) => nextHunkFrom(this.log, uri, line)),
      'parley.review.previousChange': () => this.go('first', (uri, line) => previousHunkFrom(this.log, uri, line)),
      'parley.review.keepChange': (...args) => this.atPlace(args, (uri, ids) => this.log.keep(uri, ids)),
      'parley.review.undoChange': (...args) => this.atPlace(args, (uri, ids) => this.undo([{ uri, ids }])),
      'parley.review.comment': (...args) => this.atPlace(args, (uri, [id]) => this.comment(uri, id)),
      'parley.review.sendComment': async (reply) => (await this.comments()).send(reply as vscode.CommentReply),
      'parley.review.keepFile': (...args) => this.inFile(args, (uri) => this.log.keep(uri)),
      'parley.review.undoFile': (...args) => this.inFile(args, (uri) => this.undo([{ uri, ids: 'all' }])),
      'parley.review.keepAll': () => this.log.keepAll(),
      'parley.review.undoAll': () => this.undo(this.log.pending.map((uri) => ({ uri, ids: 'all' }))),
      'parley.review.undoKeep': () => void this.log.undoLastKeep(),
    };
  }

  private async open(): Promise<void> {
    const { pending } = this.log;
    await (await loadOnDemand()).openChanges(this.log, pending, l10n.t('Agent changes'));
  }

  private async compare(arg: unknown): Promise<void> {
    const uri = this.uriOf(arg);
    if (uri !== undefined) await (await loadOnDemand()).compareFile(this.log, uri);
  }

  /** From the cursor, or from the first or last line of the cell in a notebook. */
  private async go(edge: 'first' | 'last', find: (uri: string, line: number) => HunkPlace | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const cell = activeCell(this.log);
    const uri = cell?.uri ?? editor?.document.uri.toString() ?? '';
    const place = find(uri, cell?.[edge] ?? editor?.selection.active.line ?? -1);
    if (!place || (await showCell(this.log, place))) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    const line = Math.min(place.hunk.start, document.lineCount - 1);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(line, 0, line, 0) });
  }

  private async comment(uri: string, id: HunkId | undefined): Promise<void> {
    const hunk = this.log.file(uri)?.hunks.find((one) => one.id === id);
    if (hunk) (await this.comments()).comment(uri, hunk);
  }

  /** From a lens (URI, id), a notebook (URI, ids; or a cell), the peek (Uri, changes, index), or the cursor. */
  private async atPlace(
    args: readonly unknown[],
    act: (uri: string, ids: readonly HunkId[]) => Promise<void> | void,
  ): Promise<void> {
    const [first, second, third] = args;
    const cell = cellOf(first) ?? (first === undefined ? activeCell(this.log)?.cell : undefined);
    const uri = cell ? cell.notebook.uri.toString() : this.uriOf(first);
    if (uri === undefined) return;
    const { hunks, traitChanges } = this.log.file(uri) ?? { hunks: [], traitChanges: [] };
    const asked = cell ? idsIn(this.log, cell) : idsAmong([...hunks, ...traitChanges], second);
    const ids = asked ?? idsOf(hunksAt(hunks, lineOf(second, third)));
    if (ids.length > 0) await act(uri, ids);
  }

  private async inFile(args: readonly unknown[], act: (uri: string) => Promise<void> | void): Promise<void> {
    const uri = this.uriOf(args[0]);
    if (uri !== undefined) await act(uri);
  }

  private async undo(changes: readonly FileChanges[]): Promise<void> {
    await (await loadOnDemand()).undoWithQuestion(this.log, this.disk, changes);
  }

  private uriOf(arg: unknown): string | undefined {
    if (typeof arg === 'string') return arg;
    const named = (arg as { readonly resourceUri?: vscode.Uri } | undefined)?.resourceUri;
    const uri = arg instanceof vscode.Uri ? arg : (named ?? activeFile());
    return uri?.toString();
  }
}

/** The file whose editor has the focus, or had it last. */
function activeFile(): vscode.Uri | undefined {
  const { activeNotebookEditor, activeTextEditor } = vscode.window;
  return activeNotebookEditor?.notebook.uri ?? activeTextEditor?.document.uri;
}

function idsOf(hunks: readonly { readonly id: HunkId }[]): HunkId[] {
  return [...new Set(hunks.map(({ id }) => id))];
}

/** Which of these are there; undefined for what is no ids. */
function idsAmong(all: readonly { readonly id: HunkId }[], ids: unknown): HunkId[] | undefined {
  const list: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
  return list.every((id) => typeof id === 'string') ? idsOf(all.filter(({ id }) => list.includes(id))) : undefined;
}

function idsIn(log: ReviewLog, cell: vscode.NotebookCell): HunkId[] {
  const found = notebookUnderReview(log, cell.notebook);
  return found ? idsOf(changesAt(found, cell.index).flatMap(({ hunks }) => hunks)) : [];
}

/** The line that the peek names, else that of the cursor; from 0. */
function lineOf(changes: unknown, index: unknown): number {
  const change = Array.isArray(changes) && typeof index === 'number' ? (changes as LineChange[])[index] : undefined;
  return change ? change.modifiedStartLineNumber - 1 : (vscode.window.activeTextEditor?.selection.active.line ?? 0);
}

/** What only takes lines away stands between two lines; the peek names the one before. */
function hunksAt(hunks: readonly Hunk[], line: number): readonly Hunk[] {
  const hunk =
    hunks.find(({ start, end }) => line >= start && line < end) ??
    hunks.find(({ start, end }) => start === end && (line === start || line === start - 1));
  return hunk ? [hunk] : [];
}

/** A cell, as a notebook hands it to a command. */
function cellOf(arg: unknown): vscode.NotebookCell | undefined {
  const cell = arg as Partial<vscode.NotebookCell> | undefined;
  return cell?.notebook && cell.document ? (cell as vscode.NotebookCell) : undefined;
}
