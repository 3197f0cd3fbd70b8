import { posix } from 'node:path';
import { isProgram as isOnDisk } from '../process/isProgram';

/**
 * Returns the absolute path of a program of `PATH`; undefined if there is none. Folders that aren't absolute are ignored:
 * in them, an agent could put a program of its own in place of the one that holds it.
 */
export function findProgram(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  isProgram: (path: string) => boolean = isOnDisk,
): string | undefined {
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => posix.isAbsolute(folder));
  return folders.map((folder) => posix.join(folder, program)).find(isProgram);
}
