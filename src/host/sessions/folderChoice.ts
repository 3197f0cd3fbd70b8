import { isAbsolute } from 'node:path';
import { asList, asObject, asString } from '../../acp/decodeValue';

/** Under this key of the workspace's memory stands which folders the user wants new sessions to get. */
export const folderChoiceKey = 'parley.folders';

/** So many folders beyond the workspace are remembered. */
const maxKnown = 20;

/** Which folders the user wants new sessions to get, absolute. */
export interface FolderChoice {
  /** Folders of the workspace that do not go along. */
  readonly without: readonly string[];
  /** Folders beyond the workspace that do. */
  readonly more: readonly string[];
  /** All folders beyond the workspace that the user has ever added here, the latest last. */
  readonly known: readonly string[];
}

/** Reads a choice as it was stored; damaged parts are nothing. */
export function readFolderChoice(stored: unknown): FolderChoice {
  const choice = asObject(stored);
  const paths = (name: string) =>
    asList(choice?.[name], (path) => (isAbsolute(asString(path) ?? '') ? asString(path) : undefined)) ?? [];
  return { without: paths('without'), more: paths('more'), known: paths('known') };
}

/** The choice that results when of the folders that were offered these are wanted. */
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
