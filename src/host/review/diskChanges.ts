import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { internalNames } from '../../baseline/baseline';
import { isFolderMadeSince } from '../../baseline/folderScan';
import { isSameState, type FileState, type UnreadState } from '../../review/fileState';
import type { AgentAuthor } from '../../review/hunk';
import type { ReviewLog } from '../../review/reviewLog';
import type { TrackedFileData } from '../../review/trackedFileData';
import { isSameButLineBreaks } from '../../review/lines';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import { SerialQueue } from '../base/serialQueue';
import type { BaseBytes } from './baseBytes';
import { Coalesced } from '../base/coalesce';
import { editorFollows } from '../workspaceFiles/editorFollows';
import { keystroke } from './keystroke';
import { moveReviewed } from './moveReviewed';
import { NotebookSaves } from './notebooks/notebookSaves';
import { changeTime, clockSlackMs, type ChangeTime } from './noticed';
import { takeFolderAway } from '../workspaceFiles/workspaceFile';
import { openDocument } from '../workspaceFiles/openDocument';
import { folderAt, likeOf, present, presentState, unreadBefore, type Present } from '../workspaceFiles/presentState';
import type { RemovedFiles } from '../workspaceFiles/removedFiles';
import { Renames } from './renames';
import { correctReportedBase, reportedBaseOf } from './turnReports';
import { reportedDiffs } from './toolCallFiles';
import { baseBefore, mayHaveRemoved, recordedBase, type Base } from './turnBase';
import { authorIn, type FoundAuthor, type WatchedTurn, type WatchedTurns } from './watchedTurns';
import { UserMoves } from './userMoves';

