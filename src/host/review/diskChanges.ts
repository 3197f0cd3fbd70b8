import * as vscode from 'vscode';
import { isSameState, type FileState } from '../../review/fileState';
import type { ReviewLog } from '../../review/reviewLog';
import type { TrackedFileData } from '../../review/trackedFileData';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import { SerialQueue } from '../files/serialQueue';
import type { BaseBytes } from './baseBytes';
import { editorFollows, isSameText } from './editorFollows';
import { keystroke } from './keystroke';
import { moveReviewed } from './moveReviewed';
import { NotebookSaves } from './notebooks/notebookSaves';
import { changeTime, type ChangeTime } from './noticed';
import { openDocument, presentState } from './presentState';
import { Renames } from './renames';
import { correctToldBase } from './toldBase';
import { toldDiffs } from './toolCallFiles';
import { baseBefore, mayHaveRemoved, recordedBase, type Base } from './turnBase';
import { authorIn, type FoundAuthor, type WatchedTurn, type WatchedTurns } from './turns';
import { UserMoves } from './userMoves';

/** Parts of a path that no review looks at: what git and package managers keep for themselves. */
const leftOut = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** A file that an agent changed in a turn. */
export interface AgentTouch {
  readonly turn: WatchedTurn;
  readonly uri: vscode.Uri;
  /** What the log knew of the file just before; not there when nobody knows what it held. */
  readonly earlier?: TrackedFileData;
  /**
   * The bytes on disk before a write that went through Parley, or of a file that the turn's baseline does not know; null where
   * there was no file.
   */
  readonly before?: Uint8Array | null;
}

/** What an agent wrote to disk under a document with unsaved changes, where the user cannot see it yet. */
interface Hidden {
  /** Undefined when the file is gone. */
  readonly writtenAt: number | undefined;
  readonly found: FoundAuthor;
  readonly base: Base | undefined;
}

/** So many files are looked at side by side when there is a list of them. */
const lanes = 16;

/**
 * Notices every change of a workspace's files, whoever made it and however, and tells the review log who it was: an agent in
 * whose turn it happened, or else the user.
 */
export class DiskChanges extends Disposable {
  /** The first bytes of the files under review. */
  readonly bases: BaseBytes;
  private readonly log: ReviewLog;
  private readonly turns: WatchedTurns;
  private readonly report: (error: unknown) => void;
  private readonly queue = new SerialQueue();
  private readonly never = new AbortController();
  private readonly renames: Renames;
  private isWatching = false;
  private readonly touched = this.register(new Emitter<AgentTouch>());
  /** Files that Parley itself is writing; what becomes of them is told by the writer. */
  private readonly writing = new Map<string, number>();
  private readonly hidden = new Map<string, Hidden>();
  /** What the user saved while agents are at work, and when: on disk it is not theirs. */
  private readonly saved = new Map<string, { readonly text: string; readonly at: number }>();
  private readonly moves = this.register(
    new UserMoves(
      () => this.turns.current.length > 0,
      (from, to) => moveReviewed(this.log, this.bases, from, to),
    ),
  );
  private readonly notebookSaves = this.register(new NotebookSaves((uri) => this.notebookSaved(uri)));

  /** An agent changed a file by itself; after the log knows of it. */
  readonly onDidTouch = this.touched.event;

