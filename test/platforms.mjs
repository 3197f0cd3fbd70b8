// @ts-check
// What a VSIX contains for one platform: everything of the universal one, but of the terminals' programs only those that run there.
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

/** The line of `.vscodeignore` that packs the programs of all platforms. */
const allPlatforms = '!dist/node-pty/prebuilds/*/**';

/**
 * Writes the list of what ships on a platform, and returns its path. Without a platform, it is `.vscodeignore` itself.
 * @param {string} root the project's folder
 * @param {Platform | undefined} platform
 * @returns {Promise<string>}
 */
export async function shippedList(root, platform) {
  const file = join(root, '.vscodeignore');
  if (platform === undefined) return file;
  const lines = (await readFile(file, 'utf8')).split('\n');
  if (!lines.includes(allPlatforms)) throw new Error(`.vscodeignore lacks the line ${allPlatforms}.`);
  const own = join(root, 'out', 'package', `${platform}.vscodeignore`);
  await mkdir(dirname(own), { recursive: true });
  const text = lines.map((line) => (line === allPlatforms ? line.replace('*', platform) : line)).join('\n');
  await writeFile(own, text);
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
