import { readFileSync, statSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import { withUpperDrive } from '../../disk/paths';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import { withoutEditor } from '../../process/withoutEditor';
import { notFound, SpawnFailure, type AgentLaunch } from '../process/agentProcess';
import type { AgentSpec } from '../spec/agentSpec';
import { enteredInputs, type AskInput } from './enteredInputs';
import { conductorArgs } from '../spec/proxyChain';
import type { CommandLine } from '../spec/commandLine';
import { expandVariables, type VariableContext } from '../base/variables';
import { resolveWindowsCommand, type CommandFiles } from '../process/windowsCommand';

/** Where an agent is started. */
export interface LaunchContext {
  /** Absolute. The value of `${workspaceFolder}`, and the agent's folder unless its settings say otherwise. */
  readonly workspaceFolder?: string;
  readonly workspaceFolders: readonly { readonly name: string; readonly path: string }[];
  readonly userHome: string;
  /** The user's environment, usually from `createShellEnvironment`. */
  environment(): Promise<{ readonly env: Readonly<Record<string, string>> }>;
  /** Asks for the values of `${input:NAME}`. Without it, there are none. */
  readonly askInput?: AskInput;
  /** Defaults to this machine's platform. */
  readonly platform?: NodeJS.Platform;
  /** Defaults to this machine's files; used on Windows only. */
  readonly files?: CommandFiles;
}

/**
 * Resolves what to run: expands variables, completes the environment, makes the folder absolute, and finds the program.
 * Rejects with a `SpawnFailure` if the program isn't on PATH or a setting is invalid.
 */
export async function resolveLaunch(spec: AgentSpec, context: LaunchContext): Promise<AgentLaunch> {
  const platform = context.platform ?? process.platform;
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const { env: userEnv } = await context.environment();
  // Registry entries are used as shown, because `${env:TOKEN}` in one would expose the user's data.
  const isOwn = spec.source !== 'registry';
  const inputs = await enteredInputs(spec, context.askInput ?? (() => Promise.resolve(undefined)));
  const spelled = (folder: string) => withUpperDrive(folder, platform);
  const workspaceFolder = context.workspaceFolder === undefined ? undefined : spelled(context.workspaceFolder);
  const expandOwn = expander(spec, {
    ...compact({ workspaceFolder }),
    workspaceFolders: context.workspaceFolders.map(({ name, path: folder }) => ({ name, path: spelled(folder) })),
    userHome: context.userHome,
    env: userEnv,
    pathSeparator: path.sep,
    envIsCaseSensitive: !isWindows,
    inputs,
  });

  const expand = (text: string) => (isOwn ? expandOwn(text) : text);
  const base = workspaceFolder ?? context.userHome;
  const cwd = spelled(path.resolve(base, expandHome(expand(spec.cwd ?? ''), context.userHome)));
  const named = Object.entries({ ...spec.chain?.env, ...spec.env });
  const own = named.map(([name, value]) => [name, expand(value)] as const);
  // Most agents run commands themselves, with their own environment.
  const env = merge(scrubEnvironment(userEnv), [...Object.entries(withoutEditor(platform)), ...own], isWindows);
  if (!isWindows) env['PWD'] = cwd;
  const expandLine = ({ command: program, args }: CommandLine): CommandLine => {
    const command = isOwn ? expandHome(expand(program), context.userHome) : program;
    return { command, args: withoutPrompt(command, args.map(expand)) };
  };
  const locate = (line: CommandLine) => locateProgram({ ...line, env, cwd }, platform, context.files);
  const agent = expandLine({ command: spec.command, args: spec.args });
  const secretValues = Object.values(inputs);
  const secrets = secretValues.length > 0 ? { secretValues } : {};
  if (!spec.chain) return { ...(await locate(agent)), ...secrets };
  const lines = [...spec.chain.proxies.map(expandLine), agent];
  const chain: AgentLaunch[] = [];
  for (const line of lines) chain.push(await locate(line));
  // The arguments for a batch file are quoted for cmd.exe only, so the conductor has to find that file itself.
  const found = chain.map((one, index) => (one.windowsVerbatimArguments ? (lines[index] ?? one) : one));
  const conductor = expandLine(spec.chain.conductor);
  return {
    ...(await locate({ command: conductor.command, args: conductorArgs(conductor, found) })),
    chain,
    ...secrets,
  };
}

/**
 * Resolves to the launch with its program found on the PATH of its environment; rejects with a `SpawnFailure` if it
 * wasn't found.
 */
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

/** Replaces a leading `~` with the user's home folder. */
export function expandHome(text: string, home: string): string {
  return /^~(?=$|[\\/])/.test(text) ? home + text.slice(1) : text;
}

/** Merges environments; later entries win. On Windows, `PATH` and `Path` are one variable. */
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

/** npx prompts on stdin before installing, but stdin carries the protocol, so the prompt would hang. */
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
      // An unreadable file isn't recognized, and cmd.exe reports the error.
      return undefined;
    }
  },
};

/**
 * Resolves to the program's absolute path. Skips empty and relative entries of PATH, because they would run files in
 * the workspace.
 */
async function findProgram(command: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  if (command.includes('/')) {
    const path = posix.resolve(cwd, command);
    const kind = await kindOf(path);
    if (kind === 'program') return path;
    throw kind === 'missing' ? notFound(path) : notExecutable(path, kind);
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

function notExecutable(path: string, kind: 'file' | 'folder' = 'file'): SpawnFailure {
  const message =
    kind === 'folder'
      ? l10n.t('{0} is a folder. Use the path of the program in it.', path)
      : l10n.t('{0} isn’t executable. Check the path and its permissions.', path);
  return new SpawnFailure('notExecutable', path, message);
}
