import { readFileSync, statSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import * as l10n from '@vscode/l10n';
import { scrubEnvironment } from '../process/scrubEnvironment';
import { notFound, SpawnFailure, type AgentLaunch } from './agentProcess';
import type { AgentSpec } from './agentSpec';
import { expandVariables, type VariableContext } from './variables';
import { resolveWindowsCommand, type CommandFiles } from './windowsCommand';

/** The place an agent is started for. */
export interface LaunchContext {
  /** Absolute; what `${workspaceFolder}` means and where the agent runs unless its settings say otherwise. */
  readonly workspaceFolder?: string;
  readonly workspaceFolders: readonly { readonly name: string; readonly path: string }[];
  readonly userHome: string;
  /** The user's environment, usually that of `createShellEnvironment`. */
  environment(): Promise<{ readonly env: Readonly<Record<string, string>> }>;
  /** This machine's when absent. */
  readonly platform?: NodeJS.Platform;
  /** This machine's when absent; looked at on Windows only. */
  readonly files?: CommandFiles;
}

/**
 * Works out what to run: variables expanded, environment complete, folder absolute, program found. Rejects with a
 * `SpawnFailure` when the program is nowhere on PATH or a setting makes no sense.
 */
export async function resolveLaunch(spec: AgentSpec, context: LaunchContext): Promise<AgentLaunch> {
  const platform = context.platform ?? process.platform;
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const { env: userEnv } = await context.environment();
  // What comes from a registry is taken as it was shown: `${env:TOKEN}` in it would hand out what is the user's.
  const isOwn = spec.source !== 'registry';
  const expandOwn = expander(spec, {
    ...(context.workspaceFolder === undefined ? {} : { workspaceFolder: context.workspaceFolder }),
    workspaceFolders: context.workspaceFolders,
    userHome: context.userHome,
    env: userEnv,
    pathSeparator: path.sep,
    envIsCaseSensitive: !isWindows,
  });

  const expand = (text: string) => (isOwn ? expandOwn(text) : text);
  const base = context.workspaceFolder ?? context.userHome;
  const cwd = path.resolve(base, expandHome(expand(spec.cwd ?? ''), context.userHome));
  const own = Object.entries(spec.env).map(([name, value]) => [name, expand(value)] as const);
  const env = merge(scrubEnvironment(userEnv), own, isWindows);
  if (!isWindows) env['PWD'] = cwd;
  const command = isOwn ? expandHome(expand(spec.command), context.userHome) : spec.command;
  const args = withoutPrompt(command, spec.args.map(expand));

  return locateProgram({ command, args, env, cwd }, platform, context.files);
}

/** The launch with its program found on the PATH of its environment; rejects with a `SpawnFailure` when it is nowhere. */
export async function locateProgram(
  { command, args, env, cwd }: AgentLaunch,
  platform = process.platform,
  files = diskFiles,
): Promise<AgentLaunch> {
  if (platform === 'win32') return resolveOnWindows(command, args, env, cwd, files);
  return { command: await findProgram(command, env, cwd), args, env, cwd };
}

function expander(spec: AgentSpec, context: VariableContext): (text: string) => string {
  return (text) => {
    const { text: expanded, unknown } = expandVariables(text, context);
    const [first] = unknown;
    if (first === undefined) return expanded;
    const message = first.startsWith('${workspaceFolder')
      ? l10n.t(
          'The settings for {0} use {1}, but this window has no such folder. Open it or enter a path.',
          spec.name,
          first,
        )
      : l10n.t('The settings for {0} use {1}, which can’t be resolved. Fix it in parley.agents.', spec.name, first);
    throw new SpawnFailure('other', spec.command, message);
  };
}

/** A path with the user's home in place of its `~`. */
export function expandHome(text: string, home: string): string {
  return /^~(?=$|[\\/])/.test(text) ? home + text.slice(1) : text;
}

/** Later entries win; on Windows `PATH` and `Path` are one variable. */
function merge(
  base: Readonly<Record<string, string>>,
  own: readonly (readonly [string, string])[],
  isWindows: boolean,
): Record<string, string> {
  const env = { ...base };
  for (const [name, value] of own) {
    if (isWindows) {
      const twin = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
      if (twin !== undefined) Reflect.deleteProperty(env, twin);
    }
    env[name] = value;
  }
  return env;
}

/** npx asks on stdin before it installs, where the protocol runs: nobody would answer. */
export function withoutPrompt(command: string, args: readonly string[]): readonly string[] {
  const program = (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(cmd|exe|bat)$/, '');
  const isNpmExec = program === 'npm' && (args[0] === 'exec' || args[0] === 'x');
  if (program !== 'npx' && !isNpmExec) return args;
  const head = isNpmExec ? args.slice(0, 1) : [];
  const rest = args.slice(head.length);
  const firstOther = rest.findIndex((arg) => !arg.startsWith('-') || arg === '--');
  const options = firstOther < 0 ? rest : rest.slice(0, firstOther);
  const isDecided = options.some((arg) => /^(-y|--yes|--no|--no-yes|--no-install)$|^--yes=/.test(arg));
  return isDecided ? args : [...head, '--yes', ...rest];
}

function resolveOnWindows(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  files: CommandFiles,
): AgentLaunch {
  const resolved = resolveWindowsCommand(command, args, env, files, cwd);
  if (resolved === 'notFound') throw notFound(command);
  if (resolved === 'lineBreak') {
    const message = l10n.t(
      '{0} is a batch file and can’t take arguments with line breaks. Remove them in parley.agents.',
      command,
    );
    throw new SpawnFailure('other', command, message);
  }
  return { ...resolved, env, cwd };
}

const diskFiles: CommandFiles = {
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  readFile: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // Not readable: then it is not recognised, and cmd.exe will say more.
      return undefined;
    }
  },
};

/** The program's absolute path. Empty and relative entries of PATH are skipped: they would run what lies in the workspace. */
async function findProgram(command: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  if (command.includes('/')) {
    const path = posix.resolve(cwd, command);
    const kind = await kindOf(path);
    if (kind === 'program') return path;
    throw kind === 'missing' ? notFound(path) : notExecutable(path);
  }
  let unusable: string | undefined;
  for (const folder of (env['PATH'] ?? '').split(':')) {
    if (!posix.isAbsolute(folder)) continue;
    const path = posix.join(folder, command);
    const kind = await kindOf(path);
    if (kind === 'program') return path;
    if (kind === 'file') unusable ??= path;
  }
  throw unusable === undefined ? notFound(command) : notExecutable(unusable);
}

async function kindOf(path: string): Promise<'program' | 'file' | 'folder' | 'missing'> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 'missing';
  if (!found.isFile()) return 'folder';
  return access(path, constants.X_OK).then(
    () => 'program',
    () => 'file',
  );
}

function notExecutable(path: string): SpawnFailure {
  const message = l10n.t('{0} isn’t executable. Check the path and its permissions.', path);
  return new SpawnFailure('notExecutable', path, message);
}
