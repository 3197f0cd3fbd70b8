import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { attempt } from '../../shared/values/attempt';
import { compact } from '../../shared/values/decodeValue';
import { Emitter } from '../../shared/values/event';
import { messageOf } from '../../shared/values/messageOf';
import { ownPath } from '../../process/ownProgram';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import { withCacheVariables } from '../caches/packageCaches';
import { carriedEnvironment } from '../inside/carriedEnvironment';
import { innerLine } from '../inside/commandLine';
import { recordSandbox, type Leftovers } from '../temporary/leftovers';
import { limitWords } from '../inside/limits';
import { passedEnvironment, type EnvironmentRules } from '../inside/passedEnvironment';
import { LoginDoor } from '../inside/loginDoor';
import { temporaryVariable } from '../temporary/processesOf';
import { gitSettings } from '../places/policy';
import { insideCommand } from '../windows/insideCommand';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import type { HostTarget } from '../../shared/limits/hostTarget';
import {
  SandboxFailure,
  type AskHost,
  type Blocked,
  type CommittedFile,
  type OpenPage,
  type Sandbox,
  type SandboxCommand,
  type WrappedCommand,
} from '../../shared/limits/sandbox';
import type { IDisposable } from '../../shared/values/disposable';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import { browserScript } from './browser';
import type { FromKeeper, ShownFile, ToKeeper } from './messages';

/** How a sandbox is started. */
export interface SandboxOptions {
  readonly policy: SandboxPolicy;
  /** The keeper's script. */
  readonly keeperPath: string;
  /** The environment of the agent, in which the programs of the sandbox are found. */
  readonly env: Readonly<Record<string, string>>;
  /** Decides which of the user's variables commands get. All of them, without it. */
  readonly rules?: EnvironmentRules;
  /** The Node that runs the keeper. Defaults to this process's own. */
  readonly nodePath?: string;
  /** The program ripgrep, if it isn't on PATH. */
  readonly ripgrep?: string;
  readonly guard?: ProcessGuard;
  /** The folder of the records about what sandboxes put on the disk. */
  readonly records?: string;
  readonly log?: (line: string) => void;
}

