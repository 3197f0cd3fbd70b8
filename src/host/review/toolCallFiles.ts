import { isAbsolute, join, normalize } from 'node:path';
import type { ReportedDiff } from '../../review/reportedBase';
import type { Session } from '../../session/session';
import type { ToolCallEntry } from '../../shared/transcript';

/** A tool call that wrote a file is among the last so many entries. */
const lookBack = 200;

/** What tools of these kinds do leaves files as they are. */
const readOnlyKinds: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch']);

const knownPaths = new WeakMap<ToolCallEntry, readonly string[]>();

/** One turn of a session. */
export interface SessionTurn {
  readonly session: Pick<Session, 'key' | 'transcript'>;
  readonly turn: number;
}

/** Absolute paths that a tool call shows a change of, or names as the places it works on. */
export function pathsOf(entry: ToolCallEntry, cwd: string): readonly string[] {
  // Entries never change, they are replaced; and each is asked about again with every file.
  const known = knownPaths.get(entry);
  if (known) return known;
  const diffs = entry.content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  const paths = [...diffs, ...entry.locations.map(({ path }) => path)].map((path) => absolute(path, cwd));
  knownPaths.set(entry, paths);
  return paths;
}

/** All absolute paths that the tool calls of a turn name, each once. */
export function namedPaths(turn: SessionTurn): string[] {
  const { cwd } = turn.session.transcript.view;
  return [...new Set(toolCalls(turn).flatMap((call) => pathsOf(call, cwd)))];
}

/**
 * The tool call that changed the file: the last of the turn that shows a change of it, else the last that names it; one that failed
 * comes last. What only reads is none, however near its time.
 */
export function toolCallOf(turn: SessionTurn, path: string): ToolCallEntry | undefined {
  const { cwd } = turn.session.transcript.view;
  const hasDiff = ({ content }: ToolCallEntry) => content.some(({ type }) => type === 'diff');
  const calls = toolCalls(turn).filter(
    (call) => pathsOf(call, cwd).includes(path) && (hasDiff(call) || !readOnlyKinds.has(call.toolKind)),
  );
  return calls.findLast((call) => didRun(call) && hasDiff(call)) ?? calls.findLast(didRun) ?? calls.at(-1);
}

/** The changes of a file that the tool calls of a turn show and that came true, in order. */
export function reportedDiffs(turn: SessionTurn, path: string): ReportedDiff[] {
  const { cwd } = turn.session.transcript.view;
  return toolCalls(turn)
    .filter((call) => didRun(call) && pathsOf(call, cwd).includes(path))
    .flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'diff' && absolute(part.path, cwd) === path ? [part] : [])),
    );
}

/** A call that waits, that the user rejected or that failed has not changed what it shows. */
function didRun({ status, permission }: ToolCallEntry): boolean {
  if (permission.state === 'cancelled' || permission.state === 'asked') return false;
  if (permission.state === 'answered' && permission.option.kind.startsWith('reject')) return false;
  return status === 'in_progress' || status === 'completed';
}

function toolCalls({ session, turn }: SessionTurn): ToolCallEntry[] {
  const { order, entries } = session.transcript;
  return order.slice(-lookBack).flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn ? [entry] : [];
  });
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? normalize(path) : join(cwd, path);
}
