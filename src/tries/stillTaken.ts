import { mergeVersions, withHunks, type FileVersion } from '../worktree/mergeFiles';
import { changeStamps } from './pageDifferences';
import { linesToCompare } from './differences';
import { sideOfBase, sideOfTry, type TrySide } from './triedFiles';
import type { TakenFile, Try } from './tryGroup';

/**
 * Returns whether the user's file still has what was taken of a try's file, because the user may have undone it since. `present` is the
 * user's file, undefined if there is none. `from` is its path before the try renamed it.
 */
export async function isStillTaken(
  one: Try,
  taken: TakenFile,
  present: Uint8Array | undefined,
  from?: string,
): Promise<boolean> {
  const [base, theirs] = await Promise.all([sideOfBase(one, from ?? taken.path), sideOfTry(one, taken.path)]);
  // Without lines, nothing is known but that the user took it.
  if (base.kind === 'other' || theirs.kind === 'other') return present !== undefined;
  const chosen = taken.changes === undefined ? versionOf(theirs) : versionWith(base, theirs, new Set(taken.changes));
  const ours: FileVersion =
    present === undefined ? { kind: 'absent' } : { kind: 'file', bytes: present, isExecutable: false };
  // If merging it again changes nothing, the user's file has it.
  const merged = await mergeVersions(
    { base: versionOf(base), theirs: chosen, ours },
    { ours: 'ours', theirs: 'theirs' },
  );
  return merged.kind === 'same';
}

/** The base with only these changes of a try. Changes that the try no longer has don't count. */
function versionWith(base: TrySide, theirs: TrySide, stamps: ReadonlySet<string>): FileVersion {
  if (theirs.kind !== 'text') return versionOf(theirs);
  const all = changeStamps(linesToCompare(base), linesToCompare(theirs));
  const chosen = new Set(all.flatMap((stamp, at) => (stamps.has(stamp) ? [at] : [])));
  const before = base.kind === 'text' ? base.bytes : new Uint8Array();
  return { kind: 'file', bytes: withHunks(before, theirs.bytes, chosen), isExecutable: false };
}

function versionOf(side: TrySide): FileVersion {
  return side.kind === 'text' ? { kind: 'file', bytes: side.bytes, isExecutable: false } : { kind: 'absent' };
}
