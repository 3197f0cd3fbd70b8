import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { FileBefore } from '../../../baseline/baseline';
import type { WorkspaceBaseline } from '../../../baseline/workspaceBaseline';
import type { AgentAuthor } from '../../../review/hunks/hunk';
import type { FileState } from '../../../review/files/fileState';
import type { Session } from '../../../session/session';
import { Disposable, type IDisposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import { lateWorkOf } from '../../../shared/transcript/lateWork';
import type { TranscriptOp } from '../../../shared/transcript/ops';
import { worktreeOf } from '../../../worktree/made/worktreeOf';
import { clockSlackMs, unchangedSince, type ChangeTime } from '../moves/noticed';
import { reviewedUri } from '../../workspaceFiles/openDocument';
import { namedPaths, openPathsOf, toolCallOf } from './toolCallFiles';

/**
 * Changes on disk are reported with a delay. For this long after a turn, they may still be its own. In milliseconds.
 */
const graceMs = 2000;
/** Maximum number of open documents whose files are remembered at the start of a turn. */
const noticedDocuments = 50;

/**
 * A running or recently ended turn, and the file contents before it. A turn is running until everything that it started has
 * ended, even if the agent has answered.
 */
export interface WatchedTurn {
  readonly session: Session;
  readonly turn: number;
  readonly startedAt: number;
  endedAt: number | undefined;
  /**
   * Settles once everything the turn changed up to the agent's answer was read, or up to its end once it has ended.
   * Absent until the agent has answered.
   */
  looked?: Promise<void>;
  /**
   * True once the turn has ended and `looked` has settled. A change that is reported later, and isn't known to be older, came after the turn.
   */
  hasLooked?: boolean;
  readonly baseline: Promise<WorkspaceBaseline>;
  /** True if the baseline was complete before the agent started, so that files not in it didn't exist. */
  isBaselineWhole?: boolean;
  /** When the agent began although the baseline wasn't complete. */
  promptedAt?: number;
  /** Files that had changed since then when they were recorded, so what is recorded may be the agent's. By path. */
  late?: ReadonlySet<string>;
  /** Open documents when the turn began, with the user's later edits, by URI. */
  readonly documents: Map<string, FileState>;
  /**
   * The earlier contents of files that the baseline may not have: those open in the editor and those in early tool
   * calls. By path.
   */
  readonly noticed: Map<string, FileBefore>;
  /**
   * When files were last seen to exist since the turn began, by URI, in milliseconds since the epoch. The baseline has
   * the others.
   */
  readonly seen: Map<string, number>;
  /** Files whose review has changed since the turn began, by URI. */
  readonly reviewed: Set<string>;
  /** The lines of files after the turn's last write to them, by URI. */
  readonly written: Map<string, readonly string[]>;
}

/** The author of a change and its turn. */
export interface FoundAuthor {
  readonly author: AgentAuthor;
  readonly turn: WatchedTurn;
}

/** A file in a tool call. `isOver` is true once the call has ended. */
export interface NamedFile {
  readonly turn: WatchedTurn;
  /** Absolute. */
  readonly path: string;
  readonly isOver: boolean;
}

/** Tracks which agents are running, so that each file change can be attributed. Takes the baseline of each turn. */
export class WatchedTurns extends Disposable {
  private readonly takeBaseline: (session: Session) => Promise<WorkspaceBaseline>;
  private readonly onEnd: (turn: WatchedTurn, files: readonly string[]) => Promise<void>;
  /** The turns, each with the subscription to its tool calls. */
  private readonly all = new Map<WatchedTurn, IDisposable>();
  private readonly names = this.register(new Emitter<NamedFile>());
  private readonly changed = this.register(new Emitter<void>());

  /** Fires when a turn began, or can no longer cause changes. */
  readonly onDidChange = this.changed.event;

  /** Fires when a tool call reports a file for the first time, or with more detail. */
  readonly onDidName = this.names.event;

  /**
   * `onEnd` is called with an ended turn and the absolute paths from its tool calls. Until it resolves, late changes
   * may belong to the turn. If the turn continues after the agent's answer, it's called then as well. It must not
   * reject.
   */
  constructor(
    pool: AgentPool,
    takeBaseline: (session: Session) => Promise<WorkspaceBaseline>,
    onEnd: (turn: WatchedTurn, files: readonly string[]) => Promise<void>,
  ) {
    super();
    this.takeBaseline = takeBaseline;
    this.onEnd = onEnd;
    this.register(pool.onDidChangeSessions(() => this.follow(pool.sessions)));
    this.register({ dispose: () => this.current.forEach((turn) => this.drop(turn)) });
    this.follow(pool.sessions);
  }

  /** The turns that may have made a change now. */
  get current(): readonly WatchedTurn[] {
    return [...this.all.keys()];
  }

  /**
   * Returns all turns that may have made a change, the likeliest first: those that were running at the time, and, among several, those whose
   * tool calls refer to the file. The time of a deletion is imprecise. Until the files were read again after a turn, it may belong to that
   * turn.
   */
  candidates(path: string, { at, isGone }: ChangeTime): WatchedTurn[] {
    const possible = this.current.filter((turn) => !isForeign(turn, path));
    const inTime = possible.filter(({ startedAt, endedAt = Infinity, hasLooked }) => {
      const isInTime = at <= endedAt + clockSlackMs;
      return isGone ? isInTime || hasLooked !== true : isInTime && at >= startedAt - clockSlackMs;
    });
    const named = inTime
      .map((turn) => ({ turn, call: toolCallOf(turn, path) }))
      .filter(({ call }) => call !== undefined)
      .sort((a, b) => (b.call?.startedAt ?? 0) - (a.call?.startedAt ?? 0))
      .map(({ turn }) => turn);
    const latest = inTime.toReversed();
    const atHome = latest.filter((turn) => isAtHome(turn, path));
    const running = latest.filter(({ endedAt }) => endedAt === undefined);
    // Changes are reported with a delay, so a turn that has ended at home comes before one that runs elsewhere.
    const atHomeNow = atHome.filter((turn) => running.includes(turn));
    return [...new Set([...named, ...atHomeNow, ...atHome, ...running, ...latest])];
  }

  /** Returns true if a change of a turn may just as well be another session's, because its calls refer to the file, too. */
  isShared(path: string, time: ChangeTime, { session }: WatchedTurn): boolean {
    return this.candidates(path, time).some((turn) => turn.session !== session && toolCallOf(turn, path) !== undefined);
  }

  /** Records that a file, by its URI, existed at `at` (milliseconds). Turns that began later ignore this. */
  sawFile(uri: string, at: number): void {
    for (const { seen, startedAt } of this.current) if (at >= startedAt) seen.set(uri, at);
  }

  /** Returns the latest turn of a session that is running or has recently ended. */
  of(session: SessionKey): WatchedTurn | undefined {
    const turns = this.current.filter((turn) => turn.session.key === session);
    return turns.findLast(({ endedAt }) => endedAt === undefined) ?? turns.at(-1);
  }

  /** Resolves once all changes by a session's ended turns are known. */
  async settled(session: SessionKey): Promise<void> {
    await Promise.all(
      this.current.filter((turn) => turn.session.key === session).flatMap(({ looked }) => looked ?? []),
    );
  }

  private follow(sessions: readonly Session[]): void {
    for (const session of sessions) this.look(session);
    // A closed session leaves the pool before it is disposed of, and its commands may still be ending.
    for (const turn of this.current) {
      if (turn.endedAt === undefined && !sessions.includes(turn.session)) this.end(turn);
    }
  }

  private look(session: Session): void {
    // What an agent on another machine changes there says nothing about the files here.
    if (session.isElsewhere) return;
    const { view } = session.transcript;
    // By number, with the time since which they may change files.
    const atWork = new Map<number, number>();
    for (const { turn, since } of lateWorkOf(view)) atWork.set(turn, Math.min(since, atWork.get(turn) ?? since));
    const answered = new Set(atWork.keys());
    if (view.activity.state !== 'idle') {
      const number = turnOf(session);
      atWork.set(number, view.activity.since);
      answered.delete(number);
    }
    for (const turn of this.current) {
      if (turn.session !== session || turn.endedAt !== undefined) continue;
      if (!atWork.delete(turn.turn)) this.end(turn);
      // Whatever continues, the user sees what the agent changed up to its answer.
      else if (answered.has(turn.turn)) turn.looked ??= this.onEnd(turn, namedPaths(turn));
    }
    for (const [number, since] of atWork) this.begin(session, number, answered.has(number) ? Date.now() : since);
  }

  private begin(session: Session, number: number, startedAt: number): void {
    const documents = new Map<string, FileState>();
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === 'file' && document.isDirty) {
        documents.set(reviewedUri(document).toString(), { kind: 'text', text: document.getText() });
      }
    }
    const noticed = new Map<string, FileBefore>();
    // The prompt waits for both.
    const baseline = Promise.all([this.takeBaseline(session), noticeOpen(noticed, startedAt)]).then(([taken]) => {
      if (turn.promptedAt !== undefined) turn.late = new Set(taken.changedSince(turn.promptedAt - clockSlackMs));
      return taken;
    });
    const turn: WatchedTurn = {
      session,
      turn: number,
      startedAt,
      endedAt: undefined,
      baseline,
      documents,
      noticed,
      seen: new Map<string, number>(),
      reviewed: new Set<string>(),
      written: new Map<string, readonly string[]>(),
    };
    this.all.set(
      turn,
      session.onDidApply((ops) => this.follows(turn, ops)),
    );
    this.changed.fire();
  }

  private follows(turn: WatchedTurn, ops: readonly TranscriptOp[]): void {
    const { transcript } = turn.session;
    for (const one of ops) {
      const id = one.op === 'insert' || one.op === 'replace' ? one.entry.id : one.op === 'patch' ? one.id : undefined;
      const entry = id === undefined ? undefined : transcript.entries.get(id);
      if (entry?.kind !== 'tool_call' || entry.turn !== turn.turn) continue;
      const isOver = entry.status === 'completed' || entry.status === 'failed';
      for (const path of openPathsOf(entry, transcript)) this.names.fire({ turn, path, isOver });
    }
  }

  private end(turn: WatchedTurn): void {
    turn.endedAt = Date.now();
    turn.looked = this.onEnd(turn, namedPaths(turn)).then(() => void (turn.hasLooked = true));
    void Promise.all([turn.looked, delay(graceMs, undefined, { ref: false })]).then(() => this.drop(turn));
  }

  private drop(turn: WatchedTurn): void {
    this.all.get(turn)?.dispose();
    this.all.delete(turn);
    this.changed.fire();
    void turn.baseline.then((baseline) => baseline.dispose());
  }
}

