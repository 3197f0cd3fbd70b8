import { mergeVersions, withHunks, type FileVersion } from '../worktree/repository/mergeFiles';
import { changeStamps } from './pageDifferences';
import { linesToCompare } from './differences';
import { sideOfBase, sideOfTry, type TrySide } from './triedFiles';
import type { TakenFile, Try } from './tryGroup';

/**
 * Returns what the user's file still has of what was taken of a try's file, because the user may have undone it since, and the try may have
 * changed it. Undefined if that is nothing. `present` is the user's file, undefined if there is none. `from` is its path before the try renamed it.
 */
export async function stillTaken(
  one: Try,
  taken: TakenFile,
  present: Uint8Array | undefined,
  from?: string,
): Promise<TakenFile | undefined> {
  const [base, theirs] = await Promise.all([sideOfBase(one, from ?? taken.path), sideOfTry(one, taken.path)]);
  // Without lines, nothing is known but that the user took it, and the try no longer has single changes.
  if (base.kind === 'other' || theirs.kind === 'other') {
    return present === undefined || taken.changes ? undefined : taken;
  }
  const all = changeStamps(linesToCompare(base), linesToCompare(theirs));
  const changes = taken.changes?.filter((stamp) => all.includes(stamp));
  if (changes?.length === 0) return undefined;
  const isWhole = changes === undefined || changes.length === all.length;
  const ours: FileVersion =
    present === undefined ? { kind: 'absent' } : { kind: 'file', bytes: present, isExecutable: false };
  // If merging it again changes nothing, the user's file has it.
  const chosen = isWhole ? versionOf(theirs) : versionWith(base, theirs, all, new Set(changes));
  const merged = await mergeVersions(
    { base: versionOf(base), theirs: chosen, ours },
    { ours: 'ours', theirs: 'theirs' },
  );
  if (merged.kind !== 'same') return undefined;
  return { path: taken.path, ...(isWhole ? {} : { changes, count: all.length }) };
}

/** The base with only these changes of a try. */
function versionWith(base: TrySide, theirs: TrySide, all: readonly string[], stamps: ReadonlySet<string>): FileVersion {
  if (theirs.kind !== 'text') return versionOf(theirs);
  const chosen = new Set(all.flatMap((stamp, at) => (stamps.has(stamp) ? [at] : [])));
  const before = base.kind === 'text' ? base.bytes : new Uint8Array();
  return { kind: 'file', bytes: withHunks(before, theirs.bytes, chosen), isExecutable: false };
}

function versionOf(side: TrySide): FileVersion {
  return side.kind === 'text' ? { kind: 'file', bytes: side.bytes, isExecutable: false } : { kind: 'absent' };
}