/** What is in folders of packages is told with the folder: installing writes tens of thousands of files. */
const packages = /^(.*?\/node_modules)\/./s;
/** A folder that is left out as a whole is looked at so often (ms) at most while files in it change. */
const folderCalmMs = 2000;

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
  /** Where what an undo takes away goes. */
  readonly removed: RemovedFiles;
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
  /** Folders that are left out as a whole, in which something has just changed. */
  private readonly changedFolders = new Set<string>();
  private readonly soon = this.register(new Coalesced(() => void this.lookAtFolders(), folderCalmMs));
  /** Whether folders above new files were made in the turn: then an undo takes them away when nothing is left in them. */
  private readonly madeFolders = new Map<string, boolean>();
  private readonly notebookSaves = this.register(new NotebookSaves((uri) => this.notebookSaved(uri)));

  /** An agent changed a file by itself; after the log knows of it. */
  readonly onDidTouch = this.touched.event;

  constructor(
    log: ReviewLog,
    turns: WatchedTurns,
    bases: BaseBytes,
    removed: RemovedFiles,
    report: (error: unknown) => void,
  ) {
    super();
    this.removed = removed;
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
  look(uri: vscode.Uri, turn?: WatchedTurn, isListed = false): Promise<void> {
    const key = uri.toString();
    if (this.isDisposed || uri.scheme !== 'file' || this.writing.has(key)) return Promise.resolve();
    if (!this.isFollowed(uri)) {
      const isInternal = !isListed && uri.path.split('/').some((part) => internalNames.has(part));
      if (this.turns.current.length === 0 || isInternal) return Promise.resolve();
      const folder = packages.exec(uri.path)?.[1];
      if (folder !== undefined && !isListed) {
        this.lookAtFolderSoon(uri.with({ path: folder }).fsPath);
        return Promise.resolve();
      }
    }
    return this.queue.run(key, this.never.signal, () => this.compare(uri, turn, isListed)).catch(this.report);
  }

  /**
   * Looks at many files, a few at a time; resolves when all are in the log. `isListed` says that the turn's baseline found them
   * changed, folders among them.
   */
  async lookAt(paths: readonly string[], turn?: WatchedTurn, isListed = false): Promise<void> {
    const waiting = paths.toReversed();
    const lane = async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        await this.look(vscode.Uri.file(path), turn, isListed);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /**
   * Carries out an agent's write that goes through Parley. Agents may have written the same to disk just before: what the file held
   * is what is known from before the turn, whatever is on disk by now.
   */
  async agentWrite(
    uri: vscode.Uri,
    turn: WatchedTurn | undefined,
    author: () => AgentAuthor,
    write: () => Promise<void>,
  ): Promise<void> {
    const key = uri.toString();
    await this.queue.run(key, this.never.signal, async () => {
      // What was written before is in the log from here on, each under its author.
      if (turn && !this.writing.has(key)) await this.compare(uri).catch(this.report);
      const known = this.log.file(key);
      const before = await present(uri, known && likeOf(known));
      const base = known ? undefined : await this.baseOfWrite(uri, turn, before);
      // Without room for them, the text is enough.
      if (base?.bytes) await this.bases.keep(key, base.state, base.bytes).catch(() => undefined);
      const isNew = before.state.kind === 'absent';
      turn?.seen.set(key, Date.now());
      await this.during(key, write);
      const tracked = this.log.track(key, base?.state ?? before.state, base?.isGuess === true);
      const earlier = tracked.snapshot;
      this.log.agentEdit(key, await presentState(uri, likeOf(tracked)), author());
      if (!turn) return;
      if (isNew) await this.noteFolders(uri.fsPath, turn);
      const isUnread = base?.state.kind === 'unread';
      this.touched.fire(isUnread ? { turn, uri } : { turn, uri, earlier, before: before.bytes ?? null });
    });
  }

  /** Takes away the folders above a file that is gone, which an agent made for it and in which nothing is left. */
  async tidyAbove(path: string): Promise<void> {
    for (let folder = dirname(path); this.madeFolders.get(folder) === true; folder = dirname(folder)) {
      try {
        await takeFolderAway(vscode.Uri.file(folder));
      } catch {
        // Something is left in it, or it is gone.
        if ((await folderAt(folder)) !== 'none') return;
      }
      this.madeFolders.delete(folder);
    }
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

  private async compare(uri: vscode.Uri, turn?: WatchedTurn, isListed = false): Promise<void> {
    const key = uri.toString();
    await Promise.all([this.notebookSaves.settled(key), this.moves.settled(key)]);
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      this.typed(document);
      await this.hide(uri);
      // Without a change that lies under it, nothing tells that unsaved text is gone.
      if (this.isDisposed || openDocument(uri)?.isDirty === true) return;
    }
    await this.forgetUnread(uri);
    const known = this.log.file(key);
    const like = this.isFollowed(uri) ? known && likeOf(known) : await this.howToRead(uri, turn, isListed);
    if (like === 'not') return;
    const lookedAt = Date.now();
    let state = await presentState(uri, like);
    if (state.kind !== 'absent') this.turns.sawFile(key, lookedAt);
    if (state.kind === 'text') await editorFollows(uri, state.text);
    const time = state.kind === 'unread' ? unreadTime(state) : await changeTime(uri.fsPath);
    const hidden = this.hidden.get(key);
    const saved = this.saved.get(key);
    const isOfUser = this.moves.made(key, time) || this.isSaved(key, state);
    const hiddenBy = hidden && hidden.writtenAt === writtenAt(time) ? hidden.found : undefined;
    const listedBy = isListed && turn ? { author: authorIn(turn, uri.fsPath), turn } : undefined;
    const found = isOfUser ? undefined : ((await this.authorOf(uri, time, turn)) ?? hiddenBy ?? listedBy);
    const isNew = found !== undefined && this.log.file(key) === undefined;
    const base = isNew
      ? (hidden?.base ?? (await baseBefore(this.changedIn(found.turn, uri), found.turn, state)))
      : undefined;
    // What was not read has no content to compare.
    if (base?.state.kind === 'unread' && state.kind !== 'unread') state = await presentState(uri, base.state);
    if (base?.bytes && !isSameState(base.state, state)) {
      await this.bases.keep(key, base.state, base.bytes).catch(this.report);
    }
    if (this.isDisposed || this.writing.has(key)) return;
    // Typed meanwhile: the change is told again.
    if (openDocument(uri)?.isDirty === true) return;
    if (this.saved.get(key) !== saved) return void this.look(uri, turn);
    this.hidden.delete(key);
    if (state.kind !== 'absent') this.renames.cameBack(key);
    if (!found) {
      this.log.userEdit(key, state);
      return;
    }
    if (state.kind === 'absent' && this.renames.hasMoved(key, found.author)) return;
    if (this.log.file(key) === undefined) {
      if (base === undefined || isSameState(base.state, state)) return;
      this.log.track(key, base.state, base.isGuess === true);
    }
    const earlier = this.log.file(key)?.snapshot;
    this.renames.agentEdit(key, state, found.author);
    correctReportedBase(this.log, key, found.turn, uri.fsPath, state);
    // Told again, such as what went through Parley, or came back in a restore.
    if (earlier && this.log.file(key)?.snapshot === earlier) return;
    if (base?.state.kind === 'absent') await this.noteFolders(uri.fsPath, found.turn);
    if (base?.state.kind === 'unread' || state.kind === 'unread') {
      this.touched.fire({ turn: found.turn, uri });
      return;
    }
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
   * Asked before a file is read that nobody follows: a build writes gigabytes that no baseline knows. Answers what it is like, if it is
   * not to be read, or is a folder.
   */
  private async howToRead(
    uri: vscode.Uri,
    endedTurn: WatchedTurn | undefined,
    isListed: boolean,
  ): Promise<FileState | 'not' | undefined> {
    const path = uri.fsPath;
    const author = this.turns.authorOf(path, await changeTime(path))?.turn;
    const turn = author ?? endedTurn;
    if (!turn) return 'not';
    if (turn.documents.has(uri.toString()) || turn.noticed.has(path) || reportedDiffs(turn, path).length > 0)
      return undefined;
    const before = await (await turn.baseline).read(this.moves.originOf(uri).fsPath);
    // Named by a tool call: nobody else looks there.
    if (!before) return author ? unreadBefore('file', 'outside') : 'not';
    if (before.kind === 'folder') return before;
    if (before.kind === 'absent') {
      const folder = isListed ? await folderAt(path) : 'none';
      if (folder === 'none') return undefined;
      return folder === 'empty' ? { kind: 'folder' } : unreadBefore('folder', 'ignored');
    }
    if (before.kind !== 'skipped') return undefined;
    if (before.within === undefined) return unreadBefore('file', before.reason);
    if (before.within === path || isListed) return unreadBefore('folder', before.reason);
    this.lookAtFolderSoon(before.within);
    return 'not';
  }

  /** What nobody knew may be told later, by a tool call that shows its change. */
  private async forgetUnread(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const base = this.log.file(key)?.base;
    if (base?.kind !== 'unread' || base.what === 'folder') return;
    const turn = this.turns.current.findLast((one) => reportedDiffs(one, uri.fsPath).length > 0);
    if (turn && reportedBaseOf(turn, uri.fsPath, await presentState(uri))) this.log.forget(key);
  }

  private lookAtFolderSoon(folder: string): void {
    this.changedFolders.add(folder);
    this.soon.request();
  }

  private async lookAtFolders(): Promise<void> {
    const folders = [...this.changedFolders];
    this.changedFolders.clear();
    const turn = this.turns.current.at(-1);
    if (turn) await this.lookAt(folders, turn, true);
  }

  private async baseOfWrite(uri: vscode.Uri, turn: WatchedTurn | undefined, now: Present): Promise<Base> {
    const asNow = { state: now.state, bytes: now.bytes ?? null };
    if (!turn || openDocument(uri)?.isDirty === true) return asNow;
    const base = await baseBefore(this.changedIn(turn, uri), turn, now.state);
    if (base.state.kind !== 'unread' && base.isGuess !== true) return base;
    // What nobody has written since the turn began is what it held then; and there is nothing to lose where there is nothing.
    const { at } = await changeTime(uri.fsPath);
    return at < turn.startedAt || now.state.kind === 'absent' ? asNow : base;
  }

  private async noteFolders(path: string, { startedAt }: WatchedTurn): Promise<void> {
    for (let folder = dirname(path); !this.madeFolders.has(folder); folder = dirname(folder)) {
      const isMade = await isFolderMadeSince(folder, startedAt - clockSlackMs);
      this.madeFolders.set(folder, isMade);
      if (!isMade) return;
    }
  }

  private changedIn({ startedAt }: WatchedTurn, uri: vscode.Uri) {
    const saved = this.saved.get(uri.toString());
    return { uri, origin: this.moves.originOf(uri), saved: saved && saved.at >= startedAt ? saved.text : undefined };
  }

  /** Whether the user saved a file as it is now. */
  private isSaved(key: string, present: FileState): boolean {
    const own = this.saved.get(key);
    return own !== undefined && present.kind === 'text' && isSameButLineBreaks(own.text, present.text);
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

/** The newest change of a folder is its stamp; a file's is its own. */
function unreadTime({ what, stamp }: UnreadState): ChangeTime {
  const [, , at] = stamp.split(' ');
  return { at: Number(what === 'folder' ? stamp : at), isGone: false, stamp };
}

function writtenAt({ at, isGone }: ChangeTime): number | undefined {
  return isGone ? undefined : at;
}
