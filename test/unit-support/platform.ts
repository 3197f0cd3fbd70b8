/** Options of a test that runs POSIX programs or relies on POSIX signals, modes, or processes. Windows skips it with a reason. */
export const posixOnly = {
  skip: process.platform === 'win32' ? 'Windows has no POSIX programs, signals and modes' : false,
};