/** Returns true if a file is in the worktree of a turn's session, or in no worktree like the session. */
export function isAtHome({ session }: WatchedTurn, path: string): boolean {
  const here = worktreeOf(dirname(path))?.record.path;
  return worktreeOf(session.transcript.view.cwd)?.record.path === here;
}

/**
 * Returns true if a file is in another session's worktree, and no tool call of the turn names it: whatever happens there isn't the turn's. Git
 * writes thousands of files there when the worktree is made.
 */
export function isForeign(turn: WatchedTurn, path: string): boolean {
  return worktreeOf(dirname(path)) !== undefined && !isAtHome(turn, path) && toolCallOf(turn, path) === undefined;
}

/** Reads the open files, because agents change what the user works on, and baselines may not have these files. */
async function noticeOpen(noticed: Map<string, FileBefore>, startedAt: number): Promise<void> {
  const files = vscode.workspace.textDocuments.filter(({ uri, isDirty }) => uri.scheme === 'file' && !isDirty);
  await Promise.all(
    files.slice(-noticedDocuments).map(async ({ uri }) => {
      const before = await unchangedSince(uri.fsPath, startedAt);
      if (before) noticed.set(uri.fsPath, before);
    }),
  );
}

/** Returns a turn of an agent as the author of a change. Includes the file's tool call if `path` is set. */
export function authorIn(turn: WatchedTurn, path?: string): AgentAuthor {
  const { session } = turn;
  const call = path === undefined ? undefined : toolCallOf(turn, path);
  return {
    kind: 'agent',
    agentName: session.transcript.view.agentName,
    session: session.key,
    turn: turn.turn,
    ...(call === undefined ? {} : { toolCall: call.toolCallId }),
  };
}

/** Returns the number of a session's last turn. */
export function turnOf(session: Session): number {
  const { order, entries } = session.transcript;
  const last = order.at(-1);
  return (last === undefined ? undefined : entries.get(last)?.turn) ?? 0;
}
