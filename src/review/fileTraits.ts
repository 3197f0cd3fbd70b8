import { mergeAuthors, type Author, type HunkId, type NextHunkId } from './hunk';

/** A change of permission bits that waits for the user; kept and undone by id like a hunk. */
export interface ModeChange {
  readonly kind: 'mode';
  readonly id: HunkId;
  readonly from: number;
  readonly to: number;
  readonly authors: readonly Author[];
}

/** A rename that waits for the user; `from` is the URI that the file had. */
export interface Rename {
  readonly kind: 'rename';
  readonly id: HunkId;
  readonly from: string;
  readonly authors: readonly Author[];
}

/** What can change about a file beside its content. */
export type TraitChange = ModeChange | Rename;

/** Permission bits as the user last accepted them and as they are. */
export interface Traits {
  readonly baseMode?: number;
  readonly mode?: number;
  readonly changes: readonly TraitChange[];
}

/** After permission bits were seen; an agent's change is to be reviewed, the user's is accepted. */
export function seeMode(traits: Traits, mode: number | undefined, author: Author, nextId: NextHunkId): Traits {
  if (mode === undefined || mode === traits.mode) return traits;
  const rest = traits.changes.filter(({ kind }) => kind !== 'mode');
  const { baseMode } = traits;
  if (author.kind === 'user' || baseMode === undefined || baseMode === mode) {
    return { baseMode: mode, mode, changes: rest };
  }
  const known = traits.changes.find(({ kind }) => kind === 'mode');
  const authors = mergeAuthors([known?.authors ?? [], [author]]);
  return {
    baseMode,
    mode,
    changes: [...rest, { kind: 'mode', id: known?.id ?? nextId(), from: baseMode, to: mode, authors }],
  };
}

/** After the file went from one URI to another; going back to where the user knew it leaves nothing to review. */
export function seeRename(traits: Traits, from: string, to: string, author: Author, nextId: NextHunkId): Traits {
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
  const isModeKept = kept.some(({ kind }) => kind === 'mode') && traits.mode !== undefined;
  return isModeKept ? { ...traits, baseMode: traits.mode, changes } : { ...traits, changes };
}

/** After a keep of such a change was taken back, unless something newer of its kind has come. */
export function unkeepTrait(traits: Traits, change: TraitChange): Traits {
  if (traits.changes.some(({ kind }) => kind === change.kind)) return traits;
  const changes = [...traits.changes, change];
  if (change.kind === 'rename') return { ...traits, changes };
  return traits.mode === change.to ? { ...traits, baseMode: change.from, changes } : traits;
}
