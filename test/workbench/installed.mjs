// @ts-check
import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProduct, inRoot } from '../root.mjs';
import { wineOfRun } from '../windows/wine.mjs';
import { makeOnce } from './cache.mjs';
import { installVsix } from './server.mjs';

/**
 * The absolute path of the file that `npm run package` creates, for all platforms or for one.
 * @param {string} [platform]
 */
export async function vsixPath(platform) {
  const { name, version } = JSON.parse(await readFile(inProduct('package.json'), 'utf8'));
  return inProduct('dist', `${[name, platform, version].filter(Boolean).join('-')}.vsix`);
}

/**
 * Resolves to an extensions folder in which VS Code has installed the packaged Parley. Created once for each VSIX.
 * @returns {Promise<string>}
 */
export async function installedExtension() {
  const vsix = await vsixPath();
  const hash = createHash('sha256')
    .update(await readFile(vsix))
    .digest('hex');
  const wine = wineOfRun();
  const target = wine ? join(wine.drive, 'extensions') : inRoot('out', 'installed', hash.slice(0, 16));
  return makeOnce(target, async (folder) => {
    await installVsix(vsix, folder);
    // VS Code for Linux, which installs it, takes no package for Windows, and the universal one has no programs of Windows.
    if (wine) await addWindowsTerminals(folder);
  });
}

/** @param {string} folder an extensions folder with Parley */
async function addWindowsTerminals(folder) {
  const name = (await readdir(folder)).find((entry) => entry.startsWith('parley.parley-acp-')) ?? '';
  const programs = join('dist', 'node-pty', 'prebuilds', 'win32-x64');
  await cp(inProduct(programs), join(folder, name, programs), { recursive: true });
}
