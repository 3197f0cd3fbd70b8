import { execFile } from 'node:child_process';
import { ownProgram } from '../process/ownProgram';

/** The machine that git would run on. Defaults to this one. */
export interface GitMachine {
  readonly platform: NodeJS.Platform;
  /** The git that would run; undefined without one. */
  readonly program: string | undefined;
  /** Runs a program and resolves to whether it succeeds. */
  succeeds(program: string, args: readonly string[]): Promise<boolean>;
}

/** The git that macOS has in any case. Without the developer tools, it only opens a dialog that offers to install them. */
const placeholder = '/usr/bin/git';

/** The answer for the git that was found last. Without a git that can be used, the user may install it. */
let usable: string | undefined;

/** Returns the git that Parley runs; undefined if there is none, or if running it would open a dialog, as on macOS without the developer tools. */
export async function usableGit(machine: GitMachine = thisMachine()): Promise<string | undefined> {
  const { platform, program } = machine;
  if (platform !== 'darwin' || program !== placeholder || usable === program) return program;
  usable = (await machine.succeeds('/usr/bin/xcode-select', ['--print-path'])) ? program : undefined;
  return usable;
}

function thisMachine(): GitMachine {
  return {
    platform: process.platform,
    program: ownProgram('git'),
    succeeds: (program, args) =>
      new Promise((resolve) => {
        execFile(program, args, { timeout: 10_000 }, (error) => resolve(error === null));
      }),
  };
}