/** The two ends of a promise. */
interface Waiting {
  readonly resolve: (argv: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

/** What the keeper is asked for, and the environment of what it returns. */
interface Wrapping {
  readonly message: ToKeeper;
  readonly env: Readonly<Record<string, string>>;
}

/** How long a keeper may take to end by itself, in milliseconds. On Windows, it takes back rights in folders. */
const endWithin = process.platform === 'win32' ? 20_000 : 2000;

/** Sandboxes that are over, and still take back what they have put into their folders. */
const ending = new Set<Promise<void>>();

/** Starts a sandbox and resolves when commands can be run in it; rejects with a `SandboxFailure`. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await Promise.all(ending);
  const folders = makeFolders();
  const { records, policy } = options;
  const leftovers =
    records === undefined
      ? undefined
      : await recordSandbox(records, Object.values(folders), policy).catch((error: unknown) => {
          options.log?.(`Sandbox: ${messageOf(error)}`);
          return undefined;
        });
  const sandbox = new KeptSandbox(options, folders, leftovers);
  try {
    await sandbox.ready;
  } catch (error) {
    sandbox.dispose();
    const next = l10n.t('Try again, or select another sandbox with “Parley: Change Sandbox…”.');
    const cause = messageOf(error).trim().replace(/\.$/, '');
    throw new SandboxFailure(`${l10n.t('The sandbox couldn’t start: {0}.', cause)} ${next}`, error);
  }
  return sandbox;
}

/** The folders for temporary files of one sandbox: the agent's, and the one of the process that keeps it. */
interface TemporaryFolders {
  readonly temporary: string;
  readonly own: string;
}

function makeFolders(): TemporaryFolders {
  const [temporary, own] = ['parley-sandbox-', 'parley-keeper-'].map((name) => mkdtempSync(join(tmpdir(), name)));
  if (temporary === undefined || own === undefined) throw new Error('Folders for temporary files are missing');
  return { temporary, own };
}

/** Writes what git has of a file to where no program of the sandbox can change it. */
function showCommitted(source: string, { path, base64, isProgram }: CommittedFile): ShownFile {
  writeFileSync(source, Buffer.from(base64, 'base64'), { mode: isProgram ? 0o555 : 0o444 });
  return { path, source };
}

/** A repository around a session's folder is on another mount. */
const acrossMounts = { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' };

class KeptSandbox implements Sandbox {
  readonly policy: SandboxPolicy;
  readonly ready: Promise<void>;
  /** Resolves when nothing of it is left. */
  private readonly gone: Promise<void>;
  askHost: AskHost | undefined;
  private readonly blocked = new Emitter<Blocked>();
  readonly onDidBlock = this.blocked.event;
  private readonly options: SandboxOptions;
  private readonly keeper: ChildProcess;
  private readonly temporary: string;
  private readonly folders: TemporaryFolders;
  private readonly leftovers: Leftovers | undefined;
  /** The keeper ended as it was asked to, after it had taken back what it put into folders. */
  private hasCleared = false;
  private readonly waiting = new Map<number, Waiting>();
  private readonly questions = new AbortController();
  /** What ends the questions about hosts whose connections are open. */
  private readonly connections = new Map<number, AbortController>();
  private nextId = 1;
  private lastError = '';
  /** Of the last login. Open while the user logs in. */
  private door: LoginDoor | undefined;
  private isDisposed = false;

  constructor(options: SandboxOptions, folders: TemporaryFolders, leftovers: Leftovers | undefined) {
    this.options = options;
    this.policy = options.policy;
    this.folders = folders;
    this.leftovers = leftovers;
    this.temporary = folders.temporary;
    const { env, nodePath = process.execPath, ripgrep, policy } = options;
    writeFileSync(this.browser, browserScript(nodePath, options.keeperPath, this.doorFile), { mode: 0o700 });
    this.keeper = spawn(nodePath, [options.keeperPath], {
      // The library looks for places to guard here, which must not be the user's folder: it would put empty files there.
      cwd: this.temporary,
      env: {
        ...env,
        // The agent's `PATH` may have a folder of the project.
        ...(process.platform === 'win32' ? {} : { PATH: ownPath({ env }) }),
        NODE_OPTIONS: '',
        ...(this.ignoring ? { GIT_CONFIG_COUNT: '1' } : {}),
        ELECTRON_RUN_AS_NODE: '1',
        [temporaryVariable]: this.temporary,
        // Sockets and empty folders that the library makes. The names of sockets are too long elsewhere.
        ...(process.platform === 'linux' ? { TMPDIR: folders.own } : {}),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { keeper } = this;
    if (keeper.pid !== undefined) options.guard?.add(keeper.pid);
    let whenGone: () => void = () => undefined;
    this.gone = new Promise((resolve) => (whenGone = resolve));
    // A program that can't start has no end.
    keeper.once('error', () => whenGone());
    this.ready = new Promise((resolve, reject) => {
      keeper.on('message', (message: FromKeeper) => {
        if (message.kind === 'ready') resolve();
        else if (message.kind === 'failed') reject(new Error(message.message));
        else this.receive(message);
      });
      keeper.once('error', reject);
      // Helpers of a keeper that was killed are in its group. They would run for ever.
      keeper.once('exit', (code) => code !== 0 && process.platform !== 'win32' && attempt(() => this.endHelpers()));
      // After the last of its output.
      keeper.once('close', (code, signal) => {
        const reason = l10n.t('its process exited ({0}). {1}', signal ?? String(code), this.lastError);
        reject(new Error(reason));
        for (const { reject: fail } of this.waiting.values()) fail(new Error(reason));
        this.waiting.clear();
        this.hasCleared = code === 0;
        this.removed();
        whenGone();
      });
    });
    keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.lastError = (this.lastError + text).slice(-2000).trimEnd();
      options.log?.(`Sandbox: ${text.trimEnd()}`);
    });
    const { committed = [], ignored, ...sent } = policy;
    if (ignored !== undefined) writeFileSync(join(folders.own, 'ignored'), ignored, { mode: 0o444 });
    const shown = committed.map((file, at) => showCommitted(join(folders.own, `committed-${at}`), file));
    this.send({ kind: 'start', policy: sent, temporary: this.temporary, shown, ...compact({ ripgrep }) });
  }

  async wrap({ env: given, ...program }: SandboxCommand): Promise<WrappedCommand> {
    const id = this.nextId++;
    const { rules } = this.options;
    const command = { ...program, env: rules ? passedEnvironment(given, rules) : given };
    try {
      const { message, env } = process.platform === 'win32' ? this.forWindows(id, command) : this.forShell(id, command);
      const answer = new Promise<readonly string[]>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
      if (this.keeper.connected) this.send(message);
      else this.settle(id)?.reject(new Error(l10n.t('its process has exited')));
      const [file = '', ...args] = await answer;
      return { file, args, env };
    } catch (error) {
      throw new SandboxFailure(l10n.t('The sandbox can’t run the program: {0}', messageOf(error)), error);
    }
  }

  private forShell(id: number, { file, args, env }: SandboxCommand): Wrapping {
    if (typeof args === 'string') throw new TypeError('Only Windows takes arguments as one line');
    // On Linux, the agent's own folders take the place of the caches.
    const layers = process.platform === 'linux' ? [] : (this.policy.layers ?? []);
    const carried = carriedEnvironment(this.options.env, withCacheVariables(env, layers));
    const own = {
      TMPDIR: this.temporary,
      TMP: this.temporary,
      TEMP: this.temporary,
      ...this.browsing,
      ...this.ignoring,
      ...acrossMounts,
    };
    const { platform } = process;
    const line = innerLine({ file, args }, carried.inner, this.policy, platform, limitWords(platform, release()));
    return { message: { kind: 'wrap', id, line }, env: { ...carried.outer, ...own } };
  }

  /** Only the library's program gets the environment around it, and passes on nothing of that. */
  private forWindows(id: number, { file, args, env }: SandboxCommand): Wrapping {
    const command = insideCommand({ file, args });
    if (!command) throw new Error(l10n.t('its arguments can’t be passed on: {0}', file));
    const settings = this.policy.readable?.find((path) => basename(path) === gitSettings && existsSync(path));
    const own = settings === undefined ? {} : { GIT_CONFIG_GLOBAL: settings };
    return { message: { kind: 'wrapOnWindows', id, command, env: { ...own, ...env } }, env: this.options.env };
  }

  async startLogin(openPage: OpenPage): Promise<IDisposable> {
    this.door?.dispose();
    // Programs there don't let themselves be told a browser. The user opens the page that the agent names.
    if (process.platform === 'win32') return { dispose: () => undefined };
    const { policy, log } = this.options;
    const isHeld = holdsNetwork(policy.mode);
    // Only namespaces of Linux are networks of their own.
    const hasOwnNetwork = isHeld && process.platform === 'linux';
    const door = await LoginDoor.open({
      file: this.doorFile,
      isHeld,
      hasOwnNetwork,
      openPage,
      ...(log ? { log } : {}),
    });
    this.door = door;
    if (this.isDisposed) door.dispose();
    return door;
  }

  ended(): void {
    this.send({ kind: 'ended' });
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    const over = this.gone.then(() => (this.hasCleared ? this.leftovers?.forget() : this.leftovers?.clear()));
    ending.add(over);
    void over.catch(() => undefined).then(() => ending.delete(over));
    this.questions.abort();
    this.door?.dispose();
    this.blocked.dispose();
    this.send({ kind: 'end' });
    const { keeper } = this;
    const timer = setTimeout(() => keeper.kill('SIGKILL'), endWithin);
    timer.unref();
    keeper.once('exit', () => clearTimeout(timer));
  }

  private receive(message: FromKeeper): void {
    if (message.kind === 'wrapped') this.settle(message.id)?.resolve(message.argv);
    else if (message.kind === 'notWrapped') this.settle(message.id)?.reject(new Error(message.message));
    else if (message.kind === 'blocked') this.blocked.fire(message.blocked);
    else if (message.kind === 'ask') void this.answer(message.id, message.target);
    else if (message.kind === 'closed') this.connections.get(message.id)?.abort();
  }

  /** A setting of git in the environment, which the library continues. Undefined if there are others. */
  private get ignoring(): Readonly<Record<string, string>> | undefined {
    const { policy, env } = this.options;
    if (policy.ignored === undefined || 'GIT_CONFIG_COUNT' in env) return undefined;
    return { GIT_CONFIG_KEY_0: 'core.excludesFile', GIT_CONFIG_VALUE_0: join(this.folders.own, 'ignored') };
  }

  /** The program that takes the place of a browser, and the file that says where it can ask for a page. */
  private get browser(): string {
    return join(this.temporary, 'browser');
  }

  private get doorFile(): string {
    return join(this.temporary, 'login');
  }

  /** Makes `xdg-open` and others use this program: those of a desktop can't be reached from inside. */
  private get browsing(): Readonly<Record<string, string>> {
    const noDesktop = {
      XDG_CURRENT_DESKTOP: '',
      DESKTOP_SESSION: '',
      GNOME_DESKTOP_SESSION_ID: '',
      KDE_FULL_SESSION: '',
    };
    return { BROWSER: this.browser, ...noDesktop };
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  private async answer(id: number, target: HostTarget): Promise<void> {
    const denied = { allow: false as const, reason: 'The sandbox does not allow this host' };
    const connection = new AbortController();
    this.connections.set(id, connection);
    const signal = AbortSignal.any([connection.signal, this.questions.signal]);
    const door = this.door?.at(target);
    // The user isn't asked about Parley's own port.
    const asked = async () => (door === 'closed' ? undefined : this.askHost?.(target, signal));
    const answer = door === 'open' ? { allow: true as const } : ((await asked().catch(() => undefined)) ?? denied);
    this.connections.delete(id);
    this.send({ kind: 'answer', id, answer });
  }

  private send(message: ToKeeper): void {
    const { keeper } = this;
    if (keeper.connected) keeper.send(message, () => undefined);
  }

  private endHelpers(): void {
    if (this.keeper.pid !== undefined) process.kill(-this.keeper.pid, 'SIGKILL');
  }

  private removed(): void {
    if (this.keeper.pid !== undefined) this.options.guard?.remove(this.keeper.pid);
    // Only what the sandbox's programs have left in their folders for temporary files.
    const { temporary, own } = this.folders;
    for (const folder of [temporary, own]) rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
  }
}
