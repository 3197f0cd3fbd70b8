import type { PackageDistribution } from './registryAgent';

/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns the command to run a package with npx or uvx. */
export function packageCommand(kind: 'npx' | 'uvx', { package: name, cmd, args }: PackageDistribution): CommandLine {
  if (kind === 'npx') {
    return { command: 'npx', args: ['--yes', ...(cmd === undefined ? [name] : ['--package', name, cmd]), ...args] };
  }
  return { command: 'uvx', args: [...(cmd === undefined ? [name] : ['--from', name, cmd]), ...args] };
}

/** Returns a command line for display, with words that contain spaces in quotes. */
export function commandText({ command, args }: CommandLine): string {
  return [command, ...args].map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
