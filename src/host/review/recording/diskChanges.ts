import { basename, dirname, join, parse, sep } from 'node:path';
import * as vscode from 'vscode';
import { internalNames } from '../../../baseline/baseline';
import { wayBelow } from '../../../disk/paths';
import { filesIn, isFolderCreatedSince } from '../../../baseline/folderScan';
import { diskSideOf, fileOfSide } from '../../../review/files/diskSide';
import { isSameContent, isSameState, type FileState, type UnreadState } from '../../../review/files/fileState';
import type { Renamed } from '../../../review/checkpoints/checkpoint';
import type { FileRef } from '../../../review/files/fileRef';
import type { AgentAuthor } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { startData, type TrackedFileData } from '../../../review/log/trackedFileData';
import { isSameButLineBreaks } from '../../../review/lines/lines';
import { takenFrom } from '../../../review/lines/mergedText';
import { compact } from '../../../shared/values/decodeValue';
import { Disposable, toDisposable, type IDisposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import { onDidRemoveWorktree } from '../../../worktree/made/worktreeOf';
import { SerialQueue } from '../../base/serialQueue';
import { spelledOnDisk } from '../../base/filePaths';
import { fileRoots } from '../../base/folders';
import type { BaseBytes } from '../stored/baseBytes';
import { Coalesced } from '../../base/coalesce';
import { editorFollows } from '../../workspaceFiles/editorFollows';
import { keystroke } from './keystroke';
import { moveReviewed } from '../moves/moveReviewed';
import { MovesOnDisk, type MovedOnDisk } from '../moves/movesOnDisk';
import { NotebookSaves } from '../notebooks/notebookSaves';
import { changeTime, changeTimeNow, clockSlackMs, isMissingSince, type ChangeTime } from '../moves/noticed';
import { takeFolderAway } from '../../workspaceFiles/workspaceFile';
import { openDocument, reviewedUri } from '../../workspaceFiles/openDocument';
import { isOwnDraft } from '../../workspaceFiles/ownDrafts';
import {
  folderAt,
  likeOf,
  present,
  presentState,
  stateOfBytes,
  unreadBefore,
  type Present,
} from '../../workspaceFiles/presentState';
import { encodeAsEditor, refOf } from '../../workspaceFiles/presentFile';
import type { RemovedFiles } from '../../workspaceFiles/removedFiles';
import { Renames } from '../moves/renames';
import { correctReportedBase, reportedBaseOf } from './turnReports';
import { reportedDiffs, toolCallOf } from './toolCallFiles';
import { baseBefore, mayHaveRemoved, readBefore, recordedBase, type Base, type Changed } from './turnBase';
import { authorIn, isAtHome, isForeign, type FoundAuthor, type WatchedTurn, type WatchedTurns } from './watchedTurns';
import { UndoneFiles } from '../../fileChanges/undoneFiles';
import { covers, UserMoves } from '../moves/userMoves';

/** Changes inside folders of this name are reported as the folder, because installing writes tens of thousands of files. */
const packages = 'node_modules';
/** Minimum time between two looks at an ignored folder while its files change, in milliseconds. */
const folderCalmMs = 2000;

/** A file from before the user merged it with an agent's version, and what waited for review then. */
export interface MergeStart {
  readonly bytes: Uint8Array;
  readonly review: TrackedFileData | undefined;
}

/** A file that an agent changed in a turn. */
export interface AgentTouch {
  readonly turn: WatchedTurn;
  readonly uri: vscode.Uri;
  /** The log's earlier data about the file. Absent if its content wasn't known. */
  readonly earlier?: TrackedFileData;
  /**
   * The bytes on disk before a write through Parley, or of a file that the turn's baseline doesn't have. Null if there
   * was no file.
   */
  readonly before?: Uint8Array | null;
  /** The file after the write, if it was read then. By now, somebody else may have written it. */
  readonly after?: FileRef;
  /** True if the user or another session changed the file since the turn last wrote it, or may have. */
  readonly isEdited?: boolean;
  /** The turn renamed a file from or to this URI. */
  readonly renamed?: Renamed;
}

/**
 * An agent's write to disk while the document has unsaved changes. The log has it as the file's disk side until the
 * unsaved text is saved or discarded.
 */
interface Hidden {
  /** Undefined if the file was deleted. */
  readonly writtenAt: number | undefined;
  readonly found: FoundAuthor;
  readonly base: Base | undefined;
}

/** What a file under review had before the text in the editor that isn't saved, and when that text began, in milliseconds. */
interface UnderText {
  readonly state: FileState;
  readonly at: number;
}

/** What a clean document showed when the text changed: an agent's write that the editor followed. */
interface Followed {
  readonly text: string;
  readonly version: number;
  /** The turns that may have written it, the likeliest first. */
  readonly writers: readonly [Writer, ...Writer[]];
  readonly mode: number | undefined;
  /** What the user had saved by then. */
  readonly saved: Saved | undefined;
}

/** A turn that may have written a file. */
interface Writer {
  readonly turn: WatchedTurn;
  /** The file as it was then, because the user may save before it's looked at. */
  readonly file: Changed;
}

/** What the user saved, and when, in milliseconds. */
interface Saved {
  readonly text: string;
  readonly at: number;
}

/** A new folder with more files and folders than this is listed as a folder, even if its files are listed. */
const listedFiles = 300;
/** Maximum number of files to read in parallel. */
const lanes = 16;

/**
 * Detects every change to the workspace's files. Records its author in the review log: an agent whose
 * turn was running, or else the user.
 */
export class DiskChanges extends Disposable {
  /** What the user has undone. */
  readonly undone = new UndoneFiles();
  /** The first bytes of files under review. */
  readonly bases: BaseBytes;
  /** Where undo moves files that it removes. */
  readonly removed: RemovedFiles;
  private readonly log: ReviewLog;
  private readonly turns: WatchedTurns;
  private readonly report: (error: unknown) => void;
  private readonly queue = new SerialQueue();
  private readonly renames: Renames;
  /** Renames by an agent that were just detected. */
  private renamed: Renamed[] = [];
  private readonly watched = new Set<string>();
  private readonly touched = this.register(new Emitter<AgentTouch>());
  /** Files that Parley is writing. The writer records their changes. */
  private readonly writing = new Map<string, number>();
  /** Files that Parley has written since they were last read. */
  private readonly outdated = new Set<string>();
  private readonly undoing = new Map<string, number>();
  /** What the user has started and what writes several files, until it's done. */
  private readonly acts = new Set<Promise<unknown>>();
  private readonly hidden = new Map<string, Hidden>();
  /** Texts that documents took from disk and that weren't looked at yet, because the user may type and save first. */
  private readonly followed = new Map<string, readonly Followed[]>();
  private readonly onDisk = new Map<string, UnderText>();
  /** The texts of documents from when their save began, because the disk has them before the save is reported. */
  private readonly saving = new Map<string, string>();
  /** What the user saved while agents are running, and when. These contents on disk aren't the agent's. */
  private readonly saved = new Map<string, Saved>();
  private readonly moves = this.register(
    new UserMoves(
      () => this.turns.current.length > 0,
      (from, to) => this.userMoved(from, to),
    ),
  );
  private readonly movesOnDisk = new MovesOnDisk();
  /** Ignored folders with recent changes. */
  private readonly changedFolders = new Set<string>();
  private readonly soon = this.register(new Coalesced(() => void this.lookAtFolders(), folderCalmMs));
  /** True for folders above new files that were created in the turn. An undo removes them if they are empty. */
  private readonly createdFolders = new Map<string, boolean>();
  /** Created folders out of which an agent took a file. */
  private readonly leftFolders = new Map<string, FoundAuthor>();
  private readonly notebookSaves = this.register(new NotebookSaves((uri) => this.notebookSaved(uri)));

  /** Fires after an agent changed a file and the log was updated. */
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
    this.renames = new Renames(
      log,
      (from, to) => {
        bases.rename(from, to);
        this.renamed.push([from, to]);
      },
      (uri) => this.undoing.has(uri),
    );
    this.register(turns.onDidChange(() => turns.current.length > 0 || this.moves.forget()));
    this.register(
      log.onDidChange((uris) => {
        for (const { reviewed } of turns.current) for (const uri of uris) reviewed.add(uri);
      }),
    );
    this.register(
      // Nobody watches a folder that no longer exists.
      onDidRemoveWorktree((folder) => {
        const uri = vscode.Uri.file(folder);
        this.moves.removed(uri);
        for (const file of this.filesBelow(uri)) void this.forget(file).catch(report);
      }),
    );
    this.register(vscode.workspace.onDidOpenTextDocument((document) => this.documentOpened(document)));
    this.register(vscode.workspace.onDidChangeTextDocument((event) => this.documentChanged(event)));
    this.register(
      vscode.workspace.onWillSaveTextDocument(({ document }) => {
        if (turns.current.length > 0) this.saving.set(reviewedUri(document).toString(), document.getText());
      }),
    );
    this.register(vscode.workspace.onDidSaveTextDocument((document) => this.documentSaved(document)));
    this.register(
      vscode.workspace.onDidCloseTextDocument((document) => {
        const uri = reviewedUri(document);
        // The document's unsaved changes may be gone.
        if (this.isFollowed(uri)) void this.look(uri);
      }),
    );
  }

  /** Starts watching the workspace, and those of these folders that aren't in it. Must be called before the first turn. */
  watch(folders: readonly string[] = []): void {
    this.watchOnce('', '**');
    for (const folder of folders) {
      const uri = vscode.Uri.file(folder);
      if (vscode.workspace.getWorkspaceFolder(uri)) continue;
      this.watchOnce(folder, new vscode.RelativePattern(uri, '**'));
    }
  }

  private watchOnce(folder: string, pattern: vscode.GlobPattern): void {
    if (this.watched.has(folder) || this.isDisposed) return;
    this.watched.add(folder);
    const watcher = this.register(vscode.workspace.createFileSystemWatcher(pattern));
    const look = (uri: vscode.Uri) => void this.look(uri);
    this.register(watcher.onDidChange(look));
    this.register(watcher.onDidCreate(look));
    this.register(
      watcher.onDidDelete((uri) => {
        look(uri);
        // Of a removed folder, the editor reports none of the files.
        for (const file of this.filesBelow(uri)) look(vscode.Uri.parse(file));
      }),
    );
  }

  /** Returns the way to a file from the innermost watched folder. What the folders above are called means nothing. */
  private wayTo(path: string): { readonly root: string; readonly names: readonly string[] } {
    const ways = [...fileRoots(), ...this.watched].flatMap((root) => {
      const way = root === '' ? undefined : wayBelow(root, path);
      return way === undefined ? [] : [{ root, names: way.split(sep) }];
    });
    ways.sort((a, b) => b.root.length - a.root.length);
    return ways[0] ?? { root: parse(path).root, names: path.slice(parse(path).root.length).split(sep) };
  }

  /** Returns the files in a folder that the log has, or will once their unsaved text is gone. */
  private filesBelow(folder: vscode.Uri): readonly string[] {
    const start = `${folder.toString()}/`;
    const files = [...this.log.uris.map(fileOfSide), ...this.hidden.keys()];
    return [...new Set(files)].filter((file) => file.startsWith(start));
  }

  /** Forgets a file with its changes, also those that wait for review. */
  private forget(file: string): Promise<void> {
    return this.queue.run(file, async () => {
      await this.moves.settled(file);
      for (const places of [this.hidden, this.followed, this.onDisk]) places.delete(file);
      this.log.forget(diskSideOf(file));
      this.log.forget(file);
    });
  }

  /** Reads a file and updates the log. Resolves when done. A deletion has no time, so `turn` is its author, if set. */
  look(uri: vscode.Uri, turn?: WatchedTurn, isListed = false): Promise<void> {
    const key = uri.toString();
    if (this.isDisposed || uri.scheme !== 'file' || this.writing.has(key)) return Promise.resolve();
    // Parley writes them while a turn is running, such as for an undo of an earlier change.
    if (isOwnDraft(basename(uri.fsPath))) return Promise.resolve();
    if (!this.isFollowed(uri)) {
      const { root, names } = this.wayTo(uri.fsPath);
      const isInternal = !isListed && names.some((name) => internalNames.has(name));
      if (isInternal) return Promise.resolve();
      if (this.turns.current.length === 0) return this.queue.run(key, () => this.arrived(uri)).catch(this.report);
      const at = names.slice(0, -1).indexOf(packages);
      if (at >= 0 && !isListed) {
        return this.lookInPackage(uri, join(root, ...names.slice(0, at + 1))).catch(this.report);
      }
    }
    return this.queue.run(key, () => this.compare(uri, turn, isListed)).catch(this.report);
  }

  /** Resolves once the log has what the user typed over an agent's text that wasn't looked at yet. */
  async typedSoFar(uri: string): Promise<void> {
    const key = fileOfSide(uri);
    if (this.followed.get(key)?.length) await this.queue.run(key, () => Promise.resolve());
  }

  /**
   * Reads many files, a few at a time, and updates the log. `isListed`: the turn's baseline found them changed,
   * possibly including folders.
   */
  async lookAt(paths: readonly string[], turn?: WatchedTurn, isListed = false): Promise<void> {
    const waiting = paths.toReversed();
    const earliest = Math.min(...this.turns.current.map(({ startedAt }) => startedAt));
    // Agents name hundreds of files at once.
    const missing = new Map<string, Promise<boolean>>();
    const isMissing = (path: string) => {
      const folder = dirname(path);
      const known = missing.get(folder) ?? isMissingSince(folder, earliest);
      missing.set(folder, known);
      return known;
    };
    const lane = async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        // No turn has changed it, and none has removed it.
        if (!isListed && !this.isFollowed(vscode.Uri.file(path)) && (await isMissing(path))) continue;
        // A baseline lists files as the disk spells them, but agents may not.
        const spelled = isListed ? path : await spelledOnDisk(path);
        await this.look(vscode.Uri.file(spelled), turn, isListed);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Returns where the user has moved some of these files since a turn began. The agent may have moved or removed them since. */
  movedIn({ startedAt }: WatchedTurn, paths: readonly string[]): string[] {
    return paths.flatMap((path) => this.moves.placeSince(vscode.Uri.file(path), startedAt)?.fsPath ?? []);
  }

  /**
   * Performs an agent's write through Parley. The agent may have written the same to disk just before, so the base is
   * the content known from before the turn, whatever is on disk.
   */
  async agentWrite(
    uri: vscode.Uri,
    turn: WatchedTurn | undefined,
    author: () => AgentAuthor,
    write: () => Promise<void>,
  ): Promise<void> {
    const key = uri.toString();
    await this.queue.run(key, async () => {
      // After this, the log has every earlier write under its author.
      if (turn && !this.writing.has(key)) await this.compare(uri).catch(this.report);
      const known = this.log.file(key);
      const before = await present(uri, known && likeOf(known));
      const base = known ? undefined : await this.baseOfWrite(uri, turn, before);
      // If the bytes can't be stored, the text is enough.
      if (base?.bytes) await this.bases.keep(key, base.state, base.bytes).catch(() => undefined);
      const isNew = before.state.kind === 'absent';
      turn?.seen.set(key, Date.now());
      await this.during(key, write);
      const tracked = this.log.track(key, base?.state ?? before.state, base?.isGuess === true);
      const earlier = tracked.snapshot;
      const now = await present(uri, likeOf(tracked));
      this.log.agentEdit(key, now.state, author());
      if (!turn) return;
      const edited = { ...this.editedSince(turn, key, earlier), ...afterOf(now) };
      if (isNew) await this.noteFolders(uri.fsPath, turn);
      const isUnread = base?.state.kind === 'unread';
      this.touched.fire(isUnread ? { turn, uri } : { turn, uri, earlier, before: before.bytes ?? null, ...edited });
    });
  }

  /** See `Review.merging`. */
  merging(uri: vscode.Uri, author: AgentAuthor, theirs: Uint8Array, start?: MergeStart): () => Promise<void> {
    const key = uri.toString();
    const earlier = start ? start.review : this.log.file(key)?.snapshot;
    const first = start
      ? stateOfBytes(uri, start.bytes, undefined).then((state) => ({ state, bytes: start.bytes }))
      : present(uri);
    const decoded = vscode.workspace.decode(theirs, { uri });
    return () =>
      this.queue.run(key, async () => {
        const [before, { state }, text] = await Promise.all([first, present(uri), decoded]);
        if (!earlier && before.bytes) await this.bases.keep(key, before.state, before.bytes).catch(this.report);
        if (this.isDisposed || state.kind !== 'text' || before.state.kind !== 'text') return;
        // Until now, what the user chose in the merge editor counted as typing.
        this.log.putBack(key, earlier);
        this.log.track(key, before.state);
        this.log.agentEdit(key, { ...state, text: takenFrom(text, before.state.text, state.text) }, author);
        this.log.userEdit(key, state);
      });
  }

  /** Lists the folders that agents created and have emptied, because no file in them is listed any more. `turn` is over. */
  async lookAtLeftFolders(turn: WatchedTurn): Promise<void> {
    for (const [folder, found] of [...this.leftFolders]) {
      if (found.turn !== turn && found.turn.endedAt === undefined) continue;
      this.leftFolders.delete(folder);
      const uri = vscode.Uri.file(folder);
      await this.queue.run(uri.toString(), () => this.leftFolder(uri, found)).catch(this.report);
    }
  }

  private async leftFolder(uri: vscode.Uri, { turn, author }: FoundAuthor): Promise<void> {
    const key = uri.toString();
    const isEmpty = (await folderAt(uri.fsPath)) === 'empty';
    if (!isEmpty || this.isDisposed || this.writing.has(key) || this.createdFolders.get(uri.fsPath) !== true) return;
    // What the user kept in it comes back with an undo.
    const isKept = (one: string) => {
      const { base, status } = this.log.file(one) ?? {};
      const from = status?.kind === 'renamed' ? status.from : one;
      return status !== undefined && base?.kind !== 'absent' && covers(key, from);
    };
    if (this.log.uris.some(isKept)) return;
    const { snapshot: earlier } = this.log.track(key, { kind: 'absent' });
    this.log.agentEdit(key, { kind: 'folder' }, author);
    if (this.log.file(key)?.snapshot !== earlier) this.touched.fire({ turn, uri, earlier, before: null });
  }

  /** Removes the folders that an agent created for a file, if they are empty after its removal. */
  async tidyAbove(path: string): Promise<void> {
    for (let folder = dirname(path); this.createdFolders.get(folder) === true; folder = dirname(folder)) {
      try {
        await takeFolderAway(vscode.Uri.file(folder));
      } catch {
        // The folder isn't empty, or no longer exists.
        if ((await folderAt(folder)) !== 'none') return;
      }
      this.createdFolders.delete(folder);
    }
  }

  /** Notes the missing folders above a file that an undo makes again on the file's way to its old name: `tidyAbove` removes them. */
  async noteMissingAbove(path: string): Promise<void> {
    for (let folder = dirname(path); (await folderAt(folder)) === 'none'; folder = dirname(folder))
      this.createdFolders.set(folder, true);
  }

  /** Returns the folders above a file that an agent created. */
  foldersFor(uri: string): string[] {
    const found: string[] = [];
    const path = vscode.Uri.parse(fileOfSide(uri)).fsPath;
    for (let folder = dirname(path); this.createdFolders.get(folder) === true; folder = dirname(folder))
      found.push(folder);
    return found;
  }

  /** Notes what `foldersFor` returned in an earlier window. */
  noteFoldersFor(uri: string, folders: readonly string[]): void {
    const path = vscode.Uri.parse(fileOfSide(uri)).fsPath;
    for (let folder = dirname(path); folders.includes(folder); folder = dirname(folder))
      this.createdFolders.set(folder, true);
  }

  /** Runs one of Parley's own writes, during which changes to the file aren't attributed to anyone. */
  async during<T>(uri: string, write: () => Promise<T>): Promise<T> {
    const held = this.hold(uri);
    try {
      return await write();
    } finally {
      held.dispose();
    }
  }

  /** Like `during`, for as long as the result isn't disposed of. */
  hold(uri: string): IDisposable {
    const key = fileOfSide(uri);
    const release = count(this.writing, key);
    return toDisposable(() => {
      this.outdated.add(key);
      release();
    });
  }

  /** Runs what writes several files for the user, one after another. Until it ends, `settled` doesn't resolve. */
  async together<T>(act: () => Promise<T>): Promise<T> {
    const running = act();
    this.acts.add(running);
    try {
      return await running;
    } finally {
      this.acts.delete(running);
    }
  }

  /** Resolves once the log has what the user has started to write so far and what turns that are over have changed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.acts);
    const over = this.turns.current.filter(({ endedAt }) => endedAt !== undefined);
    await Promise.allSettled(over.flatMap(({ looked }) => looked ?? []));
  }

  /**
   * Runs the undo of a file. Until it ends, the file isn't paired with another one as a rename. Otherwise, the log would record the end of
   * the undo as the user's change.
   */
  async whileUndoing<T>(uri: string, undo: () => Promise<T>): Promise<T> {
    const release = count(this.undoing, uri);
    try {
      return await undo();
    } finally {
      release();
    }
  }

  /** Returns true if the log has the file, or will once its unsaved text is gone. */
  isFollowed(uri: vscode.Uri): boolean {
    const key = uri.toString();
    return [key, diskSideOf(key)].some((one) => this.log.file(one)) || this.hidden.has(key);
  }

  private async compare(uri: vscode.Uri, turn?: WatchedTurn, isListed = false): Promise<void> {
    const key = uri.toString();
    await Promise.all([this.notebookSaves.settled(key), this.moves.settled(key)]);
    await this.takeFollowed(uri);
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      this.typed(document);
      await this.hide(uri);
      // Unless a hidden change is recorded, no event reports when the unsaved text is gone.
      if (this.isDisposed || openDocument(uri)?.isDirty === true) return;
    }
    await this.forgetUnread(uri);
    const known = this.log.file(key);
    const like = this.isFollowed(uri) ? known && likeOf(known) : await this.howToRead(uri, turn, isListed);
    if (like === 'not') return this.arrived(uri);
    const lookedAt = Date.now();
    this.outdated.delete(key);
    const followed = this.followed.get(key) ?? [];
    const now = await present(uri, like);
    let { state } = now;
    if (state.kind !== 'absent') this.turns.sawFile(key, lookedAt);
    if (state.kind === 'text') await editorFollows(uri, state.text);
    const time = state.kind === 'unread' ? unreadTime(state) : await changeTime(uri.fsPath);
    const hidden = this.hidden.get(key);
    const saved = this.saved.get(key);
    const isOfUser = this.isSaved(key, state);
    const hiddenBy = hidden && hidden.writtenAt === writtenAt(time) ? hidden.found : undefined;
    const isListedBy =
      isListed && turn && !isForeign(turn, uri.fsPath) && !(time.isGone && this.isRemovedIn(turn, key));
    const listedBy = isListedBy ? { author: authorIn(turn, uri.fsPath), turn } : undefined;
    const found = isOfUser ? undefined : ((await this.authorOf(uri, time, state, turn)) ?? hiddenBy ?? listedBy);
    const isNew = found !== undefined && this.log.file(key) === undefined;
    const base = isNew
      ? (hidden?.base ?? (await baseBefore(this.changedIn(found.turn, uri), found.turn, state)))
      : undefined;
    // The user moved a file whose content is unknown.
    if (base?.state.kind === 'unread' && this.moves.hasArrived(key, time)) return;
    // A file that wasn't read has no content to compare.
    if (base?.state.kind === 'unread' && state.kind !== 'unread') state = await presentState(uri, base.state);
    if (base?.bytes && !isSameState(base.state, state)) {
      await this.bases.keep(key, base.state, base.bytes).catch(this.report);
    }
    const missed = found && !isNew ? await this.missedInFile(uri, found.turn) : undefined;
    const away = found || state.kind !== 'absent' ? undefined : await this.wentAway(key);
    if (this.isDisposed || this.writing.has(key)) return;
    // What was read is from before one of Parley's own writes, such as an undo.
    if (this.outdated.has(key)) return this.compare(uri, turn, isListed);
    // The user typed in the meantime. Another event will follow.
    if (openDocument(uri)?.isDirty === true) return;
    if (this.saved.get(key) !== saved) return void this.look(uri, turn);
    // A document has opened or followed the file, and its text was replaced, in the meantime.
    if (this.hasToTake(uri)) return this.compare(uri, turn, isListed);
    this.hidden.delete(key);
    this.forgetFollowed(key, followed);
    this.reveal(key, state, hidden?.base?.state ?? this.onDisk.get(key)?.state);
    this.onDisk.delete(key);
    if (state.kind !== 'absent') this.renames.cameBack(key, found?.author);
    this.movesOnDisk.saw(key, time.stamp);
    if (away) {
      this.takeMove(away);
      return;
    }
    if (!found) {
      this.log.userEdit(key, state);
      return;
    }
    if (state.kind === 'absent') {
      for (const folder of this.foldersFor(key)) this.leftFolders.set(folder, found);
      if (this.renames.hasMoved(key, found.author)) return;
    }
    if (this.log.file(key) === undefined) {
      if (base === undefined || isSameState(base.state, state)) return;
      if (base.state.kind === 'unread' && this.isInNewFolder(uri)) return;
      this.log.track(key, base.state, base.isGuess === true);
    } else if (missed) this.log.userEdit(key, missed);
    const earlier = this.log.file(key)?.snapshot;
    this.renamed = [];
    this.renames.agentEdit(key, state, found.author);
    const [renamed] = this.renamed.splice(0);
    const isShared = this.turns.isShared(uri.fsPath, time, found.turn);
    const edited = {
      ...(earlier ? this.editedSince(found.turn, key, earlier) : {}),
      ...(isShared ? { isEdited: true } : {}),
      ...(state === now.state ? afterOf(now) : {}),
    };
    if (renamed) {
      const [, to] = renamed;
      found.turn.written.set(to, this.log.file(to)?.snapshot.text.current ?? []);
      await this.noteMovedFolders(renamed, found.turn);
    }
    correctReportedBase(this.log, key, found.turn, uri.fsPath, state);
    // The change is in the log already, such as a write through Parley or a restore.
    if (earlier && this.log.file(key)?.snapshot === earlier) return;
    if (base?.state.kind === 'absent') await this.noteFolders(uri.fsPath, found.turn);
    // With the folder, it can be undone.
    if (this.isNewFolder(key))
      for (const file of this.filesBelow(uri)) if (this.log.file(file)?.isUnread) this.log.forget(file);
    if (base?.state.kind === 'unread' || state.kind === 'unread') {
      this.touched.fire({ turn: found.turn, uri });
      return;
    }
    const isUnknown = base !== undefined && base.isRecorded !== true && base.bytes !== undefined;
    const before = isUnknown ? { before: base.bytes } : {};
    const more = { ...(earlier ? { earlier } : {}), ...(renamed ? { renamed } : {}) };
    this.touched.fire({ turn: found.turn, uri, ...more, ...edited, ...before });
  }

  /**
   * Returns the agent that made a change, or undefined. A file that was missing when a turn began was deleted before
   * it, even if the event is late. The same is true of content that was there when a turn began.
   */
  private async authorOf(
    uri: vscode.Uri,
    time: ChangeTime,
    state: FileState,
    turn?: WatchedTurn,
  ): Promise<FoundAuthor | undefined> {
    if (!time.isGone) {
      const [first, ...more] = this.writersOf(uri, time);
      const writer = first && (await writerOf([first, ...more], state));
      return writer && foundIn(writer);
    }
    const own = turn && !isForeign(turn, uri.fsPath) ? [turn] : [];
    for (const one of [...own, ...this.turns.candidates(uri.fsPath, time)]) {
      if (this.isRemovedIn(one, uri.toString())) continue;
      const names = this.moves.namesSince(uri, one.startedAt);
      const gone = { uri, names, at: time.at, isFollowed: this.isFollowed(uri) };
      if (await mayHaveRemoved(one, gone)) return { author: authorIn(one, uri.fsPath), turn: one };
    }
    return undefined;
  }

  /** Returns the turns that may have made a change, the likeliest first. */
  private writersOf(uri: vscode.Uri, time: ChangeTime): readonly Writer[] {
    return this.turns.candidates(uri.fsPath, time).map((turn) => ({ turn, file: this.changedIn(turn, uri) }));
  }

  /** Returns true if the user removed a file in a turn, and it hasn't existed since. */
  private isRemovedIn({ startedAt, seen }: WatchedTurn, key: string): boolean {
    const at = this.moves.removedAt(key);
    return at !== undefined && at >= startedAt && (seen.get(key) ?? 0) <= at;
  }

  /** Like `missedBefore`, for a file whose unsaved text, if any, is gone. */
  private missedInFile(uri: vscode.Uri, turn: WatchedTurn): Promise<FileState | undefined> {
    const key = uri.toString();
    const side = diskSideOf(key);
    const known = () => this.log.file(side)?.current ?? this.onDisk.get(key)?.state ?? this.log.file(key)?.current;
    return this.missedBefore(uri, turn, known, () => {
      if (turn.reviewed.has(side)) return true;
      // What the user typed since then says nothing about the disk.
      const isUnderText = (this.onDisk.get(key)?.at ?? Infinity) <= turn.startedAt;
      return !isUnderText && (turn.reviewed.has(key) || turn.documents.has(key));
    });
  }

  /**
   * Returns a file on disk as it was before a turn, if that isn't what is `known` of it: nothing has reported the change. It isn't the
   * turn's. Undefined if something `isSeen` in the turn, so that what is known is newer.
   */
  private async missedBefore(
    uri: vscode.Uri,
    turn: WatchedTurn,
    known: () => FileState | undefined,
    isSeen: () => boolean,
  ): Promise<FileState | undefined> {
    if (isSeen()) return undefined;
    const { state, isRecorded } = (await recordedBase(this.changedIn(turn, uri), turn)) ?? {};
    const current = known();
    if (!state || isRecorded !== true || !current || isSeen()) return undefined;
    if (![state, current].every(({ kind }) => ['absent', 'text', 'binary', 'link'].includes(kind))) return undefined;
    const isSame =
      state.kind === 'text' && current.kind === 'text'
        ? isSameButLineBreaks(state.text, current.text)
        : isSameContent(state, current);
    // Permission bits and byte order marks aren't recorded everywhere.
    if (isSame) return undefined;
    return withoutTraits(state);
  }

  /** Notes files of an earlier window, so that they're recognized wherever the user moves them. */
  async noteStamps(files: readonly string[]): Promise<void> {
    for (const uri of files) this.movesOnDisk.saw(uri, (await changeTime(vscode.Uri.parse(uri).fsPath)).stamp);
  }

  /** Called with a file that's new and isn't an agent's. The user may have moved it here without the editor. */
  private async arrived(uri: vscode.Uri): Promise<void> {
    for (const moved of await this.movesOnDisk.came(uri)) this.takeMove(moved);
  }

  /** Called with a file that isn't there any more, and that no agent removed. */
  private async wentAway(key: string): Promise<MovedOnDisk | undefined> {
    const file = this.log.file(key);
    return file?.status === undefined ? undefined : this.movesOnDisk.went(key, file.snapshot);
  }

  private takeMove({ from, to, review }: MovedOnDisk): void {
    // Another change waits there.
    if (this.log.file(to)) return;
    if (review && this.log.file(from)?.status === undefined) this.log.putBack(from, review);
    if (!this.log.file(from)) return;
    this.userMoved(from, to);
    void this.look(vscode.Uri.parse(to));
  }

  /** Moves everything that is known of a file or folder along with it. */
  private userMoved(from: string, to: string): void {
    moveReviewed(this.log, this.bases, from, to);
    this.movesOnDisk.renamed(from, to);
    for (const places of [
      this.saved,
      this.saving,
      this.hidden,
      this.followed,
      this.onDisk,
      ...this.turns.current.flatMap(({ documents, seen, written }) => [documents, seen, written]),
    ]) {
      moveKeys<unknown>(places, from, to);
    }
    moveKeys(this.createdFolders, vscode.Uri.parse(from).fsPath, vscode.Uri.parse(to).fsPath);
  }

  /**
   * Called before reading a file that isn't in the log, because builds write gigabytes that no baseline has. Returns
   * the file's kind if it must not be read or is a folder.
   */
  private async howToRead(
    uri: vscode.Uri,
    endedTurn: WatchedTurn | undefined,
    isListed: boolean,
  ): Promise<FileState | 'not' | undefined> {
    const path = uri.fsPath;
    if (this.isInNewFolder(uri)) return 'not';
    const author = await this.bestKnowing(uri, this.turns.candidates(path, await changeTime(path)));
    const turn = author ?? endedTurn;
    if (!turn || isForeign(turn, path)) return 'not';
    if (turn.documents.has(uri.toString()) || turn.noticed.has(path) || reportedDiffs(turn, path).length > 0)
      return undefined;
    const names = this.moves.namesSince(uri, turn.startedAt);
    const { before } = await readBefore(turn, names);
    if (!before) {
      // Tool calls refer to this file. No watcher covers it. Those of another turn say nothing about a file elsewhere.
      const isOwn = author && (toolCallOf(author, path) !== undefined || isAtHome(author, path));
      // opencode and Kilo refer to folders, such as a command's.
      return isOwn && (await folderAt(path)) === 'none' ? unreadBefore('file', 'outside') : 'not';
    }
    if (before.kind === 'folder') return before;
    if (before.kind === 'absent') {
      const folder = isListed ? await folderAt(path) : 'none';
      if (folder === 'none') return undefined;
      // What is in a folder from before is listed by file. The user may have moved the folder since.
      const baseline = await turn.baseline;
      const isOld = names.some(({ fsPath }) => baseline.hadFolder(fsPath));
      if (folder === 'full' && (isOld || (await this.isListedByFile(path)))) return 'not';
      return folder === 'empty' ? { kind: 'folder' } : unreadBefore('folder', 'ignored');
    }
    if (before.kind !== 'skipped') return undefined;
    if (before.within === undefined) {
      return isListed || (await folderAt(path)) === 'none' ? unreadBefore('file', before.reason) : 'not';
    }
    if (before.within === path || isListed) return unreadBefore('folder', before.reason);
    this.lookAtFolderSoon(before.within);
    return 'not';
  }

  /** Returns whether a file is in a folder that waits for review as a whole, because nothing in it was there before. */
  private isInNewFolder(uri: vscode.Uri): boolean {
    const { root, names } = this.wayTo(uri.fsPath);
    const above = names.slice(0, -1).map((_, at) => vscode.Uri.file(join(root, ...names.slice(0, at + 1))));
    return above.some((folder) => this.isNewFolder(folder.toString()));
  }

  private isNewFolder(key: string): boolean {
    const { base, current } = this.log.file(key) ?? {};
    return base?.kind === 'absent' && current?.kind === 'unread' && current.what === 'folder';
  }

  /** Returns whether each file in a folder waits for review by itself, such as those that the user moved there. */
  private async isListedByFile(folder: string): Promise<boolean> {
    const files = await filesIn(folder, listedFiles, internalNames);
    const isListed = (path: string) => {
      const { status, base } = this.log.file(vscode.Uri.file(path).toString()) ?? {};
      return status !== undefined && base?.kind !== 'unread';
    };
    return files?.every(isListed) === true;
  }

  /** Returns the likeliest turn, or the next one if only that knows what was there before: a queued message follows at once. */
  private async bestKnowing(uri: vscode.Uri, turns: readonly WatchedTurn[]): Promise<WatchedTurn | undefined> {
    for (const turn of turns.length > 1 ? turns : []) {
      const { before } = await readBefore(turn, this.moves.namesSince(uri, turn.startedAt));
      if (before && before.kind !== 'skipped') return turn;
    }
    return turns[0];
  }

  /** A tool call may report the unknown base later, by showing its change. */
  private async forgetUnread(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const base = this.log.file(key)?.base;
    if (base?.kind !== 'unread' || base.what === 'folder') return;
    const turn = this.turns.current.findLast((one) => reportedDiffs(one, uri.fsPath).length > 0);
    if (turn && reportedBaseOf(turn, uri.fsPath, await presentState(uri))) this.log.forget(key);
  }

  /** Files of a package are reported as its folder, unless git tracks them. */
  private async lookInPackage(uri: vscode.Uri, folder: string): Promise<void> {
    const turn = this.turns.current.at(-1);
    const before = turn && (await (await turn.baseline).read(uri.fsPath));
    if (!before || before.kind === 'skipped') this.lookAtFolderSoon(folder);
    else await this.queue.run(uri.toString(), () => this.compare(uri));
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
    // A file that wasn't written since the turn began still has its content from then. A missing file has no content to
    // lose.
    const { at } = await changeTime(uri.fsPath);
    return at < turn.startedAt || now.state.kind === 'absent' ? asNow : base;
  }

  /** Records the folders that a turn created for a file. One that it moved keeps its creation time. */
  private async noteFolders(path: string, { startedAt, baseline }: WatchedTurn): Promise<void> {
    const before = await baseline;
    const { root } = this.wayTo(path);
    // The watched folder itself is the user's, however new it is.
    for (let folder = dirname(path); folder !== root && !this.createdFolders.has(folder); folder = dirname(folder)) {
      const isCreated = !before.hadFolder(folder) || (await isFolderCreatedSince(folder, startedAt - clockSlackMs));
      this.createdFolders.set(folder, isCreated);
      if (!isCreated) return;
    }
  }

  /** Notes an agent's write, and returns whether the user has changed the file since the turn's previous one. */
  private editedSince({ written }: WatchedTurn, key: string, { text }: TrackedFileData): Pick<AgentTouch, 'isEdited'> {
    const last = written.get(key);
    written.set(key, this.log.file(key)?.snapshot.text.current ?? []);
    return last && !isSameButLineBreaks(last.join(''), text.current.join('')) ? { isEdited: true } : {};
  }

  /** Records the folders that came into being by an agent's move of a whole folder, which keeps its creation time. */
  private async noteMovedFolders([, to]: Renamed, turn: WatchedTurn): Promise<void> {
    const baseline = await turn.baseline;
    for (let folder = dirname(vscode.Uri.parse(to).fsPath); !baseline.hadFolder(folder); folder = dirname(folder)) {
      this.createdFolders.set(folder, true);
    }
  }

  private changedIn({ startedAt }: WatchedTurn, uri: vscode.Uri): Changed {
    const saved = this.saved.get(uri.toString());
    const names = this.moves.namesSince(uri, startedAt);
    return { uri, names, saved: saved && saved.at >= startedAt ? saved.text : undefined };
  }

  /** Returns true if the user saved the file's current content. */
  private isSaved(key: string, present: FileState): boolean {
    const own = this.saved.get(key);
    return own !== undefined && present.kind === 'text' && isSameButLineBreaks(own.text, present.text);
  }

  /**
   * Records an agent's write under unsaved text as a change of the file's disk side. If the text is discarded, it
   * becomes a change of the file.
   */
  private async hide(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const saved = this.saved.get(key);
    const time = await changeTime(uri.fsPath);
    const hidden = this.hidden.get(key);
    if (hidden && hidden.writtenAt === writtenAt(time)) return;
    const side = diskSideOf(key);
    const known = this.log.file(side);
    if (!known && this.turns.current.length === 0) return;
    const sideUri = vscode.Uri.parse(side);
    this.outdated.delete(key);
    const lookedAt = Date.now();
    const state = await presentState(sideUri, known && likeOf(known));
    if (state.kind !== 'absent') this.turns.sawFile(key, lookedAt);
    const found = this.isOwnText(key, state) ? undefined : await this.authorOf(uri, time, state);
    if (this.writing.has(key)) return;
    // This author is of what was there before the user's latest save, or before one of Parley's own writes.
    if (this.saved.get(key) !== saved || this.outdated.has(key)) return this.hide(uri);
    if (!found) {
      this.log.userEdit(side, state);
      return;
    }
    const { turn } = found;
    const missed =
      known &&
      (await this.missedBefore(
        uri,
        turn,
        () => this.log.file(side)?.current,
        () => turn.reviewed.has(side),
      ));
    const base = hidden?.found.turn === turn ? hidden.base : await this.baseUnderText(uri, turn);
    // This base is older than the user's latest save.
    if (this.saved.get(key) !== saved) return this.hide(uri);
    if (this.isDisposed || this.writing.has(key)) return;
    if (this.outdated.has(key)) return this.hide(uri);
    this.hidden.set(key, { writtenAt: writtenAt(time), found, base });
    if (!base || isSameState(this.log.file(side)?.current ?? base.state, state)) return;
    if (base.bytes && !known) await this.bases.keep(side, base.state, base.bytes).catch(this.report);
    const seen = turn.documents.get(key) ?? base.state;
    if (base.state.kind === 'absent') await this.noteFolders(uri.fsPath, turn);
    this.log.track(side, base.state);
    if (missed) this.log.userEdit(side, missed);
    this.log.agentEdit(side, state, found.author);
    const earlier = this.log.file(key)?.snapshot ?? startData(seen, false, false);
    this.touched.fire({ turn, uri, earlier, before: base.bytes ?? null });
  }

  /** Returns a file's content on disk before a turn, while the editor has unsaved text. */
  private async baseUnderText(uri: vscode.Uri, turn: WatchedTurn): Promise<Base | undefined> {
    const key = uri.toString();
    const last = this.log.file(key) && this.onDisk.get(key);
    if (!last) return recordedBase(this.changedIn(turn, uri), turn);
    // The user may have changed the file on disk before the turn, under the unsaved text.
    const missed = await this.missedBefore(
      uri,
      turn,
      () => last.state,
      () => last.at > turn.startedAt,
    );
    return { state: missed ?? last.state };
  }

  /** Returns true if the disk has the user's own text: unsaved here no longer, or being saved. */
  private isOwnText(key: string, state: FileState): boolean {
    if (this.isSaved(key, state)) return true;
    const own = [openDocument(vscode.Uri.parse(key))?.getText(), this.saving.get(key)];
    return state.kind === 'text' && own.some((text) => text !== undefined && isSameButLineBreaks(text, state.text));
  }

  /**
   * Called when no unsaved text is left, and the file has this state. The changes and decisions of the disk side become those of the file.
   * `before` is what the disk had before an agent wrote there: if the text was discarded, going back to that was the user's decision.
   */
  private reveal(key: string, state: FileState, before: FileState | undefined): void {
    const side = diskSideOf(key);
    const file = this.log.file(side);
    const shown = this.log.file(key)?.current;
    const under = file?.base ?? before;
    if (shown && under && under.kind !== 'unread' && !isSameText(shown, state)) {
      this.log.userEdit(key, withoutTraits(under));
    }
    if (!file) return;
    const { snapshot, current, status } = file;
    const author = this.log.counts(side).authors.findLast((one) => one.kind === 'agent');
    this.log.forget(side);
    if (this.log.file(key)) {
      if (status !== undefined && author) this.log.agentEdit(key, current, author);
    } else {
      // Also without a change: what an undo wrote here isn't the agent's.
      this.bases.rename(side, key);
      this.log.putBack(key, snapshot);
    }
  }

  /** Records the agents' texts that a document showed before the user typed, and what the user saved, whatever is on disk by now. */
  private async takeFollowed(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const all = this.followed.get(key);
    const [first] = all ?? [];
    const last = all?.at(-1);
    if (!all || !first || !last || !this.hasToTake(uri)) return;
    const isShown = this.isShown(uri, last);
    const writers = await Promise.all(all.map((one) => writerOf(one.writers, textState(one.text))));
    const { turn, file } = writers[0] ?? first.writers[0];
    const base = await baseBefore(file, turn, textState(first.text));
    if (base.state.kind === 'absent') await this.noteFolders(uri.fsPath, turn);
    const texts = isShown ? all.slice(0, -1) : all;
    // By now, the disk may have what the user saved.
    const written = await Promise.all(
      texts.map(async ({ text, mode }) => refOf(await encodeAsEditor(uri, text, base.bytes ?? undefined), mode)),
    );
    if (this.followed.get(key) !== all) return this.takeFollowed(uri);
    this.forgetFollowed(key, texts);
    if (this.log.file(key) === undefined) {
      // Most likely, the user made a new file. Nothing of an agent is in it.
      if (base.state.kind === 'absent' && texts.every(({ text }) => text === '')) return;
      if (base.state.kind === 'unread' || isSameContent(base.state, textState(first.text))) return;
      if (base.bytes) await this.bases.keep(key, base.state, base.bytes).catch(this.report);
      this.log.track(key, base.state, base.isGuess === true);
    }
    let { saved } = first;
    const save = (now: Saved | undefined) => {
      if (now && now !== saved) this.log.userEdit(key, textState(now.text));
      saved = now;
    };
    for (const [at, one] of texts.entries()) {
      save(one.saved);
      const found = foundIn(writers[at] ?? one.writers[0]);
      this.takeText(uri, one.text, found, {
        after: written[at],
        ...(at === 0 && base.bytes ? { before: base.bytes } : {}),
      });
    }
    // An agent may have replaced or removed it since.
    save(isShown ? last.saved : this.saved.get(key));
  }

  /**
   * Returns whether a document showed an agent's text that isn't recorded and that reading the file doesn't tell. If the document still shows
   * it, reading the file is more exact. It may also be the user's first keystroke.
   */
  private hasToTake(uri: vscode.Uri): boolean {
    const all = this.followed.get(uri.toString()) ?? [];
    const last = all.at(-1);
    return last !== undefined && !(this.isShown(uri, last) && all[0]?.saved === last.saved);
  }

  private isShown(uri: vscode.Uri, { text }: Followed): boolean {
    const document = openDocument(uri);
    return document?.isDirty === false && isSameButLineBreaks(document.getText(), text);
  }

  /** What a document has followed since its file was read is still to be looked at. */
  private forgetFollowed(key: string, read: readonly Followed[]): void {
    const left = this.followed.get(key)?.filter((one) => !read.includes(one)) ?? [];
    if (left.length > 0) this.followed.set(key, left);
    else this.followed.delete(key);
  }

  private takeText(
    uri: vscode.Uri,
    text: string,
    { turn, author }: FoundAuthor,
    { after, before }: { readonly after: FileRef | undefined; readonly before?: Uint8Array },
  ): void {
    const key = uri.toString();
    const earlier = this.log.file(key)?.snapshot;
    this.log.agentEdit(key, textState(text), author);
    if (!earlier || this.log.file(key)?.snapshot === earlier) return;
    const edited = this.editedSince(turn, key, earlier);
    this.touched.fire({ turn, uri, earlier, ...edited, ...compact({ after, before }) });
  }

  /** An editor that opens after an agent's write has the agent's text from the start. */
  private documentOpened(document: vscode.TextDocument): void {
    const uri = reviewedUri(document);
    if (uri.scheme !== 'file' || document.isDirty || this.writing.has(uri.toString())) return;
    if (this.follow(document)) void this.look(uri);
  }

  private documentChanged({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const uri = reviewedUri(document);
    const key = uri.toString();
    if (uri.scheme !== 'file' || this.writing.has(key)) return;
    // When unsaved text is discarded, the document changes first. A second event without changes reports that it's no
    // longer dirty.
    if ((this.hidden.has(key) || this.log.file(diskSideOf(key))) && !document.isDirty) void this.look(uri);
    if (contentChanges.length === 0) {
      // The change before was the user's first keystroke.
      const followed = this.followed.get(key);
      if (document.isDirty && followed?.at(-1)?.version === document.version) {
        this.followed.set(key, followed.slice(0, -1));
      }
      return;
    }
    // A clean document that changes either follows its file or is reported as dirty a moment later. Reading the file
    // shows which.
    if (!document.isDirty && reason === undefined) {
      // The unsaved text is gone, and nothing is based on it.
      for (const { documents } of this.turns.current) documents.delete(key);
      this.follow(document);
      void this.look(uri);
    } else this.typed(document, contentChanges);
  }

  /**
   * Notes the text that a clean document shows, and whose write it is, because the user may type at any moment. Returns whether it's an
   * agent's.
   */
  private follow(document: vscode.TextDocument): boolean {
    const { version } = document;
    const uri = reviewedUri(document);
    const key = uri.toString();
    const time = this.turns.current.length === 0 ? undefined : changeTimeNow(uri.fsPath);
    const isMoved = time && (this.moves.isArriving(key) || this.moves.hasArrived(key, time));
    const [first, ...more] = time && isMoved !== true ? this.writersOf(uri, time) : [];
    if (!first) return false;
    const text = document.getText();
    const one: Followed = { text, version, writers: [first, ...more], mode: time?.mode, saved: this.saved.get(key) };
    this.followed.set(key, [...(this.followed.get(key) ?? []).slice(-2), one]);
    return true;
  }

  private documentSaved(document: vscode.TextDocument): void {
    const uri = reviewedUri(document);
    const key = uri.toString();
    this.saving.delete(key);
    if (uri.scheme !== 'file') return;
    // The disk has the text now, also if one of Parley's own writes saved it.
    this.onDisk.delete(key);
    this.log.forget(diskSideOf(key));
    const wasHidden = this.hidden.delete(key);
    if (this.writing.has(key)) return;
    // An agent may remove it before it's looked at.
    this.turns.sawFile(key, Date.now());
    if (this.turns.current.length === 0) this.saved.clear();
    else this.saved.set(key, { text: document.getText(), at: Date.now() });
    // The write is no longer hidden. It may also have been the user's own text, seen on disk before this event.
    if (wasHidden) void this.look(uri);
  }

  private async notebookSaved(uri: vscode.Uri): Promise<void> {
    if (uri.scheme !== 'file' || this.writing.has(uri.toString()) || this.turns.current.length === 0) return;
    const state = await presentState(uri);
    if (state.kind === 'text') this.saved.set(uri.toString(), { text: state.text, at: Date.now() });
  }

  /** Records unsaved text as the user's, whatever was written to disk in the meantime. */
  private typed(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[] = []): void {
    const uri = reviewedUri(document);
    const key = uri.toString();
    // The agent's text that was shown before comes first.
    if (this.followed.get(key)?.length) return void this.look(uri);
    const state = { kind: 'text', text: document.getText() } as const;
    const file = this.log.file(key);
    if (file) {
      if (!this.onDisk.has(key)) this.onDisk.set(key, { state: file.current, at: Date.now() });
      const [change] = changes.length === 1 ? changes : [];
      const lines = change && keystroke(file.snapshot.text.current, change, state.text);
      if (lines) this.log.userChange(key, [lines]);
      else this.log.userEdit(key, state);
    } else for (const turn of this.turns.current) turn.documents.set(key, state);
  }
}

/** Returns what a checkpoint stores of a file after a write. */
function afterOf({ state, bytes }: Present): Pick<AgentTouch, 'after'> {
  if (state.kind === 'absent' || state.kind === 'link') return { after: state };
  const isFile = (state.kind === 'text' || state.kind === 'binary') && bytes !== undefined;
  return isFile ? { after: refOf(bytes, state.mode) } : {};
}

/** Returns the likeliest turn that had something else before: a queued message follows at once, and finds what an earlier turn wrote. */
async function writerOf(writers: readonly [Writer, ...Writer[]], state: FileState): Promise<Writer> {
  const [first] = writers;
  let unknown: Writer | undefined;
  for (const one of writers.length > 1 ? writers : []) {
    const base = await recordedBase(one.file, one.turn);
    if (base && !isSameContent(base.state, state)) return one;
    // An earlier turn may know what was there before.
    if (!base) unknown ??= one;
  }
  return unknown ?? first;
}

function foundIn({ turn, file }: Writer): FoundAuthor {
  return { author: authorIn(turn, file.uri.fsPath), turn };
}

/** A folder's stamp is its newest change. A file has its own time. */
function unreadTime({ what, stamp }: UnreadState): ChangeTime {
  const [, , at] = stamp.split(' ');
  return { at: Number(what === 'folder' ? stamp : at), isGone: false, stamp };
}

function textState(text: string): FileState {
  return { kind: 'text', text };
}

function isSameText(a: FileState, b: FileState): boolean {
  return a.kind === 'text' && b.kind === 'text' && isSameButLineBreaks(a.text, b.text);
}

/** Returns a content without permission bits and a byte order mark, which aren't recorded everywhere. */
function withoutTraits(state: FileState): FileState {
  return state.kind === 'text' ? { kind: 'text', text: state.text } : state;
}

function writtenAt({ at, isGone }: ChangeTime): number | undefined {
  return isGone ? undefined : at;
}

/** Moves the values of a file, or of everything in a folder, to its new place. */
function moveKeys<T>(places: Map<string, T>, from: string, to: string): void {
  for (const [key, value] of [...places].filter(([key]) => covers(from, key))) {
    places.delete(key);
    places.set(to + key.slice(from.length), value);
  }
}

/** Counts an action under its key until the returned function is called, once. */
function count(running: Map<string, number>, key: string): () => void {
  running.set(key, (running.get(key) ?? 0) + 1);
  return () => {
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
  };
}
