import { win32 } from 'node:path';
import { batchArguments, breaksBatchLine } from '../../process/batchArguments';

/** The part of the file system needed to find a program. */
export interface CommandFiles {
  isFile(path: string): boolean;
  /** Returns the file's text; undefined if it can't be read. */
  readFile(path: string): string | undefined;
}

/** A program that Windows can start without PATH or PATHEXT. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are already quoted for cmd.exe. */
  readonly windowsVerbatimArguments?: true;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Extensions that CreateProcess and cmd.exe can start; PATHEXT also lists scripts of other hosts. */
const startable = ['.com', '.exe', '.bat', '.cmd'];

/**
 * Finds a program like Windows, by PATHEXT and PATH, but never in the current folder. A script created by npm becomes
 * the Node program behind it; any other batch file is run by cmd.exe with its arguments unchanged. `notFound`: there is
 * no such program; `lineBreak`: an argument that can't be passed to a batch file.
 */
export function resolveWindowsCommand(
  command: string,
  args: readonly string[],
  env: Env,
  files: CommandFiles,
  cwd?: string,
): WindowsCommand | 'notFound' | 'lineBreak' {
  const path = findProgram(command, env, files, cwd);
  if (path === undefined) return 'notFound';
  if (!/\.(cmd|bat)$/i.test(path)) return { command: path, args };
  const shim = unwrapShim(path, env, files);
  if (shim) return { command: shim.command, args: [...shim.args, ...args] };
  if ([path, ...args].some(breaksBatchLine)) return 'lineBreak';
  const root = variable(env, 'SystemRoot') ?? 'C:\\Windows';
  return {
    command: variable(env, 'ComSpec') ?? win32.join(root, 'System32', 'cmd.exe'),
    args: batchArguments(path, args),
    windowsVerbatimArguments: true,
  };
}

function findProgram(command: string, env: Env, files: CommandFiles, cwd: string | undefined): string | undefined {
  const names = candidateNames(command, env);
  if (/[\\/]/.test(command) || win32.isAbsolute(command)) {
    const base = cwd ?? '';
    return names.map((name) => (base === '' ? name : win32.resolve(base, name))).find((path) => files.isFile(path));
  }
  for (const entry of (variable(env, 'Path') ?? '').split(';')) {
    const folder = entry.trim().replace(/^"(.*)"$/, '$1');
    if (!win32.isAbsolute(folder)) continue;
    const found = names.map((name) => win32.join(folder, name)).find((path) => files.isFile(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the name itself if its extension can be started, then the name with each extension of PATHEXT. */
function candidateNames(command: string, env: Env): string[] {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => startable.includes(extension));
  const withExtensions = extensions.map((extension) => command + extension);
  return startable.includes(win32.extname(command).toLowerCase()) ? [command, ...withExtensions] : withExtensions;
}

/** Returns the program and first arguments behind a script by npm or yarn; undefined for every other script. */
function unwrapShim(path: string, env: Env, files: CommandFiles): WindowsCommand | undefined {
  const text = files.readFile(path);
  if (text === undefined || text.length > 16_384) return undefined;
  const folder = win32.dirname(path);
  const node = nodeBeside(folder, env, files);
  const own = /^\s*SET "(?:NPM|NPX)_CLI_JS=%~dp0\\([^"%]+\.js)"/im.exec(text)?.[1];
  if (own !== undefined && /^"%NODE_EXE%" "%(?:NPM|NPX)_CLI_JS%" %\*/im.test(text)) {
    return runnable(node, [], win32.join(folder, own), files);
  }
  // A script that does more than search for Node does so for a reason.
  const sets = [...text.matchAll(/\bSET\s+"?(\w+)=/gi)].map((match) => match[1]?.toLowerCase());
  if (sets.some((name) => name !== 'dp0' && name !== '_prog' && name !== 'pathext')) return undefined;
  const program =
    /"%_prog%"\s+(.*?)"%dp0%\\([^"%]+)"\s+%\*/i.exec(text) ??
    /"%~dp0\\node\.exe"\s+(.*?)"%~dp0\\([^"%]+)"\s+%\*/i.exec(text);
  if (program) {
    const prog = /SET\s+"?_prog=(\w+)/i.exec(text)?.[1]?.toLowerCase();
    const flags = (program[1] ?? '').split(/\s+/).filter((flag) => flag !== '');
    if ((prog !== undefined && prog !== 'node') || flags.some((flag) => !/^-[\w=.:-]+$/.test(flag))) return undefined;
    return runnable(node, flags, win32.join(folder, program[2] ?? ''), files);
  }
  const direct = /^@?"%(?:~dp0|dp0%)\\([^"%]+\.exe)"\s+%\*/im.exec(text)?.[1];
  const target = direct === undefined ? undefined : win32.join(folder, direct);
  return target !== undefined && files.isFile(target) ? { command: target, args: [] } : undefined;
}

function runnable(
  node: string | undefined,
  flags: readonly string[],
  script: string,
  files: CommandFiles,
): WindowsCommand | undefined {
  return node !== undefined && files.isFile(script) ? { command: node, args: [...flags, script] } : undefined;
}

function nodeBeside(folder: string, env: Env, files: CommandFiles): string | undefined {
  const beside = win32.join(folder, 'node.exe');
  if (files.isFile(beside)) return beside;
  const found = findProgram('node', env, files, undefined);
  return found !== undefined && /\.exe$/i.test(found) ? found : undefined;
}

/** Returns a variable; names of environment variables ignore case on Windows. */
function variable(env: Env, name: string): string | undefined {
  const upper = name.toUpperCase();
  const value = Object.entries(env).find(([key]) => key.toUpperCase() === upper)?.[1];
  return value === '' ? undefined : value;
}
