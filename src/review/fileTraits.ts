import type { ByteOrderMark } from './byteOrderMark';
import type { FileState } from './fileState';
import { mergeAuthors, type Author, type HunkId, type NextHunkId } from './hunk';

/** What a file is beside its content and its name. */
interface Values {
  /** Permission bits. */
  readonly mode: number;
  /** Of a text: editors do not show it. */
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

/** A change of permission bits that waits for the user; kept and undone by id like a hunk. */
export type ModeChange = ValueChange<'mode'>;
/** A change of the byte order mark that waits for the user. */
export type MarkChange = ValueChange<'mark'>;

/** A rename that waits for the user; `from` is the URI that the file had. */
export interface Rename {
  readonly kind: 'rename';
  readonly id: HunkId;
  readonly from: string;
  readonly authors: readonly Author[];
}

/** What can change about a file beside its content. */
export type TraitChange = ModeChange | MarkChange | Rename;

/** Permission bits and byte order mark as the user last accepted them and as they are; not there where nothing is known. */
export interface Traits extends Partial<Values> {
  readonly baseMode?: number;
  readonly baseMark?: ByteOrderMark;
  readonly changes: readonly TraitChange[];
}

const kinds = ['mode', 'mark'] as const satisfies readonly ValueKind[];
const baseKey = { mode: 'baseMode', mark: 'baseMark' } as const;

/** The same with what `state` says, as far as it says anything, as what the user last accepted. */
export function acceptTraits(traits: Traits, state: FileState): Traits {
  const { mode, mark } = valuesOf(state);
  return {
    ...traits,
    ...(mode === undefined ? {} : { baseMode: mode, mode: traits.mode ?? mode }),
    ...(mark === undefined ? {} : { baseMark: mark, mark: traits.mark ?? mark }),
  };
}

/** After a file was seen; an agent's change is to be reviewed, the user's is accepted. */
export function recordTraits(traits: Traits, state: FileState, author: Author, nextId: NextHunkId): Traits {
  const seen = valuesOf(state);
  return kinds.reduce((result, kind) => seeValue(result, kind, seen[kind], author, nextId), traits);
}

function seeValue(
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

/** After the file went from one URI to another; going back to where the user knew it leaves nothing to review. */
export function recordRename(traits: Traits, from: string, to: string, author: Author, nextId: NextHunkId): Traits {
  const rest = traits.changes.filter(({ kind }) => kind !== 'rename');
  const known = traits.changes.find((change): change is Rename => change.kind === 'rename');
  if (known?.from === to || author.kind === 'user') return { ...traits, changes: rest };
  const authors = mergeAuthors([known?.authors ?? [], [author]]);
  return {
    ...traits,
    changes: [...rest, { kind: 'rename', id: known?.id ?? nextId(), from: known?.from ?? from, authors }],
  };
}

/** After the user accepted some changes. */
export function keepTraits(traits: Traits, kept: readonly TraitChange[]): Traits {
  const changes = traits.changes.filter((change) => !kept.includes(change));
  const accepted = kinds.filter((kind) => traits[kind] !== undefined && kept.some((change) => change.kind === kind));
  return { ...traits, ...Object.fromEntries(accepted.map((kind) => [baseKey[kind], traits[kind]])), changes };
}

/** After a keep of such a change was taken back, unless something newer of its kind has come. */
export function unkeepTrait(traits: Traits, change: TraitChange): Traits {
  if (traits.changes.some(({ kind }) => kind === change.kind)) return traits;
  const changes = [...traits.changes, change];
  if (change.kind === 'rename') return { ...traits, changes };
  return traits[change.kind] === change.to ? { ...traits, [baseKey[change.kind]]: change.from, changes } : traits;
}

/** What a file is to be once these changes are undone: the others stay. */
export function undoneTraits(traits: Traits, undone: readonly TraitChange[]): Partial<Values> {
  const isUndone = (kind: ValueKind) => undone.some((change) => change.kind === kind);
  const mode = isUndone('mode') ? traits.baseMode : (traits.mode ?? traits.baseMode);
  const mark = isUndone('mark') ? traits.baseMark : (traits.mark ?? traits.baseMark);
  return { ...(mode === undefined ? {} : { mode }), ...(mark === undefined ? {} : { mark }) };
}

/** What the user last accepted of permission bits and byte order mark. */
export function baseTraits({ baseMode, baseMark }: Traits): Partial<Values> {
  return {
    ...(baseMode === undefined ? {} : { mode: baseMode }),
    ...(baseMark === undefined ? {} : { mark: baseMark }),
  };
}

function valuesOf(state: FileState): Partial<Values> {
  return state.kind === 'text' || state.kind === 'binary' ? state : {};
}
