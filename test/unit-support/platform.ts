import type { TestContext } from 'node:test';

/** Options of a test that runs POSIX programs or relies on POSIX signals, modes, or processes. Windows skips it with a reason. */
export const posixOnly = {
  skip: process.platform === 'win32' ? 'Windows has no POSIX programs, signals and modes' : false,
};

/** Makes code under test believe that it runs on another platform. The file system and `node:path` stay those of this machine. */
export function pretendPlatform(t: TestContext, platform: NodeJS.Platform): void {
  const own = process.platform;
  const set = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value });
  set(platform);
  t.after(() => set(own));
}
