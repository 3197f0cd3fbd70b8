import { execFile } from 'node:child_process';
import { isAbsolute, win32 } from 'node:path';
import { ownProgram } from './ownProgram';

/** Runs a program and resolves to its output. Uses the C locale for dates, whatever the user's language. */
export function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, LC_ALL: 'C' };
    const path = isAbsolute(program) || win32.isAbsolute(program) ? program : ownProgram(program);
    if (path === undefined) {
      reject(new Error(`${program} wasn't found`));
      return;
    }
    execFile(path, args, { env, timeout: 10_000, windowsHide: true }, (error, stdout) => {
      if (error) reject(new Error(error.message, { cause: error }));
      else resolve(stdout);
    });
  });
}

/** Runs a PowerShell command and resolves to its output. */
export function runPowerShell(command: string): Promise<string> {
  const program = systemProgram('WindowsPowerShell\\v1.0\\powershell.exe');
  return run(program, ['-NoProfile', '-NonInteractive', '-Command', command]);
}

/** Returns the path of a program of Windows, because PATH may lack the system's folder or have another program first. */
export function systemProgram(name: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const root = Object.entries(env).find(([key]) => key.toUpperCase() === 'SYSTEMROOT')?.[1];
  return win32.join(root || 'C:\\Windows', 'System32', name);
}
