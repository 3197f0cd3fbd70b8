// @ts-check
import { spawn } from 'node:child_process';

/**
 * Runs a program to its end. Resolves to its output, or rejects with its last lines if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options]
 * @returns {Promise<string>} standard output and error in the order in which they came
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const guard = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 600_000);
    child.on('error', (error) => {
      clearTimeout(guard);
      reject(new Error(`${command} cannot be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(guard);
      if (code === 0) resolve(output);
      else reject(new CommandError(`${command} ${args.join(' ')} ended with ${signal ?? code}`, output));
    });
  });
}

/** The failure of a program with all of its output. */
export class CommandError extends Error {
  /**
   * @param {string} message
   * @param {string} output
   */
  constructor(message, output) {
    super(`${message}\n${output.slice(-4000)}`);
    this.output = output;
  }
}

/**
 * Returns the environment without the variables that npm sets for scripts, so that npm works the same in `npm test` as
 * elsewhere.
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnv() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)));
}
