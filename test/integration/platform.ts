import type { TestContext } from './api';

/** Skips a test that uses a POSIX shell, modes, links, or signals on systems without them. */
export function needsPosix(context: TestContext): void {
  if (process.platform === 'win32') context.skip('Windows has no POSIX shell, modes, links and signals');
}

/** Skips a test whose commands exist only on Linux. */
export function needsLinux(context: TestContext): void {
  if (process.platform !== 'linux') context.skip('its commands are those of Linux');
}

/** Skips a test of what only Windows has. */
export function needsWindows(context: TestContext): void {
  if (process.platform !== 'win32') context.skip('it is about paths and files of Windows');
}
