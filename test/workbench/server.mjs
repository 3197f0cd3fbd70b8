// @ts-check
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWineItself, wineOfRun } from '../windows/wine.mjs';
import { windowsServer } from '../windows/windowsServer.mjs';
import { followFile } from './followFile.mjs';
import { CommandError, run } from './run.mjs';
import { endProcessesWith, processesWith, serverMark } from './processes.mjs';
import { vscodeServer } from './vscodeServer.mjs';

/** Settings that disable VS Code's own start pages and suggestions. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'telemetry.telemetryLevel': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  // As on the desktop. In a browser, VS Code saves a second after the last key, which on a busy machine can be at any time.
  'files.autoSave': 'off',
  // To find ports, it would read about every process on the machine again and again.
  'remote.autoForwardPorts': false,
};

/**
 * @typedef {object} ServerOptions
 * @property {string} [extensionsFolder] installed extensions, none by default
 * @property {Record<string, unknown>} [settings] machine settings in addition to the quiet ones
 * @property {boolean} [workspaceTrust] ask for trust as on the desktop; by default, every folder is trusted
 * @property {boolean} [testDriver] accept an extension and tests to run in the workbench's URL; hides toasts
 * @property {NodeJS.ProcessEnv} [env] variables added to the server's environment
 * @property {import('./vscodeServer.mjs').Release} [release] of VS Code; defaults to `PARLEY_VSCODE`
 * @property {import('../windows/wine.mjs').Wine} [wine] run the server on Windows; defaults to where the process's tests run
 * @property {number} [port] defaults to any free port (0)
 */

/** Flags that every start of the server has in common. @param {string} dataFolder @param {string} extensionsFolder */
function commonArgs(dataFolder, extensionsFolder) {
  return [
    '--accept-server-license-terms',
    '--server-data-dir',
    dataFolder,
    '--extensions-dir',
    extensionsFolder,
    // The level alone doesn't turn off the distribution's own telemetry, which resolves its host's address many times a second.
    '--disable-telemetry',
    '--telemetry-level',
    'off',
  ];
}

