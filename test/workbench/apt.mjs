// @ts-check
import { cleanEnv, run } from './run.mjs';

/** Runs apt-get as root, or with `sudo` if no password is needed. @param {string[]} args */
export async function aptGet(...args) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command = '', ...rest] = [...sudo, 'apt-get', '-qq', ...args];
  await run(command, rest, { env: { ...cleanEnv(), DEBIAN_FRONTEND: 'noninteractive' } });
}
