// @ts-check
import { constants } from 'node:fs';
import { access, readdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { aptGet } from './apt.mjs';
import { cacheFolder, makeOnce } from './cache.mjs';
import { cleanEnv, run } from './run.mjs';

/** What the sandbox of agents is made of on Linux beside bubblewrap: each program and its package in Debian. */
const installable = /** @type {const} */ ([
  ['socat', 'socat'],
  ['rg', 'ripgrep'],
]);

/** Where the tests keep their own bubblewrap: on a PATH, agents with a sandbox of their own would use it. */
const ownBubblewrap = () => join(cacheFolder(), 'bubblewrap');

/** The value of PATH with which the programs of the sandbox are found. This machine's own come first. */
export function sandboxPath() {
  return [process.env['PATH'] ?? '', join(ownBubblewrap(), 'usr', 'bin')].join(delimiter);
}

/**
 * Gets the programs of the sandbox from Debian if they are missing: bubblewrap into the tests' own folder, and, as root only, the
 * others into the system. Tests that need them are skipped, with the reason, where they can't run.
 * @param {(text: string) => void} [say] called with the progress of slow steps
 */
export async function ensureSandboxPrograms(say = () => {}) {
  if (process.platform !== 'linux') return;
  try {
    await installMissing(say);
    if (!(await isFound('bwrap'))) await downloadBubblewrap(say);
  } catch (error) {
    say(`The sandbox's tests are skipped: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @param {(text: string) => void} say */
async function installMissing(say) {
  const missing = [];
  for (const [program, name] of installable) if (!(await isFound(program))) missing.push(name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`Install ${missing.join(' and ')}, and run again`);
  say(`Installing ${missing.join(' and ')} with apt-get …`);
  await aptGet('update');
  await aptGet('install', '-y', '--no-install-recommends', ...missing);
}

/** @param {(text: string) => void} say */
async function downloadBubblewrap(say) {
  say('Downloading bubblewrap with apt-get …');
  await makeOnce(ownBubblewrap(), async (folder) => {
    const download = () => run('apt-get', ['-qq', 'download', 'bubblewrap'], { cwd: folder, env: cleanEnv() });
    // Without a list of packages, or with an old one, nothing is found. Only root gets a new one.
    await download().catch(async (error) => {
      if (process.getuid?.() !== 0) throw error;
      await aptGet('update');
      await download();
    });
    const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get downloaded no package of bubblewrap');
    await run('dpkg-deb', ['--extract', join(folder, archive), folder]);
    await rm(join(folder, archive));
  });
}

/** @param {string} program */
async function isFound(program) {
  for (const folder of sandboxPath().split(delimiter)) {
    const runs = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return true;
  }
  return false;
}
