import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { scrubEnvironment } from '../../process/scrubEnvironment';

/** The environment that programs get when the user starts them in a terminal, and its source. */
export interface ShellEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** `process`: the editor's own environment, because there was no shell to ask or asking failed. */
  readonly source: 'shell' | 'process';
  /** The shell that was asked. */
  readonly shell?: string;
  /** A sentence that says why the shell's environment isn't used; absent if there was no problem. */
  readonly problem?: string;
}

/** Which shell to ask and for how long. Everything has a default. */
export interface ShellEnvironmentOptions {
  /** The editor's environment. Defaults to that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** The shell to ask. Defaults to the user's login shell. */
  readonly shell?: string;
  /** Total timeout in milliseconds. Defaults to 10,000. */
  readonly timeoutMs?: number;
  /** The program that prints the environment: this editor's own Node. */
  readonly nodePath?: string;
  readonly spawn?: typeof spawn;
}

/** The flags to try, one set after the other. */
type Attempts = readonly (readonly string[])[];

/**
 * Maximum output in bytes, because rc files may print tens of megabytes by mistake; no real environment is that large.
 */
const outputLimit = 8 * 1024 * 1024;

/** These describe the shell itself, not the user's environment. */
const shellOwn = ['SHLVL', 'PWD', 'OLDPWD', '_'];
const helperNames = [
  'PARLEY_NODE',
  'PARLEY_SCRIPT',
  'PARLEY_MARK',
  'ELECTRON_RUN_AS_NODE',
  'VSCODE_RESOLVING_ENVIRONMENT',
];

/** The mark comes from the environment, so an echoed command line never looks like the output. */
const printScript = 'const{PARLEY_MARK:m,...e}=process.env;' + 'process.stdout.write(m+JSON.stringify(e)+m)';

/** `env` works in every shell's grammar, and a NODE_OPTIONS set by an rc file can't break the output. */
const printCommand = '/usr/bin/env -u NODE_OPTIONS ELECTRON_RUN_AS_NODE=1 "$PARLEY_NODE" -e "$PARLEY_SCRIPT"';

/**
 * Returns a function that reads the login shell's environment on its first call and returns the same result from then
 * on. It never rejects.
 */
export function createShellEnvironment(options: ShellEnvironmentOptions = {}): () => Promise<ShellEnvironment> {
  let answer: Promise<ShellEnvironment> | undefined;
  return () => (answer ??= readShellEnvironment(options));
}

/**
 * Reads the environment of the user's login shell on macOS and Linux. On other systems, or if that fails, returns the
 * editor's own.
 */
export async function readShellEnvironment(options: ShellEnvironmentOptions = {}): Promise<ShellEnvironment> {
  const base = options.env ?? process.env;
  const own = scrubEnvironment(base);
  const platform = options.platform ?? process.platform;
  if (platform === 'win32') return { env: own, source: 'process' };
  const shell = options.shell ?? loginShell(base, platform);
  const fallback = (why: string): ShellEnvironment => ({
    env: own,
    source: 'process',
    shell,
    problem: l10n.t(
      'Couldn’t read the environment of your shell {0}: {1}. Agents use the environment VS Code was started with.',
      shell,
      why,
    ),
  });
  const attempts = attemptsFor(shell);
  if (!attempts) return fallback(l10n.t('this shell isn’t supported'));

  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = AbortSignal.timeout(timeoutMs);
  let why = '';
  for (const flags of attempts) {
    const result = await ask(shell, flags, own, options, deadline);
    if (typeof result !== 'string') return { env: withoutTraces(result, own), source: 'shell', shell };
    why = result;
    // The next attempt runs fewer rc files and could succeed, but no time is left.
    if (deadline.aborted) return fallback(l10n.t('no response within {0} s', timeoutMs / 1000));
  }
  return fallback(why);
}

function loginShell(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (env['SHELL']) return env['SHELL'];
  try {
    const shell = userInfo().shell;
    if (shell) return shell;
  } catch {
    // The user database has no entry, as in some containers.
  }
  return platform === 'darwin' ? '/bin/zsh' : '/bin/sh';
}

/**
 * Tries an interactive login shell first, because PATH is often set in .bashrc or .zshrc; then a login shell only, for
 * rc files that need a terminal.
 */
function attemptsFor(shell: string): Attempts | undefined {
  const name = basename(shell).toLowerCase();
  if (['nu', 'pwsh', 'xonsh', 'elvish', 'nologin', 'false', 'true'].includes(name)) return undefined;
  // csh accepts `-l` only as the only flag.
  if (name === 'csh' || name === 'tcsh') return [['-ic'], ['-c']];
  return [
    ['-i', '-l', '-c'],
    ['-l', '-c'],
  ];
}

/** Resolves to the environment that the shell printed, or to why there is none. */
function ask(
  shell: string,
  flags: readonly string[],
  base: Readonly<Record<string, string>>,
  options: ShellEnvironmentOptions,
  deadline: AbortSignal,
): Promise<Record<string, string> | string> {
  const mark = randomBytes(16).toString('hex');
  return new Promise((resolve) => {
    const env = {
      ...base,
      PARLEY_NODE: options.nodePath ?? process.execPath,
      PARLEY_SCRIPT: printScript,
      PARLEY_MARK: mark,
      // Lets rc files skip slow parts; VS Code sets the same variable.
      VSCODE_RESOLVING_ENVIRONMENT: '1',
    };
    // Its own session, because an interactive shell must not access the terminal that VS Code was started from.
    const child = (options.spawn ?? spawn)(shell, [...flags, printCommand], {
      cwd: homedir(),
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let output = '';
    const settle = (result: Record<string, string> | string) => {
      deadline.removeEventListener('abort', onDeadline);
      child.stdout.destroy();
      resolve(result);
    };
    const onDeadline = () => {
      killGroup(child);
      settle(l10n.t('it timed out'));
    };
    deadline.addEventListener('abort', onDeadline);
    if (deadline.aborted) onDeadline();
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
      const found = between(output, mark);
      if (found === undefined && output.length < outputLimit) return;
      // The shell exits on its own now; if it doesn't, it is no longer needed.
      setTimeout(killGroup, 1000, child).unref();
      if (found === undefined) settle(l10n.t('too much output'));
      else settle(parseEnvironment(found) ?? l10n.t('its output couldn’t be read'));
    });
    child.on('error', (error) => {
      settle(error.message);
    });
    // Not `exit`, because the last output may still be in the pipe.
    child.on('close', (code, signal) => {
      settle(l10n.t('it exited ({0})', signal ?? l10n.t('exit code {0}', String(code))));
    });
  });
}

function between(output: string, mark: string): string | undefined {
  const start = output.indexOf(mark);
  if (start < 0) return undefined;
  const end = output.indexOf(mark, start + mark.length);
  return end < 0 ? undefined : output.slice(start + mark.length, end);
}

function parseEnvironment(json: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // Another program wrote into the middle of the output.
    return undefined;
  }
}

function withoutTraces(env: Record<string, string>, base: Readonly<Record<string, string>>): Record<string, string> {
  const result = { ...env };
  for (const name of [...helperNames, ...shellOwn]) {
    const before = base[name];
    if (before === undefined) Reflect.deleteProperty(result, name);
    else result[name] = before;
  }
  return result;
}

/**
 * Kills the shell's process group, because an interactive bash ignores SIGTERM. Does nothing after the shell has
 * exited: the processes it left running are the user's.
 */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}
