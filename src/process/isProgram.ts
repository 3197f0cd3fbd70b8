import { accessSync, constants } from 'node:fs';
import { attempt } from '../shared/values/attempt';

/** Returns whether a path is something that can be run. A folder is, too. */
export function isProgram(path: string): boolean {
  return attempt(() => (accessSync(path, constants.X_OK), true)) ?? false;
}
