import { spawnSync } from 'node:child_process';

/** Options of a test that runs POSIX programs or relies on POSIX signals, modes, or processes. Windows skips it with a reason. */
export const posixOnly = {
  skip: process.platform === 'win32' ? 'Windows has no POSIX programs, signals and modes' : false,
};

/** Options of a test that runs Git. Windows skips it where Git for Windows isn't installed. Everywhere else, Git must be there. */
export const needsGit = {
  skip:
    process.platform === 'win32' && spawnSync('git', ['--version']).error ? 'Git for Windows isn’t installed' : false,
};

/** Options of a test about what only Windows has, such as network paths. Other systems skip it with a reason. */
export const windowsOnly = {
  skip: process.platform === 'win32' ? false : 'it is about what only Windows has',
};

/**
 * Runs synchronous code under test as if on another platform. The file system and `node:path` stay those of this machine. Asynchronous code
 * needs the platform as an argument, because other tests run meanwhile.
 */
export function onPlatform<T>(platform: NodeJS.Platform, act: () => T): T {
  const own = process.platform;
  const set = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value });
  set(platform);
  try {
    return act();
  } finally {
    set(own);
  }
}
