import { batchLine } from './windowsCommandLine';

/** What the operating system is asked to run. On Windows `args` may be one command line that is quoted already. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[] | string;
  /** Whether `file` is a shell that reads the agent's command as a line. */
  readonly viaShell: boolean;
}

export interface LaunchOptions {
  readonly platform: NodeJS.Platform;
  /** The program that reads shell lines: see `chooseShell`. */
  readonly shell: string;
  /** Whether the path, relative to the command's folder, names an existing file. */
  isFile(path: string): boolean;
}

const posixSyntax = /[\s|&;<>()$`"'\\*?[\]{}~#!]/u;
const windowsSyntax = /[\s|&<>^%()"]/u;
const posixShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);

/**
 * Decides how a `terminal/create` runs. Some agents put a whole shell line into `command` and leave `args` empty; such a
 * line goes to the shell. Whatever has arguments, is one plain word, or is the path of a file runs as it is, without a
 * shell (https://agentclientprotocol.com/protocol/terminals).
 */
export function planLaunch(command: string, args: readonly string[], options: LaunchOptions): Launch {
  const windows = options.platform === 'win32';
  const syntax = windows ? windowsSyntax : posixSyntax;
  if (args.length > 0 || !syntax.test(command) || options.isFile(command)) {
    return { file: command, args, viaShell: false };
  }
  if (windows) return { file: options.shell, args: `/d /s /c "${command}"`, viaShell: true };
  return { file: options.shell, args: ['-c', command], viaShell: true };
}

/** A batch file as something Windows can start: only `cmd.exe` runs those, with every argument quoted for it. */
export function throughCmd(shell: string, batchFile: string, args: readonly string[]): Launch {
  return { file: shell, args: `/d /s /c "${batchLine(batchFile, args)}"`, viaShell: false };
}

/**
 * The shell for shell lines: the user's own where it reads the POSIX language that agents write, else `bash`, else
 * `/bin/sh`; on Windows the command processor. `exists` tells whether an absolute path can be run.
 */
export function chooseShell(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean,
): string {
  if (platform === 'win32') return env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe';
  const own = env['SHELL'];
  if (own?.startsWith('/') && posixShells.has(own.slice(own.lastIndexOf('/') + 1)) && exists(own)) return own;
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(exists) ?? '/bin/sh';
}

/** The command as people read it: a shell line as it is, otherwise the words, quoted where they need it. */
export function displayCommand(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  return [command, ...args].map(quoteForReading).join(' ');
}

function quoteForReading(word: string): string {
  if (word !== '' && !/[^\w@%+=:,./\\^~-]/u.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
