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

/** Settings that keep VS Code's own start pages and offers out of the pictures. */
const quietSettings = {
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
  // As on the desktop: in a browser VS Code saves a second after the last key, and on a busy machine that is any moment.
  'files.autoSave': 'off',
  // To find ports it reads of every process on the machine, again and again.
  'remote.autoForwardPorts': false,
};

/**
 * @typedef {object} ServerOptions
 * @property {string} [extensionsFolder] installed extensions; without it the server has none
 * @property {Record<string, unknown>} [settings] machine settings on top of the quiet ones
 * @property {boolean} [workspaceTrust] ask for trust, as on the desktop; without it every folder is trusted
 * @property {boolean} [testDriver] let the workbench's address name an extension and tests to run; hides toasts
 * @property {NodeJS.ProcessEnv} [env] variables added to the server's environment
 * @property {import('./vscodeServer.mjs').Release} [release] of VS Code; without it, what `PARLEY_VSCODE` says
 * @property {import('../windows/wine.mjs').Wine} [wine] runs it in Windows; without it, what the process runs its tests in
 * @property {number} [port] 0, the default, takes any free one
 */

/** Flags that every start of the server has in common. @param {string} dataFolder @param {string} extensionsFolder */
function commonArgs(dataFolder, extensionsFolder) {
  return [
    '--accept-server-license-terms',
    '--server-data-dir',
    dataFolder,
    '--extensions-dir',
    extensionsFolder,
    // The level alone leaves the distribution's own telemetry on, which asks for its host's address many times a second.
    '--disable-telemetry',
    '--telemetry-level',
    'off',
  ];
}

/** A running VS Code server with a data folder of its own. */
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
    /** Machine settings; a running window follows changes of this file. */
    this.settingsFile = join(tempFolder, 'data', 'data', 'Machine', 'settings.json');
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** What the server has printed so far. */
  get log() {
    return this.logged.text;
  }

  /**
   * Copies `source` into a fresh folder for one workbench; an empty one without it.
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

  /** The name that the server's programs use for a path of this system. @param {string} path absolute */
  path(path) {
    return this.wine?.path(path) ?? path;
  }

  /** The path of the URI that VS Code has for a path of this system. @param {string} path absolute */
  uriPath(path) {
    if (this.wine === undefined) return path;
    const [drive = '', ...rest] = this.wine.path(path).split('\\');
    return ['', drive.toLowerCase(), ...rest].join('/');
  }

  /** Address of the workbench with `folder` opened. @param {string} folder @param {string} [query] */
  url(folder, query = '') {
    return `${this.origin}/?folder=${encodeURIComponent(this.uriPath(folder))}${query}`;
  }

  /**
   * Address of the workbench with a workspace opened whose first folder is `folder`: others can be added to it while it is open.
   * @param {string} folder
   * @param {string} [query]
   */
  async workspaceUrl(folder, query = '') {
    const file = join(folder, '..', 'parley.code-workspace');
    await writeFile(file, JSON.stringify({ folders: [{ path: this.path(folder) }] }));
    return `${this.origin}/?workspace=${encodeURIComponent(this.uriPath(file))}${query}`;
  }

  /** Processes started by this server that are running now, the server itself among them. */
  async processes() {
    const found = await processesWith(serverMark, this.mark);
    return this.wine ? found.filter((one) => !isWineItself(one)) : found;
  }

  /**
   * Ends the server and removes its folders.
   * @param {{ graceMs?: number }} [options] how long what it had started may take to end by itself
   * @returns {Promise<import('./processes.mjs').FoundProcess[]>} processes that outlived it and had to be ended
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
 * Starts VS Code's server on loopback with fresh folders, and resolves when it takes connections.
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
    // What a person's shell profile sets, and the seconds that it takes, stay out of the tests.
    '--force-disable-user-env',
    // Nothing is gained by it on loopback.
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
 * @param {import('node:events').EventEmitter} [printed] emits what it prints, if that is no stream of the child's
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
 * Installs a VSIX the way a user does, into `extensionsFolder`.
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
