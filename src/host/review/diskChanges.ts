import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FileState } from '../../review/fileState';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import { SerialQueue } from '../files/serialQueue';
import { editorFollows } from './editorFollows';
import { openDocument, presentState, stateBefore } from './presentState';
import type { WatchedTurn, WatchedTurns } from './turns';

/** Parts of a path that no review looks at: what git and package managers keep for themselves. */
const leftOut = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** A file that an agent changed in a turn. */
export interface AgentTouch {
  readonly turn: WatchedTurn;
  readonly uri: vscode.Uri;
  /** The bytes on disk before a write that went through Parley, null where there was no file; the turn's baseline knows the others. */
  readonly before?: Uint8Array | null;
}

/** So many files are looked at side by side when there is a list of them. */
const lanes = 16;

/**
 * Notices every change of a workspace's files, whoever made it and however, and tells the review log who it was: an agent in
 * whose turn it happened, or else the user.
 */
export class DiskChanges extends Disposable {
  private readonly log: ReviewLog;
  private readonly turns: WatchedTurns;
  private readonly report: (error: unknown) => void;
  private readonly queue = new SerialQueue();
  private readonly never = new AbortController();
  private isWatching = false;
  private readonly touched = this.register(new Emitter<AgentTouch>());
  /** Files that Parley itself is writing; what becomes of them is told by the writer. */
  private readonly writing = new Map<string, number>();

  /** An agent changed a file by itself; after the log knows of it. */
  readonly onDidTouch = this.touched.event;

  constructor(log: ReviewLog, turns: WatchedTurns, report: (error: unknown) => void) {
    super();
    this.log = log;
    this.turns = turns;
    this.report = report;
    this.register(vscode.workspace.onDidChangeTextDocument((event) => this.documentChanged(event)));
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        // Unsaved changes may have gone with it.
        if (this.log.file(uri.toString())) void this.look(uri);
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

  /** Looks at a file now; resolves when what it holds is in the log. */
  look(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    if (this.isDisposed || uri.scheme !== 'file' || this.writing.has(key)) return Promise.resolve();
    const isFollowed = this.log.file(key) !== undefined;
    if (!isFollowed && (this.turns.current.length === 0 || uri.path.split('/').some((part) => leftOut.has(part)))) {
      return Promise.resolve();
    }
    return this.queue.run(key, this.never.signal, () => this.compare(uri)).catch(this.report);
  }

  /** Looks at many files, a few at a time; resolves when all are in the log. */
  async lookAt(paths: readonly string[]): Promise<void> {
    const waiting = [...paths];
    const lane = async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await this.look(vscode.Uri.file(path));
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

  private async compare(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      this.typed(document);
      return;
    }
    const present = await presentState(uri);
    if (present.kind === 'text') await editorFollows(uri, present.text);
    const writtenAt = await lstat(uri.fsPath).then(
      ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
      () => undefined,
    );
    const found = this.turns.authorOf(uri.fsPath, writtenAt);
    if (this.isDisposed || this.writing.has(key)) return;
    // Typed meanwhile: the change is told again.
    if (openDocument(uri)?.isDirty === true) return;
    if (this.log.file(key) === undefined) {
      if (!found) return;
      const base = found.turn.documents.get(key) ?? (await this.baseOf(uri, found.turn));
      if (base === undefined || isSame(base, present)) return;
      this.log.track(key, base);
    }
    if (found) {
      this.log.agentEdit(key, present, found.author);
      this.touched.fire({ turn: found.turn, uri });
    } else this.log.userEdit(key, present);
  }

  /** What the file held before a turn. */
  private async baseOf(uri: vscode.Uri, turn: WatchedTurn): Promise<FileState | undefined> {
    const before = await (await turn.baseline).read(uri.fsPath);
    return before && stateBefore(uri, before);
  }

  private documentChanged({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const { uri } = document;
    const key = uri.toString();
    if (uri.scheme !== 'file' || contentChanges.length === 0 || this.writing.has(key)) return;
    // An unchanged document that changes follows its file, or is told to be changed only a moment later: looking at it tells.
    if (!document.isDirty && reason === undefined) void this.look(uri);
    else this.typed(document);
  }

  /** Unsaved text is the user's, whatever has been written to disk meanwhile. */
  private typed(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const state: FileState = { kind: 'text', text: document.getText() };
    if (this.log.file(key)) this.log.userEdit(key, state);
    else for (const turn of this.turns.current) turn.documents.set(key, state);
  }
}

function isSame(a: FileState, b: FileState): boolean {
  if (a.kind === 'absent' || b.kind === 'absent') return a.kind === b.kind;
  if (a.mode !== b.mode && a.mode !== undefined && b.mode !== undefined) return false;
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text;
  return b.kind === 'binary' && a.hash === b.hash;
}
