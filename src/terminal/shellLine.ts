import { lookUp } from './findProgram';
import { batchArguments } from '../process/batchArguments';

/** A program to run and its arguments. On Windows, `args` may be one quoted command line. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[] | string;
  /** Whether `file` is a shell that runs the agent's command line. */
  readonly viaShell: boolean;
}

export interface LaunchOptions {
  readonly platform: NodeJS.Platform;
  /** The program for shell lines. See `chooseShell`. */
  readonly shell: string;
  /** Returns whether a file exists at the path, relative to the command's folder. */
  isFile(path: string): boolean;
}

const posixSyntax = /[\s|&;<>()$`"'\\*?[\]{}~#!]/u;
const windowsSyntax = /[\s|&<>^%()"]/u;
const posixShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);

/**
 * Decides how to run a `terminal/create` request. Some agents send a whole shell line in `command` with empty `args`; it runs in the shell.
 * A command with arguments, a single plain word, or the path of a file runs directly, without a shell
 * (https://agentclientprotocol.com/protocol/terminals).
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

/** Wraps a batch file for Windows: only `cmd.exe` can run it, with every argument quoted. */
export function throughCmd(shell: string, batchFile: string, args: readonly string[]): Launch {
  return { file: shell, args: batchArguments(batchFile, args).join(' '), viaShell: false };
}

/**
 * Returns the shell for shell lines: the user's shell if it supports the POSIX syntax that agents write, or `bash`, or `/bin/sh`. On
 * Windows, the command processor. `exists` returns whether an absolute path is executable.
 */
export function chooseShell(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean,
): string {
  if (platform === 'win32') return lookUp(env, 'COMSPEC') || 'cmd.exe';
  const own = env['SHELL'];
  if (own?.startsWith('/') && posixShells.has(own.slice(own.lastIndexOf('/') + 1)) && exists(own)) return own;
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(exists) ?? '/bin/sh';
}

/** Returns the command for display: a shell line unchanged, or the words, quoted if necessary. */
export function displayCommand(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  return [command, ...args].map(quoteForReading).join(' ');
}

function quoteForReading(word: string): string {
  if (word !== '' && !/[^\w@%+=:,./\\^~-]/u.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
