import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { defaultLimits, type Unprotected } from '../../baseline/baseline';
import { BlobStore } from '../../baseline/blobStore';
import { Recorder } from '../../baseline/recorder';
import type { WorkspaceBaseline } from '../../baseline/workspaceBaseline';
import { fileOfSide } from '../../review/files/diskSide';
import { ReviewLog } from '../../review/log/reviewLog';
import type { ClientContext } from '../../session/services';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { Act } from '../base/actions';
import { tellUndone } from './deciding/tellUndone';
import type { StoragePlace } from '../storage/storageTroubles';
import { AgentChanges } from './editor/agentChanges';
import { BaseBytes } from './stored/baseBytes';
import { BaseContent } from './shown/baseContent';
import { catchUp } from './stored/catchUp';
import { fileRoots, fileRootsAround, fileRootsWith } from '../base/folders';
import type { WorkPart } from '../base/agentWork';
import { Coalesced } from '../base/coalesce';
import { presentState } from '../workspaceFiles/presentState';
import { DiffLines } from './shown/diffLines';
import { DiskChanges, type AgentTouch, type MergeStart } from './recording/diskChanges';
import { NamedFiles } from './recording/namedFiles';
import { ReviewNotebooks } from './notebooks/reviewNotebooks';
import { RemovedFiles } from '../workspaceFiles/removedFiles';
import { noteReviewed } from './deciding/noteReviewed';
import { RecordingGaps } from './stored/recordingGaps';
import { CommentThreads } from './comments/commentThreads';
import { DraftComments } from './comments/draftComments';
import { ReviewCommands } from './reviewCommands';
import { ReviewComments } from './comments/reviewComments';
import { ReviewDecorations } from './editor/reviewDecorations';
import { ReviewHover } from './editor/reviewHover';
import { ReviewInFront } from './editor/reviewInFront';
import { ReviewLenses } from './editor/reviewLenses';
import { RedoOffers } from './deciding/redoOffers';
import { RemarkPlaces } from './comments/remarkPlaces';
import { ReviewPosition } from './editor/reviewPosition';
import { ReviewStore } from './stored/reviewStore';
import type { UndoneStore } from './stored/undoneStore';
import { ReviewWalk } from './editor/reviewWalk';
import { withProgress } from '../ui/notifications';
import { authorIn, turnOf, WatchedTurns, type WatchedTurn } from './recording/watchedTurns';

/** Folders that package managers and interpreters generate. Excluded from baselines even if git doesn't ignore them. */
const packages = new Set(['node_modules', '.venv', '__pycache__']);
/** Folders that usually have generated files, but may have source files. */
const generatedFolders = new Set(['target', 'dist', 'out', 'build']);

function watcherExclude(): string[] {
  const globs = vscode.workspace.getConfiguration('files').get<Record<string, boolean>>('watcherExclude', {});
  return Object.keys(globs).filter((glob) => globs[glob] === true);
}

/** Options of a review. Each has a default. */
export interface ReviewOptions {
  /** Maximum time a prompt waits for the baseline, and Undo All for the list before it says so, in milliseconds. */
  readonly patienceMs?: number;
  /** What other features do about changes. */
  readonly act: ReviewAct;
  /** Whether the editor goes to the next change after a decision. */
  readonly revealsNext?: () => boolean;
}

/**
 * Maximum time a prompt waits for the baseline, in milliseconds. Usually, it takes a tenth. On a slow disk, complete
 * baselines matter more than a second. After this time, no agent writes before its model responds.
 */
const baselinePatienceMs = 3000;

/** Maximum time that something Parley does for an agent waits for it. After this time, the gap is only said. */
const workPatienceMs = 30_000;

type ReviewAct = Act<'newSession' | 'openReview' | 'reviewWithAgent'>;

/**
 * Connects all parts of the review: detects agents' changes, shows them in the editor, and lets the user keep or undo
 * them.
 */
export class Review extends Disposable implements WorkPart {
  readonly log = new ReviewLog();
  private readonly touched = this.register(new Emitter<AgentTouch>());
  /** File contents by hash. Contents that `recorder` refers to must not be removed. */
  readonly contents: BlobStore;
  readonly recorder: Recorder;
  readonly turns: WatchedTurns;
  /** Undo writes through this, so that its writes aren't attributed to anyone. */
  readonly disk: DiskChanges;
  /** What was undone at once. */
  readonly redo: RedoOffers;
  /** What users do with changes. */
  readonly commands: ReviewCommands['all'];
  private readonly memory: ReviewStore;
  private readonly place: StoragePlace;
  private undoneStore: UndoneStore | undefined;
  private readonly takeNow: (roots: readonly string[]) => Promise<WorkspaceBaseline>;
  private readonly exposure = this.register(new Emitter<void>());
  private exposed: readonly Unprotected[] | undefined;
  private isWarm = false;
  /** Resolves once the log has the changes from earlier windows. */
  private readonly loaded: Promise<void>;
  private readonly report: (error: unknown) => void;
  private readonly patienceMs: number;

