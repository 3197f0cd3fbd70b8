/** Options of a test that runs POSIX programs, or looks at signals, modes or processes the POSIX way: Windows skips it, and says why. */
export const posixOnly = {
  skip: process.platform === 'win32' ? 'Windows has no POSIX programs, signals and modes' : false,
};
