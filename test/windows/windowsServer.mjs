// @ts-check
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { inRoot } from '../root.mjs';
import { cacheFolder, makeOnce } from '../workbench/cache.mjs';
import { cleanEnv, run } from '../workbench/run.mjs';
import { vscodeServer } from '../workbench/vscodeServer.mjs';

/** Modules without a binary for Windows on npm, and their replacements in the tests' copy. */
const withoutBinary = {
  '@vscode/windows-registry/dist/index.js':
    'exports.GetStringRegKey = () => undefined;\nexports.GetDWORDRegKey = () => undefined;\n',
  '@vscode/native-watchdog/index.js': 'exports.start = () => {};\n',
};

/**
 * Installs VS Code's server for Windows: the JavaScript of the one for Linux with npm's binaries for Windows.
 * @param {import('./wine.mjs').Wine} wine
 * @returns {Promise<import('../workbench/vscodeServer.mjs').VscodeServer>}
 */
export async function windowsServer(wine) {
  const { version, folder: original } = await vscodeServer(undefined, 'latest');
  const watcher = await readFile(inRoot('test', 'windows', 'pollingWatcher.cjs'), 'utf8');
  const replaced = { ...withoutBinary, '@parcel/watcher/index.js': watcher };
  const edition = createHash('sha256').update(JSON.stringify(replaced)).digest('hex').slice(0, 8);
  const folder = await makeOnce(join(cacheFolder(), `vscode-${version}-windows-${edition}`), async (target) => {
    // Links need no space. npm replaces files instead of changing them, except for its own list.
    await run('cp', ['-al', `${original}/.`, target]);
    await rm(join(target, 'node_modules', '.package-lock.json'), { force: true });
    await ownCopy(join(target, 'package.json'));
    const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    await run('npm', [...args, '--os=win32', '--cpu=x64'], { cwd: target, env: cleanEnv() });
    for (const [name, text] of Object.entries(replaced)) {
      const file = join(target, 'node_modules', name);
      await mkdir(dirname(file), { recursive: true });
      await rm(file, { force: true });
      await writeFile(file, text);
    }
  });
  return { version, folder, node: wine.node };
}

/** @param {string} file */
async function ownCopy(file) {
  const copy = join(dirname(file), `.${basename(file)}`);
  await copyFile(file, copy);
  await rename(copy, file);
}
