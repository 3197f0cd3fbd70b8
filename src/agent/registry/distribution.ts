import * as l10n from '@vscode/l10n';
import type { BinaryTarget, PackageDistribution, RegistryAgent } from './registryAgent';
import { reservedVariable } from '../base/reservedVariables';
import { getSentence, type Runtime } from './runtimes';

/** The properties of this machine that decide how an agent can run. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** In the form of `process.arch`. */
  readonly arch: string;
  /** Whether Node.js and npm are installed. */
  readonly hasNpm: boolean;
  readonly hasUvx: boolean;
}

/** How an agent runs on this machine, or why it can't. */
export type Distribution =
  | { readonly kind: 'binary'; readonly target: BinaryTarget }
  | { readonly kind: 'npx' | 'uvx'; readonly package: PackageDistribution }
  /** `reason` is a sentence, with a next step if there is one. `needs` is what the user can install to change it. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly needs?: Runtime };

/** Chooses a program for this platform if there is one, or else npm, or else uvx, or explains why none is possible. */
export function chooseDistribution(agent: RegistryAgent, machine: Machine): Distribution {
  const chosen = choose(agent, machine);
  if (chosen.kind === 'unavailable') return chosen;
  const variable = reservedVariable(chosen.kind === 'binary' ? chosen.target.env : chosen.package.env);
  if (variable === undefined) return chosen;
  return unavailable(
    l10n.t('Blocked: its registry entry sets {0}, a variable that controls what runs on this machine.', variable),
  );
}

/** Returns the registry's name of a platform; undefined if it has none. */
export function platformKey({ platform, arch }: Pick<Machine, 'platform' | 'arch'>): string | undefined {
  const os = { darwin: 'darwin', linux: 'linux', win32: 'windows' }[platform as string];
  const cpu = { arm64: 'aarch64', x64: 'x86_64' }[arch];
  return os === undefined || cpu === undefined ? undefined : `${os}-${cpu}`;
}

function choose(agent: RegistryAgent, machine: Machine): Distribution {
  const key = platformKey(machine);
  const target = key === undefined ? undefined : agent.binary.get(key);
  if (target) return { kind: 'binary', target };
  if (agent.npx && machine.hasNpm) return { kind: 'npx', package: agent.npx };
  if (agent.uvx && machine.hasUvx) return { kind: 'uvx', package: agent.uvx };
  const { platform } = machine;
  if (agent.npx && agent.uvx) {
    return needing('node', l10n.t('Needs Node.js or uv, and neither is installed.'), platform);
  }
  if (agent.npx) return needing('node', l10n.t('Needs Node.js with npm, which isn’t installed.'), platform);
  if (agent.uvx) return needing('uv', l10n.t('Needs uv, which isn’t installed.'), platform);
  const here = key ?? `${machine.platform}-${machine.arch}`;
  return unavailable(
    l10n.t('Not available for this machine ({0}). Available for: {1}.', here, [...agent.binary.keys()].join(', ')),
  );
}

function needing(needs: Runtime, what: string, platform: NodeJS.Platform): Distribution {
  return { kind: 'unavailable', reason: `${what} ${getSentence(needs, platform)}`, needs };
}

function unavailable(reason: string): Distribution {
  return { kind: 'unavailable', reason };
}