  constructor(log: ReviewLog, turns: WatchedTurns, bases: BaseBytes, report: (error: unknown) => void) {
    super();
    this.log = log;
    this.turns = turns;
    this.bases = bases;
    this.report = report;
    this.renames = new Renames(log, (from, to) => bases.rename(from, to));
    this.register(turns.onDidChange(() => turns.current.length > 0 || this.moves.forget()));
    this.register(vscode.workspace.onDidChangeTextDocument((event) => this.documentChanged(event)));
    this.register(vscode.workspace.onDidSaveTextDocument((document) => this.documentSaved(document)));
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        // Unsaved changes may have gone with it.
        if (this.isFollowed(uri)) void this.look(uri);
      }),
    );
  }

  /** From now on every change in the workspace is noticed. To be called before the first turn; before that nothing is watched. */
  watch(): void {
    if (this.isWatching || this.isDisposed) return;
    this.isWatching = true;
    const watcher = this.register(vscode.workspace.createFileSystemWatcher('**'));
    const look = (uri: vscode.Uri) => void this.look(uri);
    this.register(watcher.onDidChange(look));
    this.register(watcher.onDidCreate(look));
    this.register(watcher.onDidDelete(look));
  }

  /** Looks at a file now; resolves when what it holds is in the log. That it is gone has no time: it was `turn`, if there is one. */
  look(uri: vscode.Uri, turn?: WatchedTurn): Promise<void> {
    const key = uri.toString();
    if (this.isDisposed || uri.scheme !== 'file' || this.writing.has(key)) return Promise.resolve();
    if (!this.isFollowed(uri)) {
      const isWatched = this.turns.current.length > 0 && !uri.path.split('/').some((part) => leftOut.has(part));
      if (!isWatched) return Promise.resolve();
    }
    return this.queue.run(key, this.never.signal, () => this.compare(uri, turn)).catch(this.report);
  }

  /** Looks at many files, a few at a time; resolves when all are in the log. */
  async lookAt(paths: readonly string[], turn?: WatchedTurn): Promise<void> {
    const waiting = [...paths];
    const lane = async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        await this.look(vscode.Uri.file(path), turn);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Runs a write of our own, during which nothing else is taken for a change of that file. */
  async during<T>(uri: string, write: () => Promise<T>): Promise<T> {
    this.writing.set(uri, (this.writing.get(uri) ?? 0) + 1);
    try {
      return await write();
    } finally {
      const left = (this.writing.get(uri) ?? 1) - 1;
      if (left === 0) this.writing.delete(uri);
      else this.writing.set(uri, left);
    }
  }

  /** Whether the log knows the file, or will once the user's unsaved text is gone. */
  isFollowed(uri: vscode.Uri): boolean {
    const key = uri.toString();
    return this.log.file(key) !== undefined || this.hidden.has(key);
  }

  private async compare(uri: vscode.Uri, turn?: WatchedTurn): Promise<void> {
    const key = uri.toString();
    await Promise.all([this.notebookSaves.settled(key), this.moves.settled(key)]);
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      this.typed(document);
      await this.hide(uri);
      // Without a change that lies under it, nothing tells that unsaved text is gone.
      if (this.isDisposed || openDocument(uri)?.isDirty === true) return;
    }
    if (!this.isFollowed(uri) && !(await this.canBeReviewed(uri, turn))) return;
    const lookedAt = Date.now();
    const present = await presentState(uri);
    if (present.kind !== 'absent') this.turns.sawFile(key, lookedAt);
    if (present.kind === 'text') await editorFollows(uri, present.text);
    const time = await changeTime(uri.fsPath);
    const hidden = this.hidden.get(key);
    const saved = this.saved.get(key);
    const isOfUser = this.moves.made(key, time) || this.isSaved(key, present);
    const hiddenBy = hidden && hidden.writtenAt === writtenAt(time) ? hidden.found : undefined;
    const found = isOfUser ? undefined : ((await this.authorOf(uri, time, turn)) ?? hiddenBy);
    const isNew = found !== undefined && this.log.file(key) === undefined;
    const base = isNew
      ? (hidden?.base ?? (await baseBefore(this.changedIn(found.turn, uri), found.turn, present)))
      : undefined;
    if (base?.bytes && !isSameState(base.state, present)) {
      await this.bases.keep(key, base.state, base.bytes).catch(this.report);
    }
    if (this.isDisposed || this.writing.has(key)) return;
    // Typed meanwhile: the change is told again.
    if (openDocument(uri)?.isDirty === true) return;
    if (this.saved.get(key) !== saved) return void this.look(uri, turn);
    this.hidden.delete(key);
    if (present.kind !== 'absent') this.renames.cameBack(key);
    if (!found) {
      this.log.userEdit(key, present);
      return;
    }
    if (present.kind === 'absent' && this.renames.hasMoved(key, found.author)) return;
    if (this.log.file(key) === undefined) {
      if (base === undefined || isSameState(base.state, present)) return;
      this.log.track(key, base.state, base.isGuess === true);
    }
    const earlier = this.log.file(key)?.snapshot;
    this.renames.agentEdit(key, present, found.author);
    correctToldBase(this.log, key, found.turn, uri.fsPath, present);
    // Told again, such as what went through Parley, or came back in a restore.
    if (earlier && this.log.file(key)?.snapshot === earlier) return;
    const isUnknown = base !== undefined && base.isRecorded !== true && base.bytes !== undefined;
    const before = isUnknown ? { before: base.bytes } : {};
    this.touched.fire({ turn: found.turn, uri, ...(earlier ? { earlier } : {}), ...before });
  }

  /** Which agent made a change, if one did. What was gone when a turn began went before it, whenever that is told. */
  private async authorOf(uri: vscode.Uri, time: ChangeTime, turn?: WatchedTurn): Promise<FoundAuthor | undefined> {
    if (!time.isGone) return this.turns.authorOf(uri.fsPath, time);
    const gone = { uri, origin: this.moves.originOf(uri), at: time.at };
    for (const one of [...(turn ? [turn] : []), ...this.turns.candidates(uri.fsPath, time)]) {
      if (await mayHaveRemoved(one, gone)) return { author: authorIn(one, uri.fsPath), turn: one };
    }
    return undefined;
  }

  /**
   * Asked before a file is read that nobody follows: a build writes gigabytes that no baseline knows. What changed without
   * anybody knowing what it held is told, unless tools make it.
   */
  private async canBeReviewed(uri: vscode.Uri, endedTurn: WatchedTurn | undefined): Promise<boolean> {
    const path = uri.fsPath;
    const turn = this.turns.authorOf(path, await changeTime(path))?.turn ?? endedTurn;
    if (!turn) return false;
    if (turn.documents.has(uri.toString()) || turn.noticed.has(path) || toldDiffs(turn, path).length > 0) return true;
    const recorded = await (await turn.baseline).read(path);
    if (recorded && recorded.kind !== 'skipped') return true;
    if (recorded?.reason !== 'ignored') this.touched.fire({ turn, uri });
    return false;
  }

  private changedIn({ startedAt }: WatchedTurn, uri: vscode.Uri) {
    const saved = this.saved.get(uri.toString());
    return { uri, origin: this.moves.originOf(uri), saved: saved && saved.at >= startedAt ? saved.text : undefined };
  }

  /** Whether the user saved a file as it is now. */
  private isSaved(key: string, present: FileState): boolean {
    const own = this.saved.get(key);
    return own !== undefined && present.kind === 'text' && isSameText(own.text, present.text);
  }

  /** Remembers an agent's write that lies under unsaved text: should that text go, the write is to be reviewed. */
  private async hide(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const saved = this.saved.get(key);
    const time = await changeTime(uri.fsPath);
    const hidden = this.hidden.get(key);
    if (hidden && hidden.writtenAt === writtenAt(time)) return;
    const found = this.turns.authorOf(uri.fsPath, time);
    if (!found) return;
    const base = hidden?.base ?? (await recordedBase(this.changedIn(found.turn, uri), found.turn));
    // Of what the user has saved meanwhile, this base knows nothing.
    if (this.saved.get(key) !== saved) return this.hide(uri);
    if (!this.isDisposed) this.hidden.set(key, { writtenAt: writtenAt(time), found, base });
  }

  private documentChanged({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const { uri } = document;
    const key = uri.toString();
    if (uri.scheme !== 'file' || this.writing.has(key)) return;
    // Unsaved text that is thrown away changes first, and is told to be no longer unsaved in an event without changes.
    if (this.hidden.has(key) && !document.isDirty) void this.look(uri);
    if (contentChanges.length === 0) return;
    // An unchanged document that changes follows its file, or is told to be changed only a moment later: looking at it tells.
    if (!document.isDirty && reason === undefined) {
      // Unsaved text is gone with it, and nothing was made from that.
      for (const { documents } of this.turns.current) documents.delete(key);
      void this.look(uri);
    } else this.typed(document, contentChanges);
  }

  private documentSaved(document: vscode.TextDocument): void {
    const { uri } = document;
    const key = uri.toString();
    if (uri.scheme !== 'file' || this.writing.has(key)) return;
    if (this.turns.current.length === 0) this.saved.clear();
    else this.saved.set(key, { text: document.getText(), at: Date.now() });
    // It lies under nothing any more; and what seemed to may have been this very text, seen on disk before this is told.
    if (this.hidden.delete(key)) void this.look(uri);
  }

  private async notebookSaved(uri: vscode.Uri): Promise<void> {
    if (uri.scheme !== 'file' || this.writing.has(uri.toString()) || this.turns.current.length === 0) return;
    const state = await presentState(uri);
    if (state.kind === 'text') this.saved.set(uri.toString(), { text: state.text, at: Date.now() });
  }

  /** Unsaved text is the user's, whatever has been written to disk meanwhile. */
  private typed(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[] = []): void {
    const key = document.uri.toString();
    const state = { kind: 'text', text: document.getText() } as const;
    const file = this.log.file(key);
    if (file) {
      const [change] = changes.length === 1 ? changes : [];
      const lines = change && keystroke(file.snapshot.text.current, change, state.text);
      if (lines) this.log.userChange(key, [lines]);
      else this.log.userEdit(key, state);
    } else for (const turn of this.turns.current) turn.documents.set(key, state);
  }
}

function writtenAt({ at, isGone }: ChangeTime): number | undefined {
  return isGone ? undefined : at;
}
