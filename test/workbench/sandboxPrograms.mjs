// @ts-check
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { aptGet } from './apt.mjs';

/** What the sandbox of agents is made of on Linux: each program and its package in Debian. */
const programs = /** @type {const} */ ([
  ['bwrap', 'bubblewrap'],
  ['socat', 'socat'],
  ['rg', 'ripgrep'],
]);

/** @param {string} program */
async function isOnPath(program) {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (
      await access(join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      )
    ) {
      return true;
    }
  }
  return false;
}

/**
 * Installs the programs of the sandbox from Debian if they are missing, as root only. Tests that need them are skipped, with the reason,
 * where they can't run.
 * @param {(text: string) => void} [say] called with the progress of slow steps
 */
export async function ensureSandboxPrograms(say = () => {}) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const missing = [];
  for (const [program, name] of programs) if (!(await isOnPath(program))) missing.push(name);
  if (missing.length === 0) return;
  say(`Installing ${missing.join(', ')} with apt-get …`);
  try {
    await aptGet('update');
    await aptGet('install', '-y', '--no-install-recommends', ...missing);
  } catch (error) {
    say(`The sandbox's tests are skipped: ${error instanceof Error ? error.message : String(error)}`);
  }
}
