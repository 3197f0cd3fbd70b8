import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { run as runProgram } from '../process/run';
import { findOwnProgram } from '../process/ownProgram';
import type { MissingNeed } from './missingNeed';
import { windowsNeed } from './windows/needs';

/** What the check looks at. */
export interface NeedsOptions {
  readonly platform: NodeJS.Platform;
  /** The processor. Defaults to this machine's. */
  readonly arch?: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program that makes the sandbox on Windows. */
  readonly helper: string;
  /** Whether the editor has ripgrep. */
  readonly hasRipgrep?: boolean;
  /** Returns whether an absolute path is a program. */
  readonly isProgram?: (path: string) => boolean;
  /** Returns whether there is a file. */
  readonly exists?: (path: string) => boolean;
  /** Resolves if a program succeeds with these arguments. */
  readonly run?: (file: string, args: readonly string[]) => Promise<unknown>;
  /** Resolves to what a program prints with these arguments; used on Windows only. */
  readonly print?: (file: string, args: readonly string[]) => Promise<string>;
}

/** The programs that make a sandbox on Linux: how they are called, and their packages in all distributions. */
const linuxPrograms = [
  ['bwrap', 'bubblewrap'],
  ['socat', 'socat'],
  ['rg', 'ripgrep'],
] as const;

/** Those with a filter of system calls. Without one, the library warns, and the agent could use Docker's socket. */
const processors: ReadonlySet<string> = new Set(['x64', 'arm64']);

/** How packages are installed, by the program that does it. */
const installers: readonly (readonly [program: string, line: string])[] = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['zypper', 'sudo zypper install'],
  ['apk', 'sudo apk add'],
];

/** Makes everything that a sandbox is made of. */
const isolated = ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', '--unshare-net', '--dev', '/dev'];

/** Resolves to what is missing for a sandbox on this machine; undefined if nothing is. */
export async function missingNeed({
  platform,
  arch = process.arch,
  env,
  helper,
  hasRipgrep = false,
  isProgram,
  exists = existsSync,
  run = runQuietly,
  print = runProgram,
}: NeedsOptions): Promise<MissingNeed | undefined> {
  // It has its own program.
  if (platform === 'darwin') return undefined;
  if (platform === 'win32') return windowsNeed({ arch, helper, exists, print });
  if (platform !== 'linux') return { problem: l10n.t('There’s no sandbox on this system.') };
  if (!processors.has(arch)) return { problem: l10n.t('There’s no sandbox for this processor ({0}).', arch) };
  const find = (program: string) => findOwnProgram(program, { env, platform, ...(isProgram ? { isProgram } : {}) });
  const needed = linuxPrograms.filter(([program]) => program !== 'rg' || !hasRipgrep);
  const missing = needed.filter(([program]) => find(program) === undefined).map(([, name]) => name);
  if (missing.length > 0) {
    const line = installers.find(([program]) => find(program) !== undefined)?.[1];
    return {
      problem: l10n.t('The sandbox needs these programs: {0}.', missing.join(', ')),
      ...(line === undefined ? {} : { line: `${line} ${missing.join(' ')}` }),
    };
  }
  try {
    await run(find('bwrap') ?? 'bwrap', [...isolated, '--proc', '/proc', 'true']);
    return undefined;
  } catch {
    // Ubuntu restricts them for programs that it has no profile for.
    const restricted = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
    const isUbuntu = exists(restricted);
    return {
      problem: l10n.t('This system doesn’t allow user namespaces, which the sandbox needs.'),
      ...(isUbuntu ? { line: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0' } : {}),
    };
  }
}

function runQuietly(file: string, args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { timeout: 10_000 }, (error) => (error instanceof Error ? reject(error) : resolve(undefined)));
  });
}
