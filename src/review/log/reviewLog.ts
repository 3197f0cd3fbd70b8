import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { countLines, type FileState, type ReviewLimits } from '../files/fileState';
import { hasUserText, isOfTurn, mergeAuthors, type Author, type HunkId } from '../hunks/hunk';
import type { UndoPlan } from './reviewedFile';
import type { LineChange } from '../hunks/reportedChange';
import { TrackedFile } from './trackedFile';
import { fromFileJson, toFileJson, type TrackedFileData, type TrackedFileJson } from './trackedFileData';

/** Maximum number of keeps that can be undone. */
const maxKeeps = 50;

/** Counts of one file's changes, and their authors. */
export interface ReviewCounts {
  readonly added: number;
  readonly removed: number;
  readonly authors: readonly Author[];
  /** Whether the user also wrote in one of the changes. */
  readonly hasUserText: boolean;
}

/** How to undo changes of one file among several. */
export interface FileUndo {
  readonly uri: string;
  readonly plan: UndoPlan;
}

/** The data of a review log besides its files. Any other `version` is ignored. */
export interface ReviewLogMarks {
  readonly version: 1;
  readonly nextHunk: number;
  readonly nextKeep: number;
  readonly keeps: readonly number[];
}

/** A review log as JSON. */
export interface ReviewLogJson extends ReviewLogMarks {
  readonly files: readonly (readonly [uri: string, file: TrackedFileJson])[];
}

/**
 * All files under review, by URI string. The caller must use one spelling for each file. Every change fires `onDidChange` with the URIs.
 */
export class ReviewLog {
  private readonly limits: ReviewLimits | undefined;
  private readonly changed = new Emitter<readonly string[]>();
  private readonly tracked = new Map<string, TrackedFile>();
  private keeps: readonly number[] = [];
  private nextHunk = 1;
  private nextKeep = 1;

  readonly onDidChange = this.changed.event;

  constructor(limits?: ReviewLimits) {
    this.limits = limits;
  }

  /** Tracks a file from its state as the user knows it. Does nothing if the file is already tracked. */
  track(uri: string, base: FileState, isGuess = false): TrackedFile {
    const known = this.tracked.get(uri);
    if (known !== undefined) return known;
    const file = TrackedFile.start(base, { ...this.options, isGuess });
    this.tracked.set(uri, file);
    return file;
  }

  /** Returns a tracked file for reading. Changes must go through the log. */
  file(uri: string): TrackedFile | undefined {
    return this.tracked.get(uri);
  }

  /** The URIs of all tracked files. */
  get uris(): string[] {
    return [...this.tracked.keys()];
  }

  /** The URIs of files with pending changes, sorted. */
  get pending(): string[] {
    return [...this.tracked]
      .filter(([, file]) => file.status !== undefined)
      .map(([uri]) => uri)
      .sort(compare);
  }

  /** See `TrackedFile.agentEdit`. A file must be tracked first. */
  agentEdit(uri: string, state: FileState, author: Author): void {
    this.change(uri, (file) => file.agentEdit(state, author));
  }

  /** See `TrackedFile.userEdit`. */
  userEdit(uri: string, state: FileState): void {
    this.change(uri, (file) => file.userEdit(state));
  }

  /** See `TrackedFile.userChange`. */
  userChange(uri: string, changes: readonly LineChange[]): void {
    this.change(uri, (file) => file.userChange(changes));
  }

  /** See `TrackedFile.correctBase`. */
  correctBase(uri: string, state: FileState): void {
    this.change(uri, (file) => void file.correctBase(state));
  }

