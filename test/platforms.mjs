// @ts-check
// What a VSIX contains for one platform: everything of the universal one, but of the programs only those that run there.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';

/** The platforms that node-pty has programs for, as VS Code and node-pty name them. All others get the universal VSIX. */
export const platforms = /** @type {const} */ ([
  'linux-x64',
  'linux-arm64',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
]);

/** @typedef {typeof platforms[number]} Platform */

/** The line of `.vscodeignore` that packs the terminals' programs for all platforms. */
const allTerminals = '!dist/node-pty/prebuilds/*/**';

/** The lines that pack the sandbox's programs for all processors, by the system that runs them. */
const allHelpers = new Map([
  ['!dist/vendor/srt-win/*/**', 'win32'],
  ['!dist/vendor/seccomp/*/**', 'linux'],
]);

/**
 * Writes the list of what ships on a platform, and returns its path. Without a platform, it is `.vscodeignore` itself.
 * @param {string} root the folder with the manifest and `dist/`
 * @param {Platform | undefined} platform
 * @returns {Promise<string>}
 */
export async function shippedList(root, platform) {
  const file = join(root, '.vscodeignore');
  if (platform === undefined) return file;
  const lines = (await readFile(file, 'utf8')).split('\n');
  const missing = [allTerminals, ...allHelpers.keys()].find((line) => !lines.includes(line));
  if (missing !== undefined) throw new Error(`.vscodeignore lacks the line ${missing}.`);
  const own = join(root, 'out', 'package', `${platform}.vscodeignore`);
  await mkdir(dirname(own), { recursive: true });
  const [system = '', processor = ''] = platform.split('-');
  const shipped = lines
    .filter((line) => (allHelpers.get(line) ?? system) === system)
    .map((line) => (line === allTerminals ? line.replace('*', platform) : line))
    .map((line) => (allHelpers.has(line) ? line.replace('*', processor) : line));
  await writeFile(own, shipped.join('\n'));
  return own;
}

/**
 * Returns the files of a folder that ship on a platform, relative to the folder.
 * @param {string} cwd
 * @param {string} ignoreFile what `shippedList` returned
 * @returns {Promise<string[]>}
 */
export async function shippedFiles(cwd, ignoreFile) {
  return listFiles({ cwd, packageManager: PackageManager.None, ignoreFile });
}
