import { dirname, join } from 'node:path';

/** Processors that the library's program for Windows exists for. */
export const windowsProcessors: ReadonlySet<string> = new Set(['x64', 'arm64']);

/** Returns the path of the program that makes the sandbox on Windows. It's built beside the keeper's script, and no package has it. */
export function windowsHelper(keeperPath: string, arch: string = process.arch): string {
  return join(dirname(keeperPath), 'vendor', 'srt-win', arch, 'srt-win.exe');
}