  /** The turns whose first changes may be missing. */
  readonly gaps = this.register(new RecordingGaps());

  readonly comments: ReviewComments;

  /** What other features do about changes. */
  readonly act: ReviewAct;

  /** What the user wrote about changes. */
  readonly drafts: DraftComments;

  /** Goes to the next change after a decision. */
  readonly walk: ReviewWalk;

  /** Fires after an agent changed a file and the log was updated. */
  readonly onDidTouch = this.touched.event;

  /** Fires when the files before a turn were recorded. */
  readonly onDidChangeUnprotected = this.exposure.event;

  /** `place` is where contents and pending changes are stored. `report` receives background errors. */
  constructor(
    pool: AgentPool,
    place: StoragePlace,
    report: (error: unknown) => void,
    { patienceMs = baselinePatienceMs, revealsNext = () => true, act }: ReviewOptions,
  ) {
    super();
    this.report = report;
    this.patienceMs = patienceMs;
    this.act = act;
    this.place = place;
    const { storage, windows } = place;
    this.register(this.log);
    this.contents = new BlobStore(join(storage, 'contents'));
    const recorder = new Recorder(this.contents, defaultLimits, () => Date.now());
    this.recorder = recorder;
    // Loaded with the first session. A turn waits for its baseline, so nothing is missed.
    const take = async (folders: readonly string[]) => {
      const { WorkspaceBaseline } = await import('../../baseline/workspaceBaseline');
      const ignored = { names: packages, generated: generatedFolders, globs: watcherExclude() };
      return WorkspaceBaseline.take(folders, recorder, ignored, defaultLimits);
    };
    this.takeNow = async (roots) => {
      const baseline = await take(roots).catch((error: unknown) => {
        report(error);
        return take([]);
      });
      const { whole } = baseline;
      void whole.then(() => this.setUnprotected(baseline.unprotected), report);
      return baseline;
    };
    const takeBaseline = ({ transcript }: Session) => {
      const roots = fileRootsWith(transcript.view.cwd);
      this.disk.watch(roots);
      return this.takeNow(roots);
    };
    // The first turn finds what was read here.
    this.register(pool.onDidChangeSessions(() => void this.warm(pool).catch(report)));
    this.turns = this.register(
      new WatchedTurns(pool, takeBaseline, (turn, paths) => this.lookAfter(turn, paths).catch(report)),
    );
    const removed = new RemovedFiles(join(storage, 'removed'));
    const bases = new BaseBytes(this.contents, storage, windows);
    this.disk = this.register(new DiskChanges(this.log, this.turns, bases, removed, report));
    this.register(tellUndone(pool, this.log, this.disk.undone));
    this.redo = this.register(new RedoOffers(this.log, this.disk));
    this.register(new NamedFiles(this.turns, this.disk, report));
    this.register(this.disk.onDidTouch((touch) => this.touched.fire(touch)));
    this.register(new BaseContent(this.log));
    this.register(
      new DiffLines(pool, {
        present: (path) => presentState(vscode.Uri.file(path)),
        base: (path) => this.log.file(vscode.Uri.file(path).toString())?.base,
      }),
    );
    this.register(new AgentChanges(this.log));
    this.register(new ReviewLenses(this.log));
    this.register(new ReviewDecorations(this.log));
    this.register(new ReviewInFront());
    this.register(new ReviewPosition(this.log));
    this.register(new ReviewNotebooks(this.log));
    this.register(new ReviewHover(this.log, pool));
    this.drafts = this.register(new DraftComments(this.log, place));
    this.register(new RemarkPlaces(this.drafts, this.log, report));
    this.comments = this.register(new ReviewComments(this.log, pool, this.drafts, act));
    const threads = new CommentThreads(this.drafts, (...edit) => this.comments.saveEdit(...edit));
    this.register(threads);
    this.walk = new ReviewWalk(this.log, revealsNext);
    this.commands = new ReviewCommands({
      log: this.log,
      disk: this.disk,
      redo: this.redo,
      walk: this.walk,
      comments: this.comments,
      drafts: this.drafts,
      threads,
      settled: () => this.settled(),
    }).all;
    const setContext = this.register(
      new Coalesced(() => {
        const { pending } = this.log;
        void vscode.commands.executeCommand('setContext', 'parley.hasChanges', pending.length > 0);
        // Compare as URIs, not as text, because this window may use other addresses for the same files.
        const uris = pending.map((uri) => vscode.Uri.parse(uri));
        void vscode.commands.executeCommand('setContext', 'parley.changedFiles', uris);
      }),
    );
    this.register(this.log.onDidChange(() => setContext.request()));
    const reviewed = this.log.onDidChange(() => {
      if (this.log.marks.keeps.length === 0) return;
      noteReviewed();
      reviewed.dispose();
    });
    this.register(reviewed);
    const running = () => this.turns.current.map((turn) => ({ author: authorIn(turn), startedAt: turn.startedAt }));
    this.memory = this.register(new ReviewStore(this.log, running, place, this.disk));
    this.register(this.turns.onDidChange(() => this.memory.turnsChanged()));
    this.loaded = this.loadPending().catch(report);
    // Pending changes of a closed window are shown in this one.
    this.register(windows.onDidLeave(() => void this.loaded.then(() => this.loadPending()).catch(report)));
  }

