import { diskFiles } from './diskFile';
import { FileProblem } from './fileProblem';
import { ownPlace } from './ownPlace';

/**
 * Creates a file with a text, and its missing folders. Resolves to false if something is in its place, which stays.
 * Rejects if a folder in its path is a link that leads out of `folder`.
 */
export async function createTextFile(path: string, text: string, folder: string): Promise<boolean> {
  const place = await ownPlace(path, [folder]);
  if ((await diskFiles.look(place)).kind !== 'absent') return false;
  try {
    await diskFiles.replace(place, new TextEncoder().encode(text), { expected: 'absent' });
    return true;
  } catch (error) {
    if (error instanceof FileProblem && ['changed', 'moved', 'directory', 'special'].includes(error.kind)) return false;
    throw error;
  }
}
