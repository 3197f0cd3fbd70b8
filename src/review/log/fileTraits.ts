import type { ByteOrderMark } from '../files/byteOrderMark';
import type { FileState } from '../files/fileState';
import { mergeAuthors, type Author, type HunkId, type NextHunkId } from '../hunks/hunk';

/** The properties of a file besides its content and name. */
interface Values {
  readonly mode: number;
  /** The byte order mark of a text. Editors don't show it. */
  readonly mark: ByteOrderMark;
}

type ValueKind = keyof Values;

interface ValueChange<K extends ValueKind> {
  readonly kind: K;
  readonly id: HunkId;
  readonly from: Values[K];
  readonly to: Values[K];
  readonly authors: readonly Author[];
}

/** A pending change of permission bits. Like a hunk, it is kept or undone by its id. */
export type ModeChange = ValueChange<'mode'>;
/** A pending change of the byte order mark. */
export type MarkChange = ValueChange<'mark'>;

/** A pending rename. `from` is the previous URI of the file. */
export interface Rename {
  readonly kind: 'rename';
  readonly id: HunkId;
  readonly from: string;
  readonly authors: readonly Author[];
}

/** A change of a file besides its content. */
export type TraitChange = ModeChange | MarkChange | Rename;

/** Permission bits and byte order mark, now and in the last kept version. Unknown values are absent. */
export interface Traits extends Partial<Values> {
  readonly baseMode?: number;
  readonly baseMark?: ByteOrderMark;
  readonly changes: readonly TraitChange[];
}

const kinds = ['mode', 'mark'] as const satisfies readonly ValueKind[];
const baseKey = { mode: 'baseMode', mark: 'baseMark' } as const;

/** Returns the traits with the known values of `state` as the last kept version. */
export function acceptTraits(traits: Traits, state: FileState): Traits {
  const { mode, mark } = valuesOf(state);
  return {
    ...traits,
    ...(mode === undefined ? {} : { baseMode: mode, mode: traits.mode ?? mode }),
    ...(mark === undefined ? {} : { baseMark: mark, mark: traits.mark ?? mark }),
  };
}

/** Updates the traits for a new state of the file. An agent's change becomes pending; the user's doesn't. */
export function recordTraits(traits: Traits, state: FileState, author: Author, nextId: NextHunkId): Traits {
  const seen = valuesOf(state);
  return kinds.reduce((result, kind) => recordValue(result, kind, seen[kind], author, nextId), traits);
}

function recordValue(
  traits: Traits,
  kind: ValueKind,
  value: Values[ValueKind] | undefined,
  author: Author,
  nextId: NextHunkId,
): Traits {
  if (value === undefined || value === traits[kind]) return traits;
  const base = traits[baseKey[kind]];
  const rest = traits.changes.filter((change) => change.kind !== kind);
  if (author.kind === 'user' || base === undefined || base === value) {
    return { ...traits, [kind]: value, [baseKey[kind]]: value, changes: rest };
  }
  const known = traits.changes.find((change) => change.kind === kind);
  const authors = mergeAuthors([known?.authors ?? [], [author]]);
  const change = { kind, id: known?.id ?? nextId(), from: base, to: value, authors } as ModeChange | MarkChange;
  return { ...traits, [kind]: value, changes: [...rest, change] };
}

/**
 * Updates the traits for a rename. Renaming a file to its last kept URI leaves nothing to review. If the user renames what an agent has renamed,
 * the agent's change stays: an undo returns the file to its name from before.
 */
export function recordRename(traits: Traits, from: string, to: string, author: Author, nextId: NextHunkId): Traits {
  const rest = traits.changes.filter(({ kind }) => kind !== 'rename');
  const known = traits.changes.find((change): change is Rename => change.kind === 'rename');
  if (known?.from === to) return { ...traits, changes: rest };
  if (author.kind === 'user') return traits;
  const authors = mergeAuthors([known?.authors ?? [], [author]]);
  return {
    ...traits,
    changes: [...rest, { kind: 'rename', id: known?.id ?? nextId(), from: known?.from ?? from, authors }],
  };
}

/** Updates the traits after the user kept some changes. */
export function keepTraits(traits: Traits, kept: readonly TraitChange[]): Traits {
  const changes = traits.changes.filter((change) => !kept.includes(change));
  const accepted = kinds.filter((kind) => traits[kind] !== undefined && kept.some((change) => change.kind === kind));
  return { ...traits, ...Object.fromEntries(accepted.map((kind) => [baseKey[kind], traits[kind]])), changes };
}

/** Makes a kept change pending again, unless there is a newer change of its kind. */
export function unkeepTrait(traits: Traits, change: TraitChange): Traits {
  if (traits.changes.some(({ kind }) => kind === change.kind)) return traits;
  const changes = [...traits.changes, change];
  if (change.kind === 'rename') return { ...traits, changes };
  return traits[change.kind] === change.to ? { ...traits, [baseKey[change.kind]]: change.from, changes } : traits;
}

/** Returns the traits the file must have after undoing these changes. All other changes remain. */
export function undoneTraits(traits: Traits, undone: readonly TraitChange[]): Partial<Values> {
  const isUndone = (kind: ValueKind) => undone.some((change) => change.kind === kind);
  const mode = isUndone('mode') ? traits.baseMode : (traits.mode ?? traits.baseMode);
  const mark = isUndone('mark') ? traits.baseMark : (traits.mark ?? traits.baseMark);
  return { ...(mode === undefined ? {} : { mode }), ...(mark === undefined ? {} : { mark }) };
}

/** Returns the last kept permission bits and byte order mark. */
export function baseTraits({ baseMode, baseMark }: Traits): Partial<Values> {
  return {
    ...(baseMode === undefined ? {} : { mode: baseMode }),
    ...(baseMark === undefined ? {} : { mark: baseMark }),
  };
}

function valuesOf(state: FileState): Partial<Values> {
  return state.kind === 'text' || state.kind === 'binary' ? state : {};
}
