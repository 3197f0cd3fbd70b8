import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { isForeignShare, plainPath, wayBelow } from '../../../disk/paths';
import type { ReportedDiff } from '../../../review/files/reportedBase';
import type { Session } from '../../../session/session';
import { attempt } from '../../../shared/values/attempt';
import { changedPaths } from '../../../shared/transcript/fileChange';
import type { Entry, ToolCallEntry } from '../../../shared/transcript/transcript';
import { fileKey, withoutScheme } from '../../base/filePaths';

/** Number of latest entries to search for the tool call that wrote a file. */
const lookBack = 200;

/** Tool calls of these kinds don't change files. */
const readOnlyKinds: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch']);

/** The real paths of sessions' folders by their entries, because the paths of a tool call are needed at once. */
const realFolders = new WeakMap<ReadonlyMap<string, Entry>, { readonly cwd: string; readonly real: string }>();

const knownPaths = new WeakMap<ToolCallEntry, readonly string[]>();

/** The latest turn's tool calls by file, because every look at a file asks for them several times. */
const indexes = new WeakMap<
  ReadonlyMap<string, Entry>,
  { readonly rev: number; readonly turn: number; readonly calls: ReadonlyMap<string, readonly ToolCallEntry[]> }
>();

/** A turn of a session. */
export interface SessionTurn {
  readonly session: Pick<Session, 'key' | 'transcript'>;
  readonly turn: number;
}

type Conversation = Pick<SessionTurn['session']['transcript'], 'entries' | 'view'>;

/** Returns the absolute paths that a tool call shows a change of, or lists as its locations. */
function pathsOf(entry: ToolCallEntry, transcript: Conversation): readonly string[] {
  // Cached, because entries are immutable and looked up again for every file.
  const cached = knownPaths.get(entry);
  if (cached) return cached;
  const diffs = entry.content.flatMap(changedPaths);
  const paths = [...diffs, ...entry.locations.map(({ path }) => path)].map((path) => absolute(path, transcript));
  knownPaths.set(entry, paths);
  return paths;
}

/** Returns those of a tool call's absolute paths that may be looked at without the user, without duplicates. */
export function openPathsOf(entry: ToolCallEntry, transcript: Conversation): readonly string[] {
  return [...new Set(pathsOf(entry, transcript))].filter((path) => !isForeignShare(path, transcript.view.cwd));
}

/** The same of all tool calls of a turn. */
export function namedPaths(turn: SessionTurn): string[] {
  return [...new Set(toolCalls(turn).flatMap((call) => openPathsOf(call, turn.session.transcript)))];
}

/** Returns the files that a session's tool calls may have changed, as absolute paths: those of one turn, or of all. */
export function writtenPaths(session: SessionTurn['session'], turn?: number): string[] {
  const { order, entries } = session.transcript;
  const paths = order.flatMap((id) => {
    const entry = entries.get(id);
    if (entry?.kind !== 'tool_call' || (turn !== undefined && entry.turn !== turn) || !didRun(entry)) return [];
    return readOnlyKinds.has(entry.toolKind) ? [] : openPathsOf(entry, session.transcript);
  });
  return [...new Set(paths)];
}

/** Returns the absolute paths of the files whose changes a session's completed tool calls show, by turn. */
export function shownPaths({ transcript }: SessionTurn['session']): ReadonlyMap<number, ReadonlySet<string>> {
  const { order, entries } = transcript;
  const shown = new Map<number, Set<string>>();
  for (const id of order) {
    const entry = entries.get(id);
    if (entry?.kind !== 'tool_call' || entry.status !== 'completed') continue;
    const ofTurn = shown.get(entry.turn) ?? new Set();
    for (const path of entry.content.flatMap(changedPaths)) ofTurn.add(absolute(path, transcript));
    shown.set(entry.turn, ofTurn);
  }
  return shown;
}

/**
 * Returns the tool call that changed a file: the turn's last one that shows a change of it, or else the last one that
 * refers to it. Failed calls come last. Calls that only read never count, however close in time.
 */
export function toolCallOf(turn: SessionTurn, path: string): ToolCallEntry | undefined {
  const hasDiff = ({ content }: ToolCallEntry) => content.some(({ type }) => type === 'diff' || type === 'change');
  const calls = callsOf(turn, path).filter((call) => hasDiff(call) || !readOnlyKinds.has(call.toolKind));
  return calls.findLast((call) => didRun(call) && hasDiff(call)) ?? calls.findLast(didRun) ?? calls.at(-1);
}

/** Returns the changes of a file that a turn's tool calls show and that were made, in order. */
export function reportedDiffs(turn: SessionTurn, path: string): ReportedDiff[] {
  const { transcript } = turn.session;
  return callsOf(turn, path)
    .filter(didRun)
    .flatMap(({ content }) =>
      content.flatMap((part) =>
        part.type === 'diff' && isSamePath(absolute(part.path, transcript), path) ? [part] : [],
      ),
    );
}

/** A pending, rejected, or failed tool call hasn't made the change it shows. */
function didRun({ status, permission }: ToolCallEntry): boolean {
  if (permission.state === 'cancelled' || permission.state === 'asked') return false;
  if (permission.state === 'answered' && permission.option.kind.startsWith('reject')) return false;
  return status === 'in_progress' || status === 'completed';
}

/** Returns the tool calls of a turn that refer to a file. */
function callsOf(turn: SessionTurn, path: string): readonly ToolCallEntry[] {
  const { transcript } = turn.session;
  let known = indexes.get(transcript.entries);
  if (!known || known.rev !== transcript.rev || known.turn !== turn.turn) {
    known = { rev: transcript.rev, turn: turn.turn, calls: callsByFile(turn) };
    indexes.set(transcript.entries, known);
  }
  return known.calls.get(fileKey(path)) ?? [];
}

function callsByFile(turn: SessionTurn): ReadonlyMap<string, readonly ToolCallEntry[]> {
  const calls = new Map<string, ToolCallEntry[]>();
  for (const call of toolCalls(turn)) {
    for (const key of new Set(pathsOf(call, turn.session.transcript).map((path) => fileKey(path)))) {
      const all = calls.get(key);
      if (all) all.push(call);
      else calls.set(key, [call]);
    }
  }
  return calls;
}

function toolCalls({ session, turn }: SessionTurn): ToolCallEntry[] {
  const { order, entries } = session.transcript;
  return order.slice(-lookBack).flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn ? [entry] : [];
  });
}

function absolute(written: string, transcript: Conversation): string {
  const { cwd } = transcript.view;
  const path = withoutScheme(written);
  if (!isAbsolute(path)) return join(cwd, path);
  const normal = normalize(plainPath(path));
  // Agents report files with links resolved, but the editor has them under the folder that the user opened.
  const way = cwd === '' ? undefined : wayBelow(realFolder(transcript), normal);
  return way === undefined ? normal : join(cwd, way);
}

function realFolder({ entries, view: { cwd } }: Conversation): string {
  const known = realFolders.get(entries);
  if (known?.cwd === cwd) return known.real;
  const real = attempt(() => realpathSync.native(cwd)) ?? cwd;
  realFolders.set(entries, { cwd, real });
  return real;
}

/** Agents write drive letters and names in another case than the editor does. */
function isSamePath(one: string, other: string): boolean {
  return one === other || fileKey(one) === fileKey(other);
}