  /**
   * Changes the URI of a file. If another file was tracked under the new URI, the renamed file replaces it. Report that as a change of the
   * other file, with `agentEdit` or `userEdit` for the new URI.
   */
  rename(from: string, to: string, author: Author): void {
    const file = this.tracked.get(from);
    if (file === undefined || from === to) return;
    const covered = this.tracked.get(to);
    const { current } = file;
    this.tracked.delete(from);
    if (covered !== undefined && (covered.status !== undefined || covered.base.kind !== 'absent')) {
      // The replaced file keeps its base, and the moved file is deleted at its old URI. If it has pending changes, so is its deletion,
      // because the last kept version of that file is nowhere else.
      this.tracked.set(from, file);
      const changed = file.base.kind === 'absent' ? undefined : lastAgent(file);
      for (const [one, state] of [
        [file, { kind: 'absent' }],
        [covered, current],
      ] as const) {
        const by = one === file ? (changed ?? author) : author;
        if (by.kind === 'agent') one.agentEdit(state, by);
        else one.userEdit(state);
      }
    } else {
      file.rename(from, to, author);
      this.tracked.set(to, file);
    }
    this.changed.fire([from, to]);
  }

  /** See `TrackedFile.acceptRename`. */
  acceptRename(uri: string): void {
    this.change(uri, (file) => file.acceptRename());
  }

  /** Keeps changes of one file. The last keep can be undone. */
  keep(uri: string, ids: readonly HunkId[] | 'all' = 'all'): void {
    this.keepEach([[uri, ids]]);
  }

  /** Keeps all changes. */
  keepAll(): void {
    this.keepEach(this.pending.map((uri) => [uri, 'all']));
  }

  /** Keeps all changes that a turn contributed to. */
  keepTurn(session: SessionKey, turn: number): void {
    this.keepEach(this.changedIn(session, turn).map((uri) => [uri, this.idsOfTurn(uri, session, turn)]));
  }

  /** Keeps changes of several files. They form one keep and are undone together. */
  keepEach(list: readonly (readonly [uri: string, ids: readonly HunkId[] | 'all'])[]): void {
    const keep = this.nextKeep++;
    const uris = list.filter(([uri, ids]) => this.tracked.get(uri)?.keep(ids, keep) === true).map(([uri]) => uri);
    if (uris.length === 0) return;
    const keeps = [...this.keeps, keep].slice(-maxKeeps);
    if (keeps.length === this.keeps.length) {
      // Keeps adopted late from another window come before this window's, whatever their numbers.
      const known = new Set(keeps);
      for (const file of this.tracked.values()) file.forgetKeeps((one) => !known.has(one));
    }
    this.keeps = keeps;
    this.changed.fire(uris);
  }

  /** Undoes the last keep that can be undone. Returns the files with changes that are pending again. */
  undoLastKeep(): string[] {
    for (;;) {
      const keep = this.keeps.at(-1);
      if (keep === undefined) return [];
      this.keeps = this.keeps.slice(0, -1);
      const uris = [...this.tracked].filter(([, file]) => file.unkeep(keep)).map(([uri]) => uri);
      if (uris.length === 0) continue;
      this.changed.fire(uris);
      return uris;
    }
  }

  /** Undoes all keeps of one file that can be undone. Returns whether any of its changes are pending again. */
  unkeep(uri: string): boolean {
    const file = this.tracked.get(uri);
    if (file === undefined) return false;
    const { kept, keptTraits } = file.snapshot;
    const keeps = [...new Set([...kept, ...keptTraits].map(({ keep }) => keep))].sort((a, b) => b - a);
    for (const keep of keeps) file.unkeep(keep);
    if (keeps.length > 0) this.changed.fire([uri]);
    return keeps.length > 0;
  }

  /** Returns how to undo changes of one file. See `TrackedFile.undo`. */
  undo(uri: string, ids: readonly HunkId[] | 'all' = 'all'): UndoPlan | undefined {
    return this.tracked.get(uri)?.undo(ids);
  }

  /** Returns how to undo all pending changes. */
  undoAll(): FileUndo[] {
    return this.undoEach(this.pending, () => 'all');
  }

  /** Returns how to undo all changes that a turn contributed to. */
  undoTurn(session: SessionKey, turn: number): FileUndo[] {
    return this.undoEach(this.changedIn(session, turn), (uri) => this.idsOfTurn(uri, session, turn));
  }