/** A running VS Code server with a separate data folder. */
export class Server {
  /**
   * @param {string} tempFolder
   * @param {number} port
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} mark
   * @param {{ text: string }} log
   * @param {import('../windows/wine.mjs').Wine} [wine] when it runs in Windows
   */
  constructor(tempFolder, port, child, mark, log, wine) {
    this.tempFolder = tempFolder;
    this.port = port;
    this.child = child;
    this.mark = mark;
    this.logged = log;
    this.wine = wine;
    /** The machine settings file. Running windows follow its changes. */
    this.settingsFile = join(tempFolder, 'data', 'data', 'Machine', 'settings.json');
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** What the server has printed so far. */
  get log() {
    return this.logged.text;
  }

  /**
   * Copies `source` into a new folder for one workbench, which is empty without `source`.
   * @param {string} [source]
   * @returns {Promise<string>} the folder's real path
   */
  async workspace(source) {
    const folder = join(await realpath(await mkdtemp(join(this.tempFolder, 'ws-'))), 'workspace');
    await mkdir(folder);
    if (source) await cp(source, folder, { recursive: true });
    return folder;
  }

  /** Sets the machine settings to these on top of the quiet ones; a window that is open follows. @param {Record<string, unknown>} settings */
  async replaceSettings(settings) {
    await writeFile(this.settingsFile, JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  }

  /** Changes some of the machine settings. @param {Record<string, unknown>} patch a value of `undefined` removes the setting */
  async changeSettings(patch) {
    const settings = JSON.parse(await readFile(this.settingsFile, 'utf8'));
    await writeFile(this.settingsFile, JSON.stringify({ ...settings, ...patch }, null, 2));
  }

  /** Converts a path of this system to the form of the server's programs. @param {string} path absolute */
  path(path) {
    return this.wine?.path(path) ?? path;
  }

  /** Returns the path of VS Code's URI for a path of this system. @param {string} path absolute */
  uriPath(path) {
    if (this.wine === undefined) return path;
    const [drive = '', ...rest] = this.wine.path(path).split('\\');
    return ['', drive.toLowerCase(), ...rest].join('/');
  }

  /** Returns the URL of the workbench with `folder` opened. @param {string} folder @param {string} [query] */
  url(folder, query = '') {
    return `${this.origin}/?folder=${encodeURIComponent(this.uriPath(folder))}${query}`;
  }

  /**
   * Returns the URL of the workbench with a workspace whose first folder is `folder`, to which others can be added.
   * @param {string} folder
   * @param {string} [query]
   */
  async workspaceUrl(folder, query = '') {
    const file = join(folder, '..', 'parley.code-workspace');
    await writeFile(file, JSON.stringify({ folders: [{ path: this.path(folder) }] }));
    return `${this.origin}/?workspace=${encodeURIComponent(this.uriPath(file))}${query}`;
  }

  /** Returns the running processes of this server, including the server itself. */
  async processes() {
    const found = await processesWith(serverMark, this.mark);
    return this.wine ? found.filter((one) => !isWineItself(one)) : found;
  }

  /**
   * Stops the server and removes its folders.
   * @param {{ graceMs?: number }} [options] how long its processes may take to exit
   * @returns {Promise<import('./processes.mjs').FoundProcess[]>} processes that outlived it and were killed
   */
  async stop(options = {}) {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      const guard = setTimeout(() => this.child.kill('SIGKILL'), 5000);
      await exit;
      clearTimeout(guard);
    }
    const left = await endProcessesWith(
      serverMark,
      this.mark,
      options.graceMs ?? 10_000,
      this.wine ? isWineItself : undefined,
    );
    await rm(this.tempFolder, { recursive: true, force: true, maxRetries: 3 });
    return left;
  }
}

/**
 * Starts VS Code's server on loopback with new folders. Resolves when it accepts connections.
 * @param {ServerOptions} [options]
 */
export async function startServer(options = {}) {
  const wine = options.wine ?? wineOfRun();
  const vscode = wine ? await windowsServer(wine) : await vscodeServer(undefined, options.release);
  const named = (/** @type {string} */ path) => wine?.path(path) ?? path;
  const tempFolder = await realpath(await mkdtemp(join(wine?.temp ?? tmpdir(), 'parley-')));
  const dataFolder = join(tempFolder, 'data');
  const extensionsFolder = options.extensionsFolder ?? join(tempFolder, 'extensions');
  await mkdir(join(dataFolder, 'data', 'Machine'), { recursive: true });
  await mkdir(extensionsFolder, { recursive: true });
  const settings = { ...quietSettings, ...options.settings };
  await writeFile(join(dataFolder, 'data', 'Machine', 'settings.json'), JSON.stringify(settings, null, 2));
  const mark = randomUUID();
  const args = [
    named(join(vscode.folder, 'out', 'server-main.js')),
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port ?? 0),
    '--without-connection-token',
    ...commonArgs(named(dataFolder), named(extensionsFolder)),
    // Tests don't use the user's shell profile, which may also take seconds.
    '--force-disable-user-env',
    // Not useful on loopback.
    '--disable-websocket-compression',
    ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
  ];
  // The editor's TypeScript service would leave its compiled code in the temporary folder.
  const env = { NODE_DISABLE_COMPILE_CACHE: '1', [serverMark]: mark, ...options.env };
  const output = join(tempFolder, 'printed.txt');
  const child = wine
    ? wine.start(args, { cwd: tempFolder, env, output })
    : spawn(vscode.node, args, {
        cwd: tempFolder,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
  const log = { text: '' };
  const port = await untilListening(child, log, wine ? followFile(output, child) : undefined);
  return new Server(tempFolder, port, child, mark, log, wine);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ text: string }} log
 * @param {import('node:events').EventEmitter} [printed] emits its output if the child has no stream
 * @returns {Promise<number>} the port it listens on
 */
function untilListening(child, log, printed) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => {
      clearTimeout(guard);
      child.kill('SIGKILL');
      reject(new Error(`VS Code's server ${why}:\n${log.text.slice(-3000)}`));
    };
    const guard = setTimeout(() => fail('did not start within 60 s'), 60_000);
    const read = (/** @type {Buffer} */ chunk) => {
      log.text = (log.text + chunk.toString()).slice(-1_000_000);
      const port = /listening on (\d+)/.exec(log.text)?.[1];
      if (port === undefined || !log.text.includes('Extension host agent started')) return;
      clearTimeout(guard);
      child.off('exit', early);
      resolve(Number(port));
    };
    const early = (/** @type {number | null} */ code) => fail(`ended at once (${code})`);
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    printed?.on('data', read);
    child.once('error', (error) => fail(`cannot be started (${error.message})`));
    child.once('exit', early);
  });
}

/**
 * Installs a VSIX into `extensionsFolder` as a user would.
 * @param {string} vsix
 * @param {string} extensionsFolder
 */
export async function installVsix(vsix, extensionsFolder) {
  const wine = wineOfRun();
  const vscode = wine ? await windowsServer(wine) : await vscodeServer();
  const named = (/** @type {string} */ path) => wine?.path(path) ?? path;
  const dataFolder = await mkdtemp(join(wine?.temp ?? tmpdir(), 'parley-install-'));
  try {
    const main = named(join(vscode.folder, 'out', 'server-main.js'));
    const args = [main, '--install-extension', named(vsix), '--force'];
    args.push(...commonArgs(named(dataFolder), named(extensionsFolder)));
    const printed = wine ? await runInWindows(wine, args) : await run(vscode.node, args);
    if (!/successfully installed/.test(printed)) throw new Error(`${vsix} was not installed:\n${printed}`);
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** @param {import('../windows/wine.mjs').Wine} wine @param {readonly string[]} args */
async function runInWindows(wine, args) {
  const { code, printed } = await wine.run(args);
  if (code !== 0) throw new CommandError(`node ${args.join(' ')} ended with ${code}`, printed);
  return printed;
}