  /** Files and folders that the latest turn's baseline doesn't have. */
  get unprotected(): readonly Unprotected[] {
    return this.exposed ?? [];
  }

  /** Resolves to what isn't recorded before turns, also if there was no turn yet. */
  async findUnprotected(): Promise<readonly Unprotected[]> {
    if (this.exposed === undefined) await this.warmNow();
    return this.unprotected;
  }

  /** Writes all pending changes to disk synchronously. */
  flushNow(): void {
    this.memory.flushNow();
    this.undoneStore?.flushNow();
    void this.drafts.flushNow();
    void this.disk.bases.flush().catch(() => undefined);
  }

  /** Resolves once all pending changes are on disk. */
  async flush(): Promise<void> {
    await Promise.all([this.memory.flush(), this.undoneStore?.flush(), this.drafts.flush(), this.disk.bases.flush()]);
  }

  private setUnprotected(all: readonly Unprotected[]): void {
    this.exposed = all;
    this.exposure.fire();
  }

  /** Records the files once before the first turn, because the first time takes longest. */
  private async warm(pool: AgentPool): Promise<void> {
    if (this.isWarm || !pool.sessions.some(({ isElsewhere }) => !isElsewhere)) return;
    await this.warmNow();
  }

  private async warmNow(): Promise<void> {
    this.isWarm = true;
    const baseline = await this.takeNow(fileRoots());
    await baseline.whole;
    baseline.dispose();
  }

  /** Reads everything that a turn may have changed. `named` are the paths in its tool calls. */
  private async lookAfter(turn: WatchedTurn, named: readonly string[]): Promise<void> {
    await this.disk.lookAt(named, turn);
    const changed = await (await turn.baseline).changed();
    await this.disk.lookAt([...changed, ...this.disk.movedIn(turn, changed)], turn, true);
    await this.disk.lookAt([...(turn.late ?? [])], turn, true);
    // A file that the turn created or renamed and has removed since is as missing as it was in the baseline.
    const seen = new Set([...named, ...changed]);
    const followed = this.log.uris.map((uri) => vscode.Uri.parse(fileOfSide(uri)).fsPath);
    await this.disk.lookAt(
      followed.filter((path) => !seen.has(path)),
      turn,
    );
    await this.disk.lookAtLeftFolders(turn);
  }

  private async loadPending(): Promise<void> {
    const isFresh = this.log.marks.nextKeep === 1;
    const { files, turns, windows } = await this.memory.load();
    await this.loadUndone(isFresh && windows <= 1);
    await this.disk.bases.load((uri) => this.log.file(uri) !== undefined);
    if (files.length > 0) {
      this.disk.watch(files.flatMap((uri) => fileRootsAround(vscode.Uri.parse(fileOfSide(uri)).fsPath)));
      await catchUp(this.log, files, turns);
      await this.disk.noteStamps(files);
    }
    await this.drafts.load();
  }

  private async loadUndone(hasSameKeeps: boolean): Promise<void> {
    const { UndoneStore } = await import('./stored/undoneStore');
    if (this.isDisposed) return;
    this.undoneStore ??= this.register(new UndoneStore(this.disk.undone, this.redo, this.place));
    await this.undoneStore.load(hasSameKeeps);
  }

