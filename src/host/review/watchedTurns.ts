import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/agentPool';
import type { FileBefore } from '../../baseline/baseline';
import type { WorkspaceBaseline } from '../../baseline/workspaceBaseline';
import type { AgentAuthor } from '../../review/hunk';
import type { FileState } from '../../review/fileState';
import type { Session } from '../../session/session';
import { Disposable, type IDisposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import type { TranscriptOp } from '../../shared/ops';
import { clockSlackMs, unchangedSince, type ChangeTime } from './noticed';
import { namedPaths, pathsOf, toolCallOf } from './toolCallFiles';

/** Changes on disk are told a little later than they happen; for so long (ms) after a turn they may still be its own. */
const graceMs = 2000;
/** Of so many open documents at most, what their files hold is remembered at the start of a turn. */
const noticedDocuments = 50;

/** A turn that runs, or has just ended, and what the files held before it. */
export interface WatchedTurn {
  readonly session: Session;
  readonly turn: number;
  readonly startedAt: number;
  endedAt: number | undefined;
  /** Settles when all that the turn changed has been looked at; not there while it runs. */
  looked?: Promise<void>;
  /** Whether that has settled: what is told now and is not known to be older came after the turn. */
  hasLooked?: boolean;
  readonly baseline: Promise<WorkspaceBaseline>;
  /** Whether the baseline was whole before the agent was at work, so that what is not in it was not there. */
  isBaselineWhole?: boolean;
  /** Documents as they stood in the editor when the turn began, or as the user has typed since, by URI. */
  readonly documents: Map<string, FileState>;
  /** What files held before the turn that no baseline may have recorded: those open in the editor, and those named early. By path. */
  readonly noticed: Map<string, FileBefore>;
  /** When files were last seen to be there since it began, by URI, in milliseconds since the epoch; of the others the baseline knows. */
  readonly seen: Map<string, number>;
}

/** The author of a change, and the turn that it belongs to. */
export interface FoundAuthor {
  readonly author: AgentAuthor;
  readonly turn: WatchedTurn;
}

/** A file that a tool call names; `isOver` says that the call has ended. */
export interface NamedFile {
  readonly turn: WatchedTurn;
  /** Absolute. */
  readonly path: string;
  readonly isOver: boolean;
}

/** Follows which agents are at work, so that a change of a file finds its author, and takes the baseline of each turn. */
export class WatchedTurns extends Disposable {
  private readonly takeBaseline: () => Promise<WorkspaceBaseline>;
  private readonly onEnd: (turn: WatchedTurn, files: readonly string[]) => Promise<void>;
  /** Each with what follows its tool calls. */
  private readonly all = new Map<WatchedTurn, IDisposable>();
  private readonly names = this.register(new Emitter<NamedFile>());
  private readonly changed = this.register(new Emitter<void>());

  /** A turn began, or nothing more can come of one. */
  readonly onDidChange = this.changed.event;

  /** A tool call tells of a file, for the first time or more than before. */
  readonly onDidName = this.names.event;

  /**
   * `onEnd` gets a turn that has ended and the absolute paths that its tool calls named; until it is done, late changes may
   * be of this turn. It does not reject.
   */
  constructor(
    pool: AgentPool,
    takeBaseline: () => Promise<WorkspaceBaseline>,
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
   * Who changed a file: the turn in whose time the change lies, and which named the file if there are several. When a file
   * went is known only roughly; until the files have been looked at once more after a turn, it may have been in that turn.
   */
  authorOf(path: string, time: ChangeTime): FoundAuthor | undefined {
    const [turn] = this.candidates(path, time);
    return turn && { author: authorIn(turn, path), turn };
  }

  /** All turns that may have made a change, the likeliest first. */
  candidates(path: string, { at, isGone }: ChangeTime): WatchedTurn[] {
    const inTime = this.current.filter(({ startedAt, endedAt = Infinity, hasLooked }) => {
      const isInTime = at <= endedAt + clockSlackMs;
      return isGone ? isInTime || hasLooked !== true : isInTime && at >= startedAt - clockSlackMs;
    });
    const named = inTime.filter((turn) => toolCallOf(turn, path) !== undefined);
    const latest = inTime.toReversed();
    const running = latest.filter(({ endedAt }) => endedAt === undefined);
    return [...new Set([...named, ...running, ...latest])];
  }

  /** Notes that a file, by its URI, was there at `at` (ms); a turn that has begun since then knows nothing by that. */
  sawFile(uri: string, at: number): void {
    for (const { seen, startedAt } of this.current) if (at >= startedAt) seen.set(uri, at);
  }

  /** The running turn of a session. */
  of(session: SessionKey): WatchedTurn | undefined {
    return this.current.findLast((turn) => turn.session.key === session);
  }

  /** Resolves when all that a session's turns changed before they ended is known. */
  async settled(session: SessionKey): Promise<void> {
    await Promise.all(
      this.current.filter((turn) => turn.session.key === session).flatMap(({ looked }) => looked ?? []),
    );
  }

  private follow(sessions: readonly Session[]): void {
    for (const session of sessions) this.look(session);
    for (const turn of this.current) if (turn.endedAt === undefined && turn.session.isClosed) this.end(turn);
  }

  private look(session: Session): void {
    const { activity } = session.transcript.view;
    const running = this.current.find((turn) => turn.session === session && turn.endedAt === undefined);
    if (activity.state === 'idle') {
      if (running) this.end(running);
      return;
    }
    const number = turnOf(session);
    if (running && running.turn === number) return;
    if (running) this.end(running);
    const documents = new Map<string, FileState>();
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === 'file' && document.isDirty) {
        documents.set(document.uri.toString(), { kind: 'text', text: document.getText() });
      }
    }
    const noticed = new Map<string, FileBefore>();
    const startedAt = activity.since;
    // The prompt waits for both.
    const baseline = Promise.all([this.takeBaseline(), noticeOpen(noticed, startedAt)]).then(([taken]) => taken);
    const turn: WatchedTurn = {
      session,
      turn: number,
      startedAt,
      endedAt: undefined,
      baseline,
      documents,
      noticed,
      seen: new Map<string, number>(),
    };
    this.all.set(
      turn,
      session.onDidApply((ops) => this.follows(turn, ops)),
    );
    this.changed.fire();
  }

  private follows(turn: WatchedTurn, ops: readonly TranscriptOp[]): void {
    const { entries, view } = turn.session.transcript;
    for (const one of ops) {
      const id = one.op === 'insert' || one.op === 'replace' ? one.entry.id : one.op === 'patch' ? one.id : undefined;
      const entry = id === undefined ? undefined : entries.get(id);
      if (entry?.kind !== 'tool_call' || entry.turn !== turn.turn) continue;
      const isOver = entry.status === 'completed' || entry.status === 'failed';
      for (const path of new Set(pathsOf(entry, view.cwd))) this.names.fire({ turn, path, isOver });
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

/** Agents change what the user works on, and open files are not always in a baseline. */
async function noticeOpen(noticed: Map<string, FileBefore>, startedAt: number): Promise<void> {
  const files = vscode.workspace.textDocuments.filter(({ uri, isDirty }) => uri.scheme === 'file' && !isDirty);
  await Promise.all(
    files.slice(-noticedDocuments).map(async ({ uri }) => {
      const before = await unchangedSince(uri.fsPath, startedAt);
      if (before) noticed.set(uri.fsPath, before);
    }),
  );
}

/** A turn of an agent as the author of a change, of one file where it is known which. */
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

function turnOf(session: Session): number {
  const { order, entries } = session.transcript;
  const last = order.at(-1);
  return (last === undefined ? undefined : entries.get(last)?.turn) ?? 0;
}
