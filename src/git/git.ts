import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { ownPath } from '../process/ownProgram';
import { scrubEnvironment } from '../process/scrubEnvironment';
import { toDisposable, type IDisposable } from '../shared/values/disposable';
import { copyVariables } from './copyPlaces';
import { gitPlaceOf, type GitPlace } from './gitPlace';
import { emptyRoom } from './gitRoom';
import { safeSettings, type SafeSettings } from './safeSettings';
import { usableGit } from './usableGit';

type Environment = Readonly<Record<string, string>>;

/** What a run of git printed. Without git, `code` is null. */
export interface GitOutput {
  readonly code: number | null;
  readonly out: Buffer;
  /** Empty unless `readsErrors`. */
  readonly err: string;
}

export interface GitOptions {
  /** No limit if absent. */
  readonly timeoutMs?: number;
  /** Written to its standard input. */
  readonly input?: string | Uint8Array;
  /** Git may leave a process behind that keeps its errors open, so only who shows them waits for their end. */
  readonly readsErrors?: boolean;
  /** Further variables, such as another index. */
  readonly more?: Environment;
}

/**
 * Which programs the user's own git may start: all that it would, those that the user has set and none that the repository names, or none, in
 * which case it doesn't run.
 */
export type StartedPrograms = 'all' | 'own' | 'none';

/** Decides which programs the user's own git may start in a folder. */
export type DecidePrograms = (folder: string) => Promise<StartedPrograms>;

const startAll: DecidePrograms = () => Promise.resolve('all');
let decide = startAll;

/** Asks `decision` before the user's own git runs, until disposed. */
export function decidePrograms(decision: DecidePrograms): IDisposable {
  decide = decision;
  return toDisposable(() => {
    if (decide === decision) decide = startAll;
  });
}

export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable | null>;

const isWindows = process.platform === 'win32';

/**
 * Runs git in a folder, and resolves to what it printed, also if it fails. Nothing of the repository can start a program: git gets only settings
 * that name none, there are no hooks, and it finds no program but itself. So no filter runs, and nothing is fetched.
 */
export async function safeGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  const program = await usableGit();
  if (program === undefined) return nothing('');
  const place = await gitPlaceOf(folder);
  const env = await safeEnvironment(program, place);
  return env ? outputOf(start(program, ['-C', folder, ...args], env, options), options.input) : refused(folder);
}

/** Starts git in a repository, see `safeGit`. Undefined if it can't start. */
export async function startSafely(
  place: GitPlace,
  args: readonly string[],
  options: Pick<GitOptions, 'timeoutMs'> = {},
): Promise<GitProcess | undefined> {
  const program = await usableGit();
  const env = program === undefined ? undefined : await safeEnvironment(program, place);
  if (program === undefined || !env) return undefined;
  return start(program, ['-C', place.top ?? place.gitFolder, ...args], env, options);
}

/** Returns all settings of a repository and the user, also those that `safeGit` leaves out. Undefined if it can't use the repository. */
export async function allSettings(place: GitPlace): Promise<SafeSettings['all'] | undefined> {
  return (await settingsAbout(place))?.all;
}

/** Returns what is set for a repository, and where. Undefined if `safeGit` can't use it. */
export async function settingsAbout(place: GitPlace): Promise<SafeSettings | undefined> {
  const program = await usableGit();
  return program === undefined ? undefined : settingsFor(program, place);
}

/**
 * Runs git as the user does, with everything that the repository and the user have set: hooks, filters, signing, and programs. Only for what
 * the user starts and needs that. If what the repository starts has changed during a session, it runs only after the user has agreed. `programs`
 * is what the user has said already.
 */
export async function fullGit(
  folder: string,
  args: readonly string[],
  { programs, ...options }: GitOptions & { readonly programs?: StartedPrograms } = {},
): Promise<GitOutput> {
  const program = await usableGit();
  if (program === undefined) return nothing('');
  const allowed = programs ?? (await decide(folder));
  if (allowed === 'none') return notAgreed();
  const own = Object.entries(scrubEnvironment(process.env)).filter(([name]) => !selecting.has(name.toUpperCase()));
  // What git reports is read to find the user's next step.
  const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_PAGER: '', LANGUAGE: 'en' };
  const env = { ...Object.fromEntries(own), ...quiet, ...copyVariables(folder), PATH: ownPath() };
  if (allowed === 'all') return outputOf(start(program, ['-C', folder, ...args], env, options), options.input);
  const place = await gitPlaceOf(folder);
  const settings = place && (await settingsFor(program, place));
  if (!settings) return refused(folder);
  const last = new Map(settings.all);
  const given = [
    ['core.hooksPath', emptyRoom()],
    ['core.fsmonitor', 'false'],
    ...who.flatMap((key) => (last.has(key) ? [[key, last.get(key) ?? '']] : [])),
  ].flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const inPlace = { ...env, ...placeVariables(place, settings.standIn) };
  return outputOf(start(program, ['-C', folder, ...given, ...args], inPlace, options), options.input);
}

