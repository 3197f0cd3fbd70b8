import type { CommandLine } from '../spec/commandLine';
import type { PackageDistribution } from './registryAgent';

/** Returns the command to run a package with npx or uvx. */
export function packageCommand(kind: 'npx' | 'uvx', { package: name, cmd, args }: PackageDistribution): CommandLine {
  if (kind === 'npx') {
    return { command: 'npx', args: ['--yes', ...(cmd === undefined ? [name] : ['--package', name, cmd]), ...args] };
  }
  return { command: 'uvx', args: [...(cmd === undefined ? [name] : ['--from', name, cmd]), ...args] };
}
