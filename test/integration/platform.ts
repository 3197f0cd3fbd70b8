import { spawnSync } from 'node:child_process';
import type { TestContext } from './api';

const isWindows = process.platform === 'win32';

/** Whether files have permission bits that programs can change. */
export const hasModes = !isWindows;

/** Skips a test whose commands exist only on Linux. */
export function needsLinux(context: TestContext): void {
  if (process.platform !== 'linux') context.skip('its commands are those of Linux');
}

/** Skips a test of a POSIX shell. Tests that only need a command use a program that Windows has, too. */
export function needsShell(context: TestContext): void {
  if (isWindows) context.skip('Windows has no POSIX shell');
}

/** Skips a test of permission bits. */
export function needsModes(context: TestContext): void {
  if (!hasModes) context.skip('Windows has no permission bits');
}

/** Skips a test that creates symbolic links. */
export function needsLinks(context: TestContext): void {
  if (isWindows) context.skip('Windows lets only privileged users create symbolic links');
}

/** Skips a test that runs Git, where Git for Windows isn't installed. Everywhere else, Git must be there. */
export function needsGit(context: TestContext): void {
  if (isWindows && spawnSync('git', ['--version']).error) context.skip('Git for Windows isn’t installed');
}

/** Skips a test of what only Windows has. */
export function needsWindows(context: TestContext): void {
  if (!isWindows) context.skip('it is about paths and files of Windows');
}
