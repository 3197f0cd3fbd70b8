import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { posix } from 'node:path';

/** The machine that git would run on. Defaults to this one. */
export interface GitMachine {
  readonly platform: NodeJS.Platform;
  readonly path: string;
  isProgram(path: string): Promise<boolean>;
  /** Runs a program and resolves to whether it succeeds. */
  succeeds(program: string, args: readonly string[]): Promise<boolean>;
}

/** The git that macOS has in any case. Without the developer tools, it only opens a dialog that offers to install them. */
const placeholder = '/usr/bin/git';

const thisMachine: GitMachine = {
  platform: process.platform,
  path: process.env['PATH'] ?? '',
  isProgram: (path) =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    ),
  succeeds: (program, args) =>
    new Promise((resolve) => {
      execFile(program, args, { timeout: 10_000 }, (error) => resolve(error === null));
    }),
};

/** Resolves to false if running git would open a dialog, as it does on macOS without the developer tools. */
export async function isGitUsable(machine: GitMachine = thisMachine): Promise<boolean> {
  if (machine.platform !== 'darwin') return true;
  for (const folder of machine.path.split(':')) {
    if (!posix.isAbsolute(folder)) continue;
    const program = posix.join(folder, 'git');
    if (!(await machine.isProgram(program))) continue;
    return program !== placeholder || machine.succeeds('/usr/bin/xcode-select', ['--print-path']);
  }
  return true;
}
