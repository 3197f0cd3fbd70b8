import { win32 } from 'node:path';
import type { SandboxCommand } from '../../shared/limits/sandbox';

/** A command in the form that the library takes on Windows. */
export interface InsideCommand {
  /** Undefined: the system's command processor. */
  readonly shell?: { readonly exe: string; readonly args: readonly string[] };
  /** The last argument. */
  readonly last: string;
}

/**
 * Returns a command for the library, which knows shells and their line. A program takes the shell's place, with its last
 * argument as the line. Undefined if neither fits.
 */
export function insideCommand({ file, args }: Pick<SandboxCommand, 'file' | 'args'>): InsideCommand | undefined {
  const isProcessor = win32.basename(file).toLowerCase() === 'cmd.exe';
  const line = isProcessor && /\/c "(.*)"$/s.exec(typeof args === 'string' ? args : args.join(' '))?.[1];
  if (line) return { last: line };
  if (typeof args === 'string' || !win32.isAbsolute(file)) return undefined;
  // Without a last argument, the command processor starts the program.
  const last = args.at(-1);
  return last === undefined ? { last: `"${file}"` } : { shell: { exe: file, args: args.slice(0, -1) }, last };
}

/** Variables that Windows sets for each account or for the machine: those of the sandbox's own account apply. */
const ofAccount =
  /^(?:USERPROFILE|HOME|HOMEDRIVE|HOMEPATH|HOMESHARE|APPDATA|LOCALAPPDATA|TEMP|TMP|TMPDIR|USERNAME|USERDOMAIN.*|LOGONSERVER|SESSIONNAME|ONEDRIVE.*|PUBLIC|ALLUSERSPROFILE|SYSTEMDRIVE|SYSTEMROOT|WINDIR|COMSPEC|COMPUTERNAME|COMMONPROGRAM.*|PROGRAMFILES.*|PROGRAMDATA|PROGRAMW6432|NUMBER_OF_PROCESSORS|PROCESSOR_.*|OS|DRIVERDATA|PSMODULEPATH)$/i;

/** Windows allows 32,767 characters, and quoting adds some. */
const longestLine = 32_000;

/** Variables that decide how programs reach the network: the library's apply. */
const ofProxy = /^(?:no_proxy|(?:https?|ftp|all|grpc|rsync)_proxy)$/i;

/**
 * Adds a command's environment to an argument list of the library's program, which starts commands with that of the
 * sandbox's account. Variables that the library sets itself keep its values, except where programs are found. Throws if
 * Windows can't pass on that much.
 */
export function withEnvironment(argv: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const end = argv.indexOf('--');
  const head = argv.slice(0, end);
  const names = new Map<string, number>();
  head.forEach((word, index) => {
    if (head[index - 1] === '--env') names.set(word.slice(0, word.indexOf('=')).toUpperCase(), index);
  });
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    const at = names.get(upper);
    if (ofAccount.test(name) || ofProxy.test(name) || name === '' || name.includes('=')) continue;
    if (at === undefined) head.push('--env', `${name}=${value}`);
    else if (upper === 'PATH' || upper === 'PATHEXT') head[at] = `${name}=${value}`;
  }
  const line = [...head, ...argv.slice(end)];
  const length = line.reduce((sum, word) => sum + word.length + 3, 0);
  if (length > longestLine) throw new Error(`its arguments and environment are too long (${length} characters)`);
  return line;
}
