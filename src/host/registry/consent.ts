import * as l10n from '@vscode/l10n';
import { describeEntry, shown, type Detail } from '../../agent/spec/describeEntry';
import type { CommandLine } from '../../agent/spec/commandLine';
import type { NpmFacts } from '../../agent/registry/npmFacts';
import type { RegistryAgent } from '../../agent/registry/registryAgent';
import { askInFull } from '../ui/askInFull';
import type { Runnable } from './agentItems';
import type { FoundAgent } from './localAgents';

/** The command to agree to, how it gets onto this machine, and the added version if this updates one. */
export interface InstallQuestion {
  readonly agent: RegistryAgent;
  readonly line: CommandLine;
  readonly distribution: Runnable;
  readonly updateFrom?: string;
  /** What npm reports about the package. */
  readonly facts?: NpmFacts;
}

/** Shows exactly what will be downloaded and run, and asks the user to confirm. */
export async function confirmInstall(asked: InstallQuestion): Promise<boolean> {
  const { agent, updateFrom } = asked;
  const isUpdate = updateFrom !== undefined && updateFrom !== agent.version;
  const question = isUpdate
    ? l10n.t('Update {0} from {1} to {2}?', agent.name, updateFrom, agent.version)
    : l10n.t('Add {0} {1}?', agent.name, agent.version);
  const yes = isUpdate ? l10n.t('Update') : l10n.t('Add');
  const describe = (detail: Detail) => describeDistribution(asked, detail);
  return (await askInFull({ question, describe, yes })) === 'yes';
}

/** Shows the command of a program on this machine, and asks the user to confirm. */
export async function confirmFound({ found, command, args }: FoundAgent): Promise<boolean> {
  const describe = (detail: Detail) => [
    ...describeEntry({ command, args }, detail),
    l10n.t('Program: {0}', shown(found.path, detail)),
    ...permissions(),
  ];
  const question = l10n.t('Add {0}?', joinedName(found.known.name, found.version));
  return (await askInFull({ question, describe, yes: l10n.t('Add') })) === 'yes';
}

function joinedName(name: string, version: string | undefined): string {
  return version === undefined ? name : `${name} ${version}`;
}

function describeDistribution(asked: InstallQuestion, detail: Detail): readonly string[] {
  const { line, distribution } = asked;
  const { env } = distribution.kind === 'binary' ? distribution.target : distribution.package;
  return [...describeEntry({ ...line, env }, detail), ...source(asked, detail), ...permissions()];
}

function permissions(): readonly string[] {
  return ['', l10n.t('Agents run with your permissions: they can read and change your files and use the network.')];
}

function source({ distribution, facts }: InstallQuestion, detail: Detail): readonly string[] {
  if (distribution.kind === 'npx') {
    const checksum = facts?.integrity;
    return [
      l10n.t('Package: {0}, installed with npm without its scripts', shown(distribution.package.package, detail)),
      ...(checksum === undefined ? [] : [l10n.t('Expected checksum: {0}', shown(checksum, detail))]),
    ];
  }
  if (distribution.kind !== 'binary') {
    return [l10n.t('{0} downloads the package when the agent first starts.', distribution.kind)];
  }
  const { archive, sha256 } = distribution.target;
  const check =
    sha256 === undefined
      ? l10n.t('The registry provides no checksum, so the download can’t be verified.')
      : l10n.t('Expected SHA-256: {0}', sha256);
  return [l10n.t('Download: {0}', shown(archive, detail)), check];
}
