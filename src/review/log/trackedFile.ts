import { applyPieces, piecesOf, type Piece } from './changeText';
import {
  defaultLimits,
  isIndivisible,
  isOpaque,
  isLarge,
  isSameLines,
  linesOf,
  linesWithBreaks,
} from '../files/fileState';
import { stateOf, unreadOf, type FileState, type ReviewLimits } from '../files/fileState';
import {
  acceptTraits,
  baseTraits,
  keepTraits,
  recordRename,
  recordTraits,
  undoneTraits,
  unkeepTrait,
} from './fileTraits';
import type { TraitChange } from './fileTraits';
import { flipBreaks } from './flipBreaks';
import { hasUserText, user, type Author, type Hunk, type HunkId, type NextHunkId } from '../hunks/hunk';
import { followSplices, keepHunks, undoKeep, wholeFileHunks, type Kept } from './keptHunks';
import { diffWithBreaks } from '../hunks/diffWithBreaks';
import type { LineHunk } from '../../shared/diff/lineDiff';
import { isSameButLineBreaks } from '../lines/lines';
import { keepOverwritten } from './overwrittenLines';
import { applyLineEdits } from '../lines/minimalEdits';
import {
  correctedBase,
  fileStatus,
  relocateHunks,
  undoEdits,
  undoPieces,
  type FileStatus,
  type UndoPlan,
} from './reviewedFile';
import { editsOf, toldChange, type LineChange } from '../hunks/reportedChange';
import { startData, withoutGuess, type TrackedFileData } from './trackedFileData';
import { rememberUndone, reviewBeforeUndo, type Undone } from './undoneHunks';

/** The dependencies of a tracked file. */
export interface TrackedFileOptions {
  readonly nextId: NextHunkId;
  readonly limits?: ReviewLimits;
  /** Whether the base is a guess. `correctBase` can replace it until the user keeps or undoes something. */
  readonly isGuess?: boolean;
}

/** An undo that was planned, or that the editor's redo may repeat. */
interface ExpectedUndo {
  readonly lines: readonly string[];
  readonly hunks: readonly Hunk[];
}

/**
 * One file under review. `base` is the last kept version, `current` the current one, and the hunks are the pending changes; base and hunks
 * together always produce the current text. Callers must report every change of the file.
 */
export class TrackedFile {
  private readonly nextId: NextHunkId;
  private readonly limits: ReviewLimits;
  private data: TrackedFileData;
  private undone: readonly Undone[] = [];
  private expected: ExpectedUndo | undefined;

  constructor(data: TrackedFileData, options: TrackedFileOptions) {
    this.data = data;
    this.nextId = options.nextId;
    this.limits = options.limits ?? defaultLimits;
  }

  /** Starts with a file as the user knows it, without pending changes. */
  static start(base: FileState, options: TrackedFileOptions): TrackedFile {
    const isWhole = base.kind === 'text' && isLarge(base.text, options.limits ?? defaultLimits);
    return new TrackedFile(startData(base, isWhole, options.isGuess === true), options);
  }

  /** The last kept version. */
  get base(): FileState {
    return stateOf(this.data.text.base, baseTraits(this.data.traits));
  }

  /** The current file, as last reported. */
  get current(): FileState {
    return stateOf(this.data.text.current, this.data.traits);
  }

  /** The pending changes of the content, in order. */
  get hunks(): readonly Hunk[] {
    return this.data.text.hunks;
  }

  /** The pending changes besides the content. */
  get traitChanges(): readonly TraitChange[] {
    return this.data.traits.changes;
  }

  /** The change of the file since its last kept version. Undefined if nothing is pending. */
  get status(): FileStatus | undefined {
    return fileStatus(this.data.text, this.data.traits);
  }

  /** Whether the last kept version isn't known: every line would look new, and nothing can be undone. */
  get isUnread(): boolean {
    return unreadOf(this.data.text.base) !== undefined;
  }

  /** The pending changes of the content that can be marked in the text. */
  get markedHunks(): readonly Hunk[] {
    return this.isUnread ? [] : this.hunks;
  }

  /** Whether the text is so large that it is reviewed as one change. */
  get isWhole(): boolean {
    return this.data.isWhole;
  }

  /** The data needed to continue after a reload. */
  get snapshot(): TrackedFileData {
    return this.data;
  }

  /** Reports the whole file after an agent's write. Differences become hunks by this author, or join the hunks they touch. */
  agentEdit(state: FileState, author: Author): void {
    this.setWhole(this.mustBeWhole(state));
    this.recordState(state, author);
  }

  /** Reports the whole file after a change by the user or by anything outside a turn. */
  userEdit(state: FileState): void {
    // Switching between review by lines and as a whole joins all hunks, so it happens only if nothing is pending.
    if (this.hunks.length === 0) this.setWhole(this.mustBeWhole(state));
    this.recordState(state, user);
  }

