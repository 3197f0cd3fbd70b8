import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { changesAtLine, hunksInChange, nextPlace, previousPlace } from '../../review/shown/changePlaces';
import type { Hunk, HunkId } from '../../review/hunks/hunk';
import type { ReviewLog } from '../../review/log/reviewLog';
import { commandTable } from '../base/feature';
import { fileOf } from './shown/baseContent';
import type { DiskChanges } from './recording/diskChanges';
import { activeCell, showCell } from './notebooks/cellPlaces';
import { changesAt, notebookUnderReview } from './notebooks/notebookUnderReview';
import { placeInFront } from './shown/placeInFront';
import type { CommentThreads, ShownComment } from './comments/commentThreads';
import type { DraftComments } from './comments/draftComments';
import type { RedoOffers } from './deciding/redoOffers';
import type { ReviewComments } from './comments/reviewComments';
import type { ReviewWalk } from './editor/reviewWalk';
import { compareFile, peekChange, peekCommand, showPlace } from './shown/showChanges';
import { takeBack } from './deciding/takeBack';
import type { FileChanges } from './deciding/undoWithQuestion';
import { undidWords } from '../../shared/changes/reviewWords';
import { tellInStatusBar } from '../ui/labels';
import { showInformation } from '../ui/notifications';

/** How long a status bar message is shown, in milliseconds. */
const messageMs = 5000;

/** A change in the form of the editor's peek. Lines count from 1, and an end of 0 means that the side has no lines. */
interface LineChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** What the commands act on. */
interface ReviewCommandParts {
  readonly log: ReviewLog;
  readonly disk: DiskChanges;
  readonly redo: Pick<RedoOffers, 'offering'>;
  readonly walk: ReviewWalk;
  readonly comments: ReviewComments;
  readonly drafts: DraftComments;
  readonly threads: CommentThreads;
  /** See `Review.settled`. */
  readonly settled: () => Promise<boolean>;
}

/** The review commands by id. Each acts on its argument, or on the focused editor. */
export class ReviewCommands {
  private readonly log: ReviewLog;
  private readonly disk: DiskChanges;
  private readonly redo: Pick<RedoOffers, 'offering'>;
  private readonly walk: ReviewWalk;
  private readonly comments: ReviewComments;
  private readonly drafts: DraftComments;
  private readonly threads: CommentThreads;

  private readonly settled: () => Promise<boolean>;

  constructor({ log, disk, redo, walk, comments, drafts, threads, settled }: ReviewCommandParts) {
    this.log = log;
    this.disk = disk;
    this.redo = redo;
    this.walk = walk;
    this.comments = comments;
    this.drafts = drafts;
    this.threads = threads;
    this.settled = settled;
  }

  get all() {
    return commandTable({
      'parley.review.compare': (uri) => this.compare(uri),
      'parley.review.nextChange': () => this.go('last', nextPlace),
      'parley.review.previousChange': () => this.go('first', previousPlace),
      'parley.review.keepChange': (...args) => this.atPlace(args, (uri, ids) => this.keepThere(uri, ids)),
      'parley.review.undoChange': (...args) => this.atPlace(args, (uri, ids) => this.undoThere(uri, ids)),
      'parley.review.keepOverlapping': (...args) => this.overlapping(args, (uri, ids) => this.log.keep(uri, ids)),
      'parley.review.undoOverlapping': (...args) => this.overlapping(args, (uri, ids) => this.undo([{ uri, ids }])),
      [peekCommand]: (uri, id) => peekChange(this.log, String(uri), String(id) as HunkId),
      'parley.review.comment': (...args) => this.atPlace(args, (uri, [id]) => this.comment(uri, id)),
      'parley.comment.send': () => this.comments.sendDrafts(),
      'parley.comment.sendOne': (comment) => this.comments.sendOne(commentIdOf(comment)),
      'parley.comment.sendTo': (comment) => this.comments.sendTo(commentIdOf(comment)),
      'parley.comment.reply': (comment) => this.comments.reply(commentIdOf(comment)),
      'parley.comment.edit': (comment) => this.threads.edit(commentIdOf(comment)),
      'parley.comment.saveEdit': (comment) => this.threads.saveEdit(commentIdOf(comment), typedIn(comment)),
      'parley.comment.cancelEdit': (comment) => this.threads.cancelEdit(commentIdOf(comment)),
      'parley.comment.delete': (comment) => this.drafts.remove(commentIdOf(comment)),
      'parley.review.keepFile': (...args) => this.inFile(args, (uri, isRow) => this.keepThere(uri, 'all', isRow)),
      'parley.review.undoFile': (...args) => this.inFile(args, (uri, isRow) => this.undoThere(uri, 'all', isRow)),
      'parley.review.keepAll': () => this.log.keepAll(),
      'parley.review.undoAll': () => this.undoAll(),
      'parley.review.showInDiffs': () => showLensesInDiffs(true),
      'parley.review.hideInDiffs': () => showLensesInDiffs(false),
      'parley.review.undoKeep': () => void this.log.undoLastKeep(),
    });
  }

