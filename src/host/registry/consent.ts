import * as l10n from '@vscode/l10n';
import { describeEntry, shown, type Detail } from '../../agent/describeEntry';
import type { CommandLine } from '../../agent/registry/commandLine';
import type { RegistryAgent } from '../../agent/registry/registryAgent';
import { askInFull } from '../ui/askInFull';
import type { Runnable } from './agentItems';

/** Shows exactly what will be downloaded and run, and asks the user to confirm. */
export async function confirmInstall(
  agent: RegistryAgent,
  line: CommandLine,
  distribution: Runnable,
  updateFrom?: string,
): Promise<boolean> {
  const isUpdate = updateFrom !== undefined;
  const question = isUpdate
    ? l10n.t('Update {0} from {1} to {2}?', agent.name, updateFrom, agent.version)
    : l10n.t('Add {0} {1}?', agent.name, agent.version);
  const yes = isUpdate ? l10n.t('Update') : l10n.t('Add');
  const describe = (detail: Detail) => describeDistribution(line, distribution, detail);
  return (await askInFull({ question, describe, yes })) === 'yes';
}

function describeDistribution(line: CommandLine, distribution: Runnable, detail: Detail): readonly string[] {
  const { env } = distribution.kind === 'binary' ? distribution.target : distribution.package;
  return [
    ...describeEntry({ ...line, env }, detail),
    ...source(distribution, detail),
    '',
    l10n.t('Agents run with your permissions: they can read and change your files and use the network.'),
  ];
}

function source(distribution: Runnable, detail: Detail): readonly string[] {
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