  /** Reports the user's typing as changed lines of the current text, in any order and without overlap. Only these lines are compared. */
  userChange(changes: readonly LineChange[]): void {
    const { current } = this.data.text;
    if (isOpaque(current)) throw new Error('What is no text has no lines to change.');
    const edits = editsOf(changes);
    const reported = this.data.isWhole || current.length === 0 ? undefined : toldChange(current, edits);
    if (reported !== undefined) {
      this.recordLines(reported.lines, user, reported.changes);
      return;
    }
    this.userEdit({ kind: 'text', text: applyLineEdits(linesWithBreaks(current.join('')), edits).join('') });
  }

  /** Reports a rename. An agent's rename becomes pending. */
  rename(from: string, to: string, author: Author): void {
    this.data = { ...this.data, traits: recordRename(this.data.traits, from, to, author, this.nextId) };
  }

  /** The file can't get its earlier name back, so its rename is no longer pending. */
  acceptRename(): void {
    const renames = this.traitChanges.filter(({ kind }) => kind === 'rename');
    this.data = { ...this.data, traits: keepTraits(this.data.traits, renames) };
  }

  /** Keeps changes. `keep` is the number to pass to `unkeep`. Returns whether anything was kept. */
  keep(ids: readonly HunkId[] | 'all', keep: number): boolean {
    const hunks = this.hunks.filter(({ id }) => ids === 'all' || ids.includes(id));
    // Once the user agrees that a file is gone, its new name and permissions are decided as well.
    const isGone = hunks.length > 0 && this.data.text.current.length === 0;
    const changes = this.traitChanges.filter(({ id }) => ids === 'all' || isGone || ids.includes(id));
    if (hunks.length === 0 && changes.length === 0) return false;
    const rest = withoutGuess(this.data);
    const keptTraits = [...rest.keptTraits, ...changes.map((change) => ({ keep, change }))];
    this.data = { ...rest, keptTraits, traits: keepTraits(rest.traits, changes) };
    this.decide(keepHunks(rest.text, hunks, keep, rest.kept));
    return true;
  }

  /** Undoes a keep: its changes are pending again. Returns whether anything was undone. */
  unkeep(keep: number): boolean {
    const { kept, keptTraits, traits } = this.data;
    const changes = keptTraits.filter((one) => one.keep === keep);
    if (changes.length === 0 && !kept.some((one) => one.keep === keep)) return false;
    this.data = {
      ...this.data,
      keptTraits: keptTraits.filter((one) => one.keep !== keep),
      traits: changes.reduce((result, { change }) => unkeepTrait(result, change), traits),
    };
    this.decide(undoKeep(this.data.text, kept, keep, this.nextId));
    return true;
  }

  /** Drops the data to undo old keeps, to save memory. */
  forgetKeeps(isOld: (keep: number) => boolean): void {
    const kept = this.data.kept.filter(({ keep }) => !isOld(keep));
    const keptTraits = this.data.keptTraits.filter(({ keep }) => !isOld(keep));
    this.data = { ...this.data, kept, keptTraits };
  }

  /**
   * Returns how to undo some changes, without changing anything. Apply the plan as an ordinary edit; when that edit is reported by any
   * method, it is recognized as the undo. A file that an agent created becomes absent, or keeps only the lines that the user wrote.
   */
  undo(ids: readonly HunkId[] | 'all'): UndoPlan | undefined {
    const hunks = this.hunks.filter(({ id }) => ids === 'all' || ids.includes(id));
    const changes = this.traitChanges.filter(({ id }) => ids === 'all' || ids.includes(id));
    if (hunks.length === 0 && changes.length === 0) return undefined;
    const { text, traits, isWhole } = this.data;
    const edits = undoEdits(text, hunks);
    const lines = applyLineEdits(text.current, edits);
    this.expected = hunks.length === 0 ? undefined : { lines, hunks };
    const back = changes.find((change) => change.kind === 'rename');
    const isByLines = !isWhole && ![text.current, lines].some(isIndivisible);
    return {
      result: stateOf(lines, undoneTraits(traits, changes)),
      hunks: hunks.map(({ id }) => id),
      hasUserText: hunks.some(hasUserText),
      ...(isByLines ? { edits } : {}),
      ...(back === undefined ? {} : { moveTo: back.from }),
    };
  }

  /** Replaces a guessed base with the actual one, unless the user has already kept or undone something. */
  correctBase(state: FileState): boolean {
    const { guess } = this.data;
    if (guess === undefined) return false;
    if (state.kind === 'text' && isLarge(state.text, this.limits)) this.setWhole(true);
    const { text, isWhole, guess: first = guess } = this.data;
    const better = linesOf(state, isWhole);
    const base = correctedBase(first, text.base, better);
    const traits = acceptTraits(this.data.traits, state);
    this.data = { ...this.data, text: relocateHunks(text, base, text.current, this.nextId), traits, guess: better };
    this.forget();
    return true;
  }

  private recordState(state: FileState, author: Author): void {
    const traits = recordTraits(this.data.traits, state, author, this.nextId);
    if (traits !== this.data.traits) this.data = { ...this.data, traits };
    this.recordLines(linesOf(state, this.data.isWhole), author);
  }