  private async compare(arg: unknown): Promise<void> {
    const uri = this.uriOf(arg);
    if (uri !== undefined) await compareFile(this.log, uri);
  }

  /** Starts at the cursor, or at the cell's first or last line in a notebook. */
  private async go(edge: 'first' | 'last', find: typeof nextPlace): Promise<void> {
    const cell = activeCell(this.log);
    const front = cell ? { uri: cell.uri, line: cell[edge] } : placeInFront(this.log);
    const place = find(this.log, front?.uri ?? '', front?.line ?? -1);
    if (!place || (await showCell(this.log, place))) return;
    await showPlace(this.log, place);
  }

  private async comment(uri: string, id: HunkId | undefined): Promise<void> {
    if (id !== undefined) await this.comments.comment(uri, id);
  }

  /**
   * Accepts the arguments of a lens (URI, id), a notebook (URI, ids; or a cell), or the peek (Uri, changes, index), or
   * uses the cursor.
   */
  private async atPlace(
    args: readonly unknown[],
    act: (uri: string, ids: readonly HunkId[]) => Promise<void> | void,
  ): Promise<void> {
    const [first, second, third] = args;
    const cell = cellOf(first) ?? (first === undefined ? activeCell(this.log)?.cell : undefined);
    const uri = cell ? cell.notebook.uri.toString() : this.uriOf(first);
    if (uri === undefined) return;
    const { hunks, traitChanges } = this.log.file(uri) ?? { hunks: [], traitChanges: [] };
    const ids =
      (cell && idsIn(this.log, cell)) ??
      idsAmong([...hunks, ...traitChanges], second) ??
      idsShown(hunks, second, third) ??
      this.idsInFront(uri);
    if (ids.length > 0) await act(uri, ids);
    else tellInStatusBar(l10n.t('No agent change at the cursor.'), messageMs);
  }

  /**
   * Acts on the changes of agents that overlap a change in Git's peek. Its arguments have the form of our own peek's, but
   * the change may contain more than the agents' changes, or nothing of them.
   */
  private async overlapping(
    [uri, changes, index]: readonly unknown[],
    act: (uri: string, ids: readonly HunkId[]) => Promise<void> | void,
  ): Promise<void> {
    const file = this.uriOf(uri);
    const change = Array.isArray(changes) && typeof index === 'number' ? (changes[index] as LineChange) : undefined;
    if (file === undefined || !change) return;
    const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = change;
    const ids = idsOf(hunksInChange(this.log.file(file)?.hunks ?? [], first, last));
    if (ids.length > 0) await act(file, ids);
    else void showInformation(l10n.t('No agent changed these lines. Nothing was kept or undone.'));
  }

  private idsInFront(uri: string): HunkId[] {
    const front = placeInFront(this.log);
    const file = this.log.file(uri);
    return file && front?.uri === uri ? changesAtLine(file, front.line) : [];
  }

  /** `isRow` says whether the command comes from a row of the Source Control view, which keeps the focus. */
  private async inFile(args: readonly unknown[], act: (uri: string, isRow: boolean) => Promise<void>): Promise<void> {
    const [arg] = args;
    const uri = this.uriOf(arg);
    if (uri !== undefined) await act(uri, resourceOf(arg) !== undefined);
  }

  private async keepThere(uri: string, ids: readonly HunkId[] | 'all', preserveFocus = false): Promise<void> {
    const decided = { uri, ids: this.idsIn(uri, ids) };
    await this.walk.decide(decided, () => this.log.keep(uri, ids), preserveFocus);
  }

  private async undoThere(uri: string, ids: readonly HunkId[] | 'all', preserveFocus = false): Promise<void> {
    const decided = { uri, ids: this.idsIn(uri, ids) };
    await this.walk.decide(decided, () => this.undo([{ uri, ids }]), preserveFocus);
  }

  private idsIn(uri: string, ids: readonly HunkId[] | 'all'): readonly HunkId[] {
    const { hunks, traitChanges } = this.log.file(uri) ?? { hunks: [], traitChanges: [] };
    return ids === 'all' ? idsOf([...hunks, ...traitChanges]) : ids;
  }