/** What a repository says about who commits, and whether that is signed. */
const who = ['user.name', 'user.email', 'user.signingkey', 'commit.gpgsign', 'gpg.format'];

/** Variables that select another repository than the one of the folder, as in an editor that was started by a hook. */
const selecting = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX']);

function settingsFor(program: string, place: GitPlace): Promise<SafeSettings | undefined> {
  return safeSettings(place, async (standIn) => {
    const args = ['config', '--list', '-z', '--show-scope', '--show-origin', '--includes'];
    // What the user has set for all repositories, with what is included for this one.
    const env = { ...bareEnvironment(true), ...placeVariables(place, standIn) };
    const { code, out } = await outputOf(start(program, args, env, { timeoutMs: 20_000 }), '');
    return code === 0 ? out : undefined;
  });
}

async function safeEnvironment(program: string, place: GitPlace | undefined): Promise<Environment | undefined> {
  const quiet = {
    GIT_CONFIG_GLOBAL: isWindows ? 'NUL' : '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: '',
    GIT_EDITOR: ':',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
  // Without a repository, git doesn't look for one itself.
  if (!place) return { ...bareEnvironment(false), ...quiet, GIT_DIR: emptyRoom() };
  const settings = await settingsFor(program, place);
  return settings && { ...bareEnvironment(false), ...quiet, ...placeVariables(place, settings.standIn) };
}

/** The variables by which git finds a repository without looking for it, and its settings in another folder. */
function placeVariables({ top, gitFolder, common }: GitPlace, standIn: string): Environment {
  return {
    GIT_DIR: gitFolder,
    GIT_COMMON_DIR: standIn,
    GIT_OBJECT_DIRECTORY: join(common, 'objects'),
    GIT_SHALLOW_FILE: join(common, 'shallow'),
    ...(top === undefined ? {} : { GIT_WORK_TREE: top }),
  };
}

/** This process's environment without anything that configures git, and without programs that git could find. */
function bareEnvironment(hasSettings: boolean): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const upper = name.toUpperCase();
    if (value === undefined || upper === 'PATH') continue;
    const isKept = !upper.startsWith('GIT_') || upper.startsWith('GIT_TRACE');
    if (isKept || (hasSettings && upper.startsWith('GIT_CONFIG'))) env[name] = value;
  }
  // Git for Windows finds its own libraries by PATH.
  return { ...env, PATH: isWindows ? ownPath() : emptyRoom(), ...(isWindows ? {} : { GIT_EXEC_PATH: emptyRoom() }) };
}

function start(
  program: string,
  args: readonly string[],
  env: Environment,
  { timeoutMs, readsErrors = false, more }: Omit<GitOptions, 'input'> = {},
): GitProcess {
  const child = spawn(program, args, {
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', readsErrors ? 'pipe' : 'ignore'],
    timeout: timeoutMs,
    windowsHide: true,
  }) as GitProcess;
  // `close` reports the exit.
  child.stdin.on('error', () => undefined);
  return child;
}

function outputOf(child: GitProcess, input: string | Uint8Array | undefined): Promise<GitOutput> {
  return new Promise((resolve) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', ({ message }) => resolve(nothing(message)));
    child.on('close', (code) => resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() }));
    child.stdin.end(input);
  });
}

function nothing(err: string): GitOutput {
  return { code: null, out: Buffer.alloc(0), err };
}

/** The user didn't agree to what would be started. */
function notAgreed(): GitOutput {
  const err = l10n.t('The programs that Git starts in this repository have changed, and you didn’t agree to run them.');
  return { code: 128, out: Buffer.alloc(0), err };
}

/** As git itself ends if it can't use a repository. */
function refused(folder: string): GitOutput {
  return { code: 128, out: Buffer.alloc(0), err: `fatal: the settings of the repository at ${folder} can't be used` };
}
