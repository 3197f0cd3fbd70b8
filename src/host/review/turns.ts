import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/agentPool';
import type { WorkspaceBaseline } from '../../baseline/workspaceBaseline';
import type { AgentAuthor } from '../../review/hunk';
import type { FileState } from '../../review/fileState';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { SessionKey } from '../../shared/ids';
import type { ToolCallEntry } from '../../shared/transcript';

/** Changes on disk are told a little later than they happen; for so long (ms) after a turn they may still be its own. */
const graceMs = 2000;
/** The clock of a file system may lag behind ours by this much (ms). */
const clockSlackMs = 50;
/** A tool call that wrote a file is among the last so many entries. */
const lookBack = 200;

/** A turn that runs, or has just ended, and what the files held before it. */
export interface WatchedTurn {
  readonly session: Session;
  readonly turn: number;
  readonly startedAt: number;
  endedAt: number | undefined;
  readonly baseline: Promise<WorkspaceBaseline>;
  /** Documents as they stood in the editor when the turn began, or as the user has typed since, by URI. */
  readonly documents: Map<string, FileState>;
}

/** Follows which agents are at work, so that a change of a file finds its author, and takes the baseline of each turn. */
export class WatchedTurns extends Disposable {
  private readonly takeBaseline: () => Promise<WorkspaceBaseline>;
  private readonly onEnd: (turn: WatchedTurn, files: readonly string[]) => Promise<void>;
  private readonly all = new Set<WatchedTurn>();

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
    this.register({ dispose: () => [...this.all].forEach((turn) => this.drop(turn)) });
    this.follow(pool.sessions);
  }

  /** The turns that may have made a change now. */
  get current(): readonly WatchedTurn[] {
    return [...this.all];
  }

  /**
   * Who wrote a file: the turn in whose time the write lies, and which named the file if there are several. `writtenAt` is
   * in milliseconds since the epoch; absent for a file that is gone.
   */
  authorOf(path: string, writtenAt: number | undefined): { author: AgentAuthor; turn: WatchedTurn } | undefined {
    const candidates = [...this.all].filter(({ startedAt, endedAt }) => {
      if (writtenAt === undefined) return true;
      return writtenAt >= startedAt - clockSlackMs && writtenAt <= (endedAt ?? Infinity) + clockSlackMs;
    });
    const named = candidates.find((turn) => toolCallOf(turn, path) !== undefined);
    const turn = named ?? candidates.findLast(({ endedAt }) => endedAt === undefined) ?? candidates.at(-1);
    return turn && { author: authorIn(turn, path), turn };
  }

  /** The running turn of a session. */
  of(session: SessionKey): WatchedTurn | undefined {
    return [...this.all].findLast((turn) => turn.session.key === session);
  }

  private follow(sessions: readonly Session[]): void {
    for (const session of sessions) this.look(session);
    for (const turn of this.all) if (turn.endedAt === undefined && turn.session.isClosed) this.end(turn);
  }

  private look(session: Session): void {
    const { activity } = session.transcript.view;
    const running = [...this.all].find((turn) => turn.session === session && turn.endedAt === undefined);
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
    const baseline = this.takeBaseline();
    this.all.add({ session, turn: number, startedAt: activity.since, endedAt: undefined, baseline, documents });
  }

  private end(turn: WatchedTurn): void {
    turn.endedAt = Date.now();
    const looked = this.onEnd(turn, namedPaths(turn));
    void Promise.all([looked, delay(graceMs, undefined, { ref: false })]).then(() => this.drop(turn));
  }

  private drop(turn: WatchedTurn): void {
    this.all.delete(turn);
    void turn.baseline.then((baseline) => baseline.dispose());
  }
}

/** A turn of an agent as the author of a change of one file. */
export function authorIn(turn: WatchedTurn, path: string): AgentAuthor {
  const { session } = turn;
  const call = toolCallOf(turn, path);
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

function toolCalls({ session, turn }: WatchedTurn): ToolCallEntry[] {
  const { order, entries } = session.transcript;
  return order.slice(-lookBack).flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn ? [entry] : [];
  });
}

/** The last tool call of the turn that shows a change of the file, else the last that names it. */
function toolCallOf(turn: WatchedTurn, path: string): ToolCallEntry | undefined {
  const { cwd } = turn.session.transcript.view;
  const calls = toolCalls(turn).filter((call) => pathsOf(call, cwd).includes(path));
  return calls.findLast(({ content }) => content.some(({ type }) => type === 'diff')) ?? calls.at(-1);
}

function namedPaths(turn: WatchedTurn): string[] {
  const { cwd } = turn.session.transcript.view;
  return [...new Set(toolCalls(turn).flatMap((call) => pathsOf(call, cwd)))];
}

function pathsOf({ content, locations }: ToolCallEntry, cwd: string): string[] {
  const diffs = content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  return [...diffs, ...locations.map(({ path }) => path)].map((path) => (isAbsolute(path) ? path : join(cwd, path)));
}