  /** See `DiskChanges.settled`. Says what it waits for if that takes long. Resolves to false if the user cancels it. */
  async settled(): Promise<boolean> {
    const settled = this.disk.settled();
    if (await settledWithin(settled, this.patienceMs)) return true;
    const title = l10n.t('Listing all changes before they’re undone');
    return withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, token) => {
      const canceled = new Promise<boolean>((resolve) => token.onCancellationRequested(() => resolve(false)));
      return Promise.race([settled.then(() => true), canceled]);
    });
  }

  /** Resolves once the file contents before a new turn are recorded. Doesn't wait for large workspaces. */
  async beforeTurn(session: SessionKey): Promise<void> {
    await this.loaded;
    const turn = this.turns.of(session);
    this.gaps.set(session, undefined);
    this.redo.forget(session);
    if (!turn) return;
    // Until then, a new change of a file would hide the earlier turn's.
    const earlier = settledWithin(this.turns.settled(session), this.patienceMs);
    turn.isBaselineWhole = await settledWithin(turn.baseline, this.patienceMs);
    await earlier;
    if (turn.isBaselineWhole) return;
    // From here on, the agent may write what isn't recorded yet.
    turn.promptedAt = Date.now();
    void this.noteGap(session, turn);
  }

  /**
   * Resolves once the files before a session's running turn are recorded. What Parley does for an agent waits for it: a
   * write, a command, and the answer that allows a request.
   */
  async beforeWork(session: SessionKey): Promise<void> {
    const turn = this.turns.of(session);
    if (turn) await settledWithin(turn.baseline, workPatienceMs);
  }

  /** Says from when on a turn's changes are known, and lists the files that changed before they were recorded. */
  private async noteGap(session: SessionKey, turn: WatchedTurn): Promise<void> {
    await turn.baseline;
    if (this.turns.of(session) === turn) this.gaps.set(session, Date.now());
    await this.disk.lookAt([...(turn.late ?? [])], turn, true).catch(this.report);
  }

  async writing(context: ClientContext, uri: vscode.Uri, write: () => Promise<void>): Promise<void> {
    await this.loaded;
    await this.beforeWork(context.session);
    const turn = this.turns.of(context.session);
    const { agentName, session } = context;
    const author = () =>
      turn ? authorIn(turn, uri.fsPath) : ({ kind: 'agent', agentName, session, turn: 0 } as const);
    await this.disk.agentWrite(await behindLinks(uri), turn, author, write);
  }

  /** Performs an agent's write of several files at once, each of which waits for review. */
  async writingAll(context: ClientContext, paths: readonly string[], write: () => Promise<void>): Promise<void> {
    // Always in the same order, because each file is locked until all are written.
    const [path, ...others] = [...new Set(paths)].sort();
    if (path === undefined) return write();
    await this.writing(context, vscode.Uri.file(path), () => this.writingAll(context, others, write));
  }

  /**
   * Called before the user merges an agent's version with a file in the editor. The returned function records the file once it's saved:
   * lines of the agent's version, `theirs`, are the agent's change, and the rest is the user's. `start` is the file from before the merge, if
   * that was before this window.
   */
  merging(session: Session, uri: vscode.Uri, theirs: Uint8Array, start?: MergeStart): () => Promise<void> {
    this.disk.watch(fileRootsAround(uri.fsPath));
    const { agentName } = session.transcript.view;
    const author = { kind: 'agent', agentName, session: session.key, turn: turnOf(session) } as const;
    return this.disk.merging(uri, author, theirs, start);
  }

  /** Writes an agent's code to a file for the user. The change waits for review like the agent's own. */
  async applying(session: Session, uri: vscode.Uri, write: () => Promise<void>): Promise<void> {
    await this.loaded;
    // From here on, the log follows what the user changes in the file.
    this.disk.watch(fileRootsAround(uri.fsPath));
    const { agentName } = session.transcript.view;
    const author = { kind: 'agent', agentName, session: session.key, turn: turnOf(session) } as const;
    await this.disk.agentWrite(await behindLinks(uri), this.turns.of(session.key), () => author, write);
  }
}

/** Resolves to whether a promise has settled within a time, as soon as one of both is so. */
async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isSettled = await Promise.race([promise.then(() => true), patience]);
  clearTimeout(timer);
  return isSettled;
}

/** Returns the file that a link leads to, because a write through a link changes that file. */
async function behindLinks(uri: vscode.Uri): Promise<vscode.Uri> {
  const isLink = await lstat(uri.fsPath).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
  const real = isLink ? await realpath(uri.fsPath).catch(() => undefined) : undefined;
  return real === undefined ? uri : vscode.Uri.file(real);
}