  /** Returns the URIs of files with pending changes that a turn contributed to, sorted. */
  changedIn(session: SessionKey, turn: number): string[] {
    return this.pending.filter((uri) => this.idsOfTurn(uri, session, turn).length > 0);
  }

  /** Returns the line counts of a file's pending changes. */
  counts(uri: string): ReviewCounts {
    const file = this.tracked.get(uri);
    if (file === undefined) return { added: 0, removed: 0, authors: [], hasUserText: false };
    const { base, current, hunks } = file.snapshot.text;
    let added = 0;
    let removed = 0;
    for (const hunk of hunks) {
      added += countLines(current.slice(hunk.start, hunk.end));
      removed += countLines(base.slice(hunk.baseStart, hunk.baseEnd));
    }
    const authors = mergeAuthors([...hunks, ...file.traitChanges].map((change) => change.authors));
    return { added, removed, authors, hasUserText: hunks.some(hasUserText) };
  }

  /** Stops tracking a file. */
  forget(uri: string): void {
    if (this.tracked.delete(uri)) this.changed.fire([uri]);
  }

  /** Restores a file's review data from another time, together with its content. If `data` is undefined, stops tracking the file. */
  putBack(uri: string, data: TrackedFileData | undefined): void {
    if (data === undefined) this.tracked.delete(uri);
    else this.tracked.set(uri, new TrackedFile(data, this.options));
    this.changed.fire([uri]);
  }

  /** Returns everything that survives a reload. Data for the editor's own undo isn't included. */
  toJSON(): ReviewLogJson {
    const files = [...this.tracked].map(([uri, file]) => [uri, toFileJson(file.snapshot)] as const);
    return { ...this.marks, files };
  }

  /** The data without the files, for callers that store each file separately. */
  get marks(): ReviewLogMarks {
    return { version: 1, nextHunk: this.nextHunk, nextKeep: this.nextKeep, keeps: this.keeps };
  }

  /**
   * Continues from a stored log. Must be called before anything else happens in this log. Skips inconsistent files, and all data of another
   * version.
   */
  adopt(json: ReviewLogJson): void {
    if ((json.version as number) !== 1) return;
    this.nextHunk = Math.max(this.nextHunk, json.nextHunk);
    this.nextKeep = Math.max(this.nextKeep, json.nextKeep);
    this.keeps = [...json.keeps, ...this.keeps];
    for (const [uri, file] of json.files) {
      const data = this.tracked.has(uri) ? undefined : fromFileJson(file);
      if (data !== undefined) this.tracked.set(uri, new TrackedFile(data, this.options));
    }
    this.changed.fire(json.files.map(([uri]) => uri));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private get options() {
    const nextId = () => `h${this.nextHunk++}` as HunkId;
    return this.limits === undefined ? { nextId } : { nextId, limits: this.limits };
  }

  private change(uri: string, action: (file: TrackedFile) => void): void {
    const file = this.tracked.get(uri);
    if (file === undefined) return;
    const before = file.snapshot;
    action(file);
    if (file.snapshot !== before) this.changed.fire([uri]);
  }

  private undoEach(uris: readonly string[], ids: (uri: string) => readonly HunkId[] | 'all'): FileUndo[] {
    return uris.flatMap((uri) => {
      const plan = this.undo(uri, ids(uri));
      return plan === undefined ? [] : [{ uri, plan }];
    });
  }

  private idsOfTurn(uri: string, session: SessionKey, turn: number): HunkId[] {
    const file = this.tracked.get(uri);
    if (file === undefined) return [];
    return [...file.hunks, ...file.traitChanges]
      .filter(({ authors }) => isOfTurn(authors, session, turn))
      .map(({ id }) => id);
  }
}

/** Returns the agent that last changed a file with pending changes. */
function lastAgent({ hunks }: TrackedFile): Author | undefined {
  return mergeAuthors(hunks.map(({ authors }) => authors)).findLast(({ kind }) => kind === 'agent');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
