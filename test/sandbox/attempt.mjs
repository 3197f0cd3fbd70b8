// @ts-check
// What the attempts of the attack program share. It runs inside of a sandbox, with Node, Perl, and what every Debian has.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What the attack program is told about the machine around it.
 * @typedef {object} Surroundings
 * @property {string} folder the session's folder, which it may change
 * @property {string} [user] the folder that its copy was made of
 * @property {string} [others] the folder with all copies
 * @property {string} outside a folder that it may only read
 * @property {string} home
 * @property {string} marker a text that is in every secret
 * @property {readonly number[]} victims processes outside: an editor and a watchdog
 * @property {string} abstractName of a socket outside that has no file
 * @property {number} sharedMemory the key of shared memory outside
 * @property {string} address of this machine in its network
 * @property {number} allowed the port of a server that it may reach
 * @property {number} closed the port of one that it may not reach
 * @property {number} closedV6 the same, at `::1`
 * @property {string} rebound a name that is allowed, and leads to this machine
 */

/**
 * An attempt to get out. It fails by throwing.
 * @typedef {object} Attempt
 * @property {string} name
 * @property {() => unknown} run
 * @property {boolean} [isOnMachine] whether it would change or show something of the whole machine
 */

/** @type {Surroundings} */
export const around = JSON.parse(process.env['ATTACK'] ?? '{}');

/** Numbers of system calls, on x86-64. */
export const calls = {
  socket: 41,
  shmget: 29,
  ptrace: 101,
  chroot: 161,
  mount: 165,
  umount: 166,
  sethostname: 170,
  initModule: 175,
  setxattr: 188,
  settime: 227,
  keyctl: 250,
  unshare: 272,
  nameToHandle: 303,
  openByHandle: 304,
  setns: 308,
  readMemory: 310,
  writeMemory: 311,
  finitModule: 313,
  renameat2: 316,
  bpf: 321,
  userfault: 323,
  ioUringSetup: 425,
  openTree: 428,
  moveMount: 429,
  fsopen: 430,
  openPidfd: 434,
  getFdOfPid: 438,
};

/**
 * Runs a script of Perl, which can make system calls by number. Throws what it says about a failure.
 * @param {string} script
 */
export function perl(script) {
  const { status, signal, stdout, stderr } = spawnSync('perl', ['-e', script], { encoding: 'utf8', timeout: 10_000 });
  if (status !== 0) throw new Error(stderr.trim() || `The process was ended with ${signal ?? String(status)}`);
  return stdout;
}

/**
 * Returns a call for a script of Perl. It ends the script with the system's message if it fails.
 * @param {number} number
 * @param {readonly (number | string)[]} args
 */
export function call(number, ...args) {
  const values = args.map((value) =>
    typeof value === 'number' ? String(value) : `pack("H*", "${Buffer.from(value).toString('hex')}")`,
  );
  const names = args.map((_value, at) => `my $a${at} = ${values[at]};`);
  const given = args.map((_value, at) => `, $a${at}`).join('');
  return `{ ${names.join(' ')} if (syscall(${number}${given}) == -1) { die "$!\\n"; } }`;
}

/** Makes one system call. @param {number} number @param {readonly (number | string)[]} args */
export function system(number, ...args) {
  perl(call(number, ...args));
}

/** Runs a program. Throws what it says about a failure. @param {string} program @param {readonly string[]} args */
export function run(program, ...args) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 });
  if (error) throw error;
  if (status !== 0) throw new Error((stderr || stdout).trim());
  return stdout;
}

/** Reads a secret. What can be read and has none in it isn't one. @param {string} path */
export function steal(path) {
  return secretIn(readFileSync(path, 'latin1'));
}

/** @param {string} text */
export function secretIn(text) {
  if (!text.includes(around.marker)) throw new Error('There is no secret in it');
  return text;
}
