import type { SessionView } from '../../../shared/transcript/transcript';
import { readFolderChoice } from './folderChoice';

/** The parts of a session that determine its folders. */
export type SessionPlace = Pick<SessionView, 'cwd' | 'additionalDirectories' | 'askedBy'>;

/**
 * Returns the folders that a session's sandbox is for: those that it had before, or those that the user chose for new
 * sessions. The user hasn't agreed to others that an agent reports. `roots` are the workspace folders.
 */
export function sandboxFolders(
  { cwd, additionalDirectories: own, askedBy }: SessionPlace,
  roots: readonly string[],
  stored: unknown,
): readonly string[] {
  const { without, more, known } = readFolderChoice(stored);
  const chosen = askedBy ? roots : [...roots.filter((folder) => !without.includes(folder)), ...more];
  const agreed = (own ?? chosen).filter((folder) => roots.includes(folder) || known.includes(folder));
  return [...new Set([cwd, ...agreed])];
}
