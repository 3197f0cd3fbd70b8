import type { PackageDistribution } from './registryAgent';

/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** How npx or uvx run a package. */
export function packageCommand(kind: 'npx' | 'uvx', { package: name, cmd, args }: PackageDistribution): CommandLine {
  if (kind === 'npx') {
    return { command: 'npx', args: ['--yes', ...(cmd === undefined ? [name] : ['--package', name, cmd]), ...args] };
  }
  return { command: 'uvx', args: [...(cmd === undefined ? [name] : ['--from', name, cmd]), ...args] };
}

/** A command line as people read it: what has spaces is in quotes. */
export function commandText({ command, args }: CommandLine): string {
  return [command, ...args].map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