  private recordLines(lines: readonly string[], author: Author, reported?: readonly LineHunk[]): void {
    const { text } = this.data;
    const { expected } = this;
    // Undoing a created file may change nothing if only the user's lines remain.
    const isSame = isSameLines(text.current, lines);
    if (isSame && (expected === undefined || !isSameLines(expected.lines, lines))) return;
    this.expected = undefined;
    if (expected !== undefined && isSameButLineBreaks(expected.lines.join(''), lines.join(''))) {
      this.takeUndo(expected);
      // An editor has one kind of break for a whole file.
      this.recordLines(lines, author);
      return;
    }
    if (author.kind === 'user' && this.recordUserAction(lines)) return;
    const changes = reported ?? diffWithBreaks(text.current, lines);
    if (author.kind === 'agent') this.keepOverwritten(lines, changes);
    this.take(lines, piecesOf(this.data.text, lines, changes, author), author);
  }

  /** What the user wrote into pending changes is nowhere else when an agent removes it. */
  private keepOverwritten(lines: readonly string[], changes: readonly LineHunk[]): void {
    const { text: before, kept, isWhole } = this.data;
    const after = keepOverwritten(before, lines, changes, isWhole);
    if (!after) return;
    const { base, current, hunks, splices } = after;
    this.undone = rememberUndone(this.undone, before, after, false);
    this.data = { ...this.data, text: { base, current, hunks }, kept: followSplices(kept, splices) };
  }

  /** Handles the user's changes other than line edits. Returns whether it was such a change. */
  private recordUserAction(lines: readonly string[]): boolean {
    const { text, kept } = this.data;
    const last = this.undone.at(-1);
    const before = last === undefined ? undefined : reviewBeforeUndo(text, last, lines);
    if (before !== undefined) {
      const present = new Set(this.hunks.map(({ id }) => id));
      this.expected = { lines: text.current, hunks: before.hunks.filter(({ id }) => !present.has(id)) };
      this.undone = rememberUndone(this.undone.slice(0, -1), text, { ...before, splices: [] }, false);
      this.data = { ...this.data, text: before };
      return true;
    }
    if (lines.length === 0) {
      this.data = withoutTraitChanges({ ...this.data, text: { base: lines, current: lines, hunks: [] } });
      this.forget();
      return true;
    }
    const flipped = this.data.isWhole ? undefined : flipBreaks(text, kept, lines, this.nextId);
    if (flipped === undefined) return false;
    this.undone = [];
    this.decide(flipped);
    return true;
  }

  /** Applies the user's decision to base and hunks. The text stays the same. */
  private decide({ text: after, kept }: Kept): void {
    this.expected = undefined;
    this.undone = rememberUndone(this.undone, this.data.text, after, false);
    const { base, current, hunks } = after;
    this.data = { ...this.data, text: { base, current, hunks }, kept };
  }

  private takeUndo({ lines, hunks }: ExpectedUndo): void {
    const rest = withoutGuess(this.data);
    this.data = rest;
    const { text } = rest;
    if (text.base.length === 0) {
      const after = { base: lines, current: lines, hunks: [] };
      const undone = { ...rest, text: after, kept: [] };
      this.data = lines.length === 0 ? withoutTraitChanges(undone) : undone;
      this.undone = [{ kind: 'whole', before: text, after }];
      return;
    }
    this.take(lines, undoPieces(hunks), user);
  }

  private take(lines: readonly string[], pieces: readonly Piece[], author: Author): void {
    const before = this.data.text;
    const after = applyPieces(before, lines, pieces, author, this.nextId);
    const { base, current, hunks, splices } = after;
    this.undone = rememberUndone(this.undone, before, after, author.kind === 'user');
    const isReplaced = splices.length > 0 && [before.base, base].some(isIndivisible);
    const kept = followSplices(isReplaced ? wholeFileHunks(this.data.kept) : this.data.kept, splices);
    this.data = { ...this.data, text: { base, current, hunks }, kept };
  }

  private mustBeWhole(state: FileState): boolean {
    const { base, current } = this.data.text;
    return [stateOf(base), stateOf(current), state].some(
      (one) => one.kind === 'text' && isLarge(one.text, this.limits),
    );
  }

  private setWhole(isWhole: boolean): void {
    if (this.data.isWhole === isWhole) return;
    const { text, guess } = this.data;
    const again = (lines: readonly string[]) => linesOf(stateOf(lines), isWhole);
    const next = relocateHunks(text, again(text.base), again(text.current), this.nextId);
    this.data = { ...this.data, isWhole, text: next, ...(guess === undefined ? {} : { guess: again(guess) }) };
    this.forget();
  }

  /** Drops places in the previous base, which are no longer valid. */
  private forget(): void {
    this.data = { ...this.data, kept: [] };
    this.undone = [];
    this.expected = undefined;
  }
}

/** Without the file, no earlier name or mode is left to review. */
function withoutTraitChanges(data: TrackedFileData): TrackedFileData {
  return { ...data, traits: keepTraits(data.traits, data.traits.changes), keptTraits: [] };
}
