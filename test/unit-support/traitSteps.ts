import assert from 'node:assert/strict';
import type { ByteOrderMark } from '../../src/review/files/byteOrderMark';
import type { FileState } from '../../src/review/files/fileState';
import type { AgentAuthor } from '../../src/review/hunks/hunk';
import type { ReviewLog } from '../../src/review/log/reviewLog';
import { linesOfState } from './testStates';

/** The known permission bits and byte order mark of a file. */
export interface KnownTraits {
  readonly mode?: number;
  readonly mark?: ByteOrderMark;
}

/** Like `deepEqual` for plain data, but much faster. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) assert.deepEqual(actual, expected, message);
}

/** The permission bits and byte order mark at the start of a sequence. */
export const firstTraits: KnownTraits = { mode: 0o644, mark: 'none' };

const modes = [0o644, 0o755] as const;
const marks = ['none', 'utf8', 'utf16le'] as const;

/** Returns `known`, updated with the known values of a state. */
export function knownTraits(known: KnownTraits, state: FileState): KnownTraits {
  const { mode = known.mode, mark = known.mark } = state as KnownTraits;
  return { ...(mode === undefined ? {} : { mode }), ...(mark === undefined ? {} : { mark }) };
}

/** Returns a state with the known permission bits and byte order mark. */
export function withTraits(state: FileState, { mode, mark }: KnownTraits): FileState {
  if (state.kind === 'absent') return state;
  const bits = mode === undefined ? {} : { mode };
  return { ...state, ...bits, ...(state.kind === 'text' && mark !== undefined ? { mark } : {}) };
}

/** The result of a trait change. */
interface TraitStep {
  readonly words: string;
  readonly state: FileState;
  readonly isKept: boolean;
  readonly isUsers: boolean;
}

/** Changes permission bits and byte order mark as the agent or the user. An agent's change may be kept or undone immediately. */
export function changeTraits(
  log: ReviewLog,
  uri: string,
  agent: AgentAuthor,
  next: (limit: number) => number,
): TraitStep {
  const file = log.file(uri);
  assert.ok(file !== undefined);
  const { current, hunks } = file;
  const nothing = { state: current, isKept: false, isUsers: false };
  if (current.kind !== 'text' && current.kind !== 'binary') return { ...nothing, words: 'no file, no traits' };
  const mark = current.kind === 'text' ? { mark: marks[next(3)] ?? 'none' } : {};
  const state = { ...current, mode: modes[next(2)] ?? 0o644, ...mark } satisfies FileState;
  // A binary file has no byte order mark. The mark of the text before it is pending with the content.
  const decided = current.kind === 'text' ? ['mode', 'mark'] : ['mode'];
  const waiting = () => file.traitChanges.filter(({ kind }) => decided.includes(kind));
  const isUsers = next(4) === 0;
  const words = `${isUsers ? 'user' : 'agent'} makes it ${JSON.stringify({ mode: state.mode, ...mark })}`;
  if (isUsers) log.userEdit(uri, state);
  else log.agentEdit(uri, state, agent);
  same(file.hunks, hunks, 'nothing happened to the text');
  const changes = waiting();
  const ids = changes.map(({ id }) => id);
  const choice = isUsers || ids.length === 0 ? 0 : next(4);
  if (choice < 2) return { words, state, isKept: false, isUsers };
  if (choice === 2) {
    log.keep(uri, ids);
    same(waiting(), [], 'what is kept waits no more');
    if (next(2) === 0) return { words: `${words}, kept`, state, isKept: true, isUsers };
    log.undoLastKeep();
    same(waiting(), changes, 'a keep is taken back entirely');
    return { words: `${words}, kept and back`, state, isKept: false, isUsers };
  }
  const plan = log.undo(uri, ids);
  assert.ok(plan !== undefined);
  same(linesOfState(plan.result), linesOfState(state), 'undoing it leaves the text alone');
  log.userEdit(uri, plan.result);
  same([waiting(), file.hunks], [[], hunks], 'what is undone waits no more, and nothing else goes');
  return { words: `${words}, undone`, state: plan.result, isKept: false, isUsers };
}
