import { isAbsolute } from 'node:path';
import { asList, asObject, asString } from '../../../shared/values/decodeValue';

/** The key of the workspace state that stores the folders for new sessions. */
export const folderChoiceKey = 'parley.folders';

/** Maximum number of remembered folders outside the workspace. */
const maxKnown = 20;

/** The user's choice of folders for new sessions, as absolute paths. */
export interface FolderChoice {
  /** Excluded workspace folders. */
  readonly without: readonly string[];
  /** Included folders outside the workspace. */
  readonly more: readonly string[];
  /** All folders outside the workspace that the user has ever added here, the latest last. */
  readonly known: readonly string[];
}

/** Reads a stored choice. Ignores damaged parts. */
export function readFolderChoice(stored: unknown): FolderChoice {
  const choice = asObject(stored);
  const paths = (name: string) =>
    asList(choice?.[name], (path) => (isAbsolute(asString(path) ?? '') ? asString(path) : undefined)) ?? [];
  return { without: paths('without'), more: paths('more'), known: paths('known') };
}

/** Returns the new choice if the user selects these of the offered folders. */
export function changeFolderChoice(
  offered: Pick<FolderChoice, 'known'>,
  roots: readonly string[],
  wanted: ReadonlySet<string>,
): FolderChoice {
  const known = offered.known.slice(-maxKnown);
  return {
    without: roots.filter((folder) => !wanted.has(folder)),
    more: known.filter((folder) => wanted.has(folder)),
    known,
  };
}