  /** All includes what is still being written or listed when the user decides. */
  private async undoAll(): Promise<void> {
    if (!(await this.settled())) return;
    const all = this.log.pending.map((uri) => ({ uri, ids: 'all' as const }));
    const count = await this.redo.offering(() => this.undo(all));
    if (count > 0) void this.offerRedo(count);
  }

  /** The button and its list are gone with the changes. */
  private async offerRedo(count: number): Promise<void> {
    const files = this.disk.undone.last?.files ?? [];
    const redo = l10n.t('Redo');
    const isAsked = (await showInformation(`${undidWords(count)}.`, redo)) === redo;
    // Something else may have taken it back meanwhile.
    const left = files.filter((file) => this.disk.undone.find(file.uri) === file);
    if (isAsked && left.length > 0) await takeBack(this.log, this.disk, left);
  }

  private async undo(changes: readonly FileChanges[]): Promise<void> {
    const { undoWithQuestion } = await import('./deciding/undoWithQuestion');
    await undoWithQuestion(this.log, this.disk, changes);
  }

  private uriOf(arg: unknown): string | undefined {
    if (typeof arg === 'string') return isUri(arg) ? arg : undefined;
    const uri = arg instanceof vscode.Uri ? arg : (resourceOf(arg) ?? vscode.window.activeNotebookEditor?.notebook.uri);
    return uri ? fileOf(uri) : placeInFront(this.log)?.uri;
  }
}

/** Returns whether the editor can read a text as a URI. */
function isUri(text: string): boolean {
  try {
    vscode.Uri.parse(text);
    return true;
  } catch {
    // Everyone can run the commands, with any text.
    return false;
  }
}

/** Returns the id of a comment that a menu of the editor passes. */
function commentIdOf(arg: unknown): string {
  const { commentId } = (arg ?? {}) as Partial<Record<keyof ShownComment, unknown>>;
  return typeof commentId === 'string' ? commentId : '';
}

/** Returns what the user has typed into a comment that the editor passes. */
function typedIn(arg: unknown): string {
  const { body = '' } = (arg as Partial<ShownComment> | undefined) ?? {};
  return typeof body === 'string' ? body : body.value;
}

/** Returns the file of a row in the Source Control view. */
function resourceOf(arg: unknown): vscode.Uri | undefined {
  const { resourceUri } = (arg ?? {}) as { readonly resourceUri?: unknown };
  return resourceUri instanceof vscode.Uri ? resourceUri : undefined;
}

/**
 * Shows or hides lenses in all diffs. They are off by default, and the setting covers the lenses of other extensions,
 * too, so only the user changes it.
 */
async function showLensesInDiffs(isShown: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('diffEditor');
  await settings.update('codeLens', isShown ? true : undefined, vscode.ConfigurationTarget.Global);
}

function idsOf(hunks: readonly { readonly id: HunkId }[]): HunkId[] {
  return [...new Set(hunks.map(({ id }) => id))];
}

/** Returns the ids that exist, or undefined if `ids` isn't a list of ids. */
function idsAmong(all: readonly { readonly id: HunkId }[], ids: unknown): HunkId[] | undefined {
  const list: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
  return list.every((id) => typeof id === 'string') ? idsOf(all.filter(({ id }) => list.includes(id))) : undefined;
}

function idsIn(log: ReviewLog, cell: vscode.NotebookCell): HunkId[] {
  const found = notebookUnderReview(log, cell.notebook);
  const ids = found ? idsOf(changesAt(found, cell.index).flatMap(({ hunks }) => hunks)) : [];
  // Changes other than text are shown on the first cell.
  const isForAll = ids.length === 0 && cell.index === 0;
  return isForAll ? idsOf(log.file(cell.notebook.uri.toString())?.traitChanges ?? []) : ids;
}

/** Returns the hunks of a change in the editor's peek, or undefined if the arguments aren't such a change. */
function idsShown(hunks: readonly Hunk[], changes: unknown, index: unknown): HunkId[] | undefined {
  if (!Array.isArray(changes) || typeof index !== 'number') return undefined;
  const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = changes[index] as LineChange;
  const shown = hunks.filter(({ start, end }) =>
    last === 0 ? start <= first && first <= end : start < last && first <= Math.max(end, start + 1),
  );
  // Between equal lines, the editor may place a change slightly differently.
  const same = changes.length === hunks.length ? hunks.slice(index, index + 1) : [];
  return idsOf(shown.length > 0 ? shown : same);
}

/** Returns the cell from a notebook command's argument. */
function cellOf(arg: unknown): vscode.NotebookCell | undefined {
  const cell = arg as Partial<vscode.NotebookCell> | undefined;
  return cell?.notebook && cell.document ? (cell as vscode.NotebookCell) : undefined;
}
