// @ts-check
// What a VSIX contains for one platform: everything of the universal one, but the programs that run there in the place of all others.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { listing } from './release/listing.mjs';

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

/** The lines of `.vscodeignore` that pack the terminals' programs of the universal VSIX. Those of Windows are large, and each Windows has a VSIX. */
const allTerminals = ['!dist/node-pty/prebuilds/linux-*/**', '!dist/node-pty/prebuilds/darwin-*/**'];

/** The line that packs the sandbox's programs for all processors of Linux. */
const allHelpers = '!dist/vendor/seccomp/*/**';

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
  const missing = [...allTerminals, allHelpers].find((line) => !lines.includes(line));
  if (missing !== undefined) throw new Error(`.vscodeignore lacks the line ${missing}.`);
  const own = join(root, 'out', 'package', `${platform}.vscodeignore`);
  await mkdir(dirname(own), { recursive: true });
  const [system, processor = ''] = platform.split('-');
  const shipped = [
    ...lines.filter((line) => !allTerminals.includes(line) && line !== allHelpers),
    `!dist/node-pty/prebuilds/${platform}/**`,
    ...(system === 'linux' ? [allHelpers.replace('*', processor)] : []),
  ];
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
  // Its types lack the option that keeps another README out.
  const options = { cwd, packageManager: PackageManager.None, ignoreFile, readmePath: listing.readme };
  return listFiles(options);
}
