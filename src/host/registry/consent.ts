import * as l10n from '@vscode/l10n';
import { commandText, type CommandLine } from '../../agent/registry/commandLine';
import type { RegistryAgent } from '../../agent/registry/registryAgent';
import type { Runnable } from './agentItems';
import { askModal } from '../ui/notifications';

/** Shows exactly what will be fetched and run, and asks. */
export async function agrees(
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
  const detail = describe(line, distribution).join('\n');
  return (await askModal(question, { detail, items: [yes] })) === yes;
}

function describe(line: CommandLine, distribution: Runnable): readonly string[] {
  const { env } = distribution.kind === 'binary' ? distribution.target : distribution.package;
  const variables = Object.entries(env).map(([name, value]) => l10n.t('With the variable: {0}={1}', name, value));
  return [
    l10n.t('It runs: {0}', commandText(line)),
    ...variables,
    ...source(distribution),
    '',
    l10n.t('An agent is a program with your rights: it can read and change your files and use the network.'),
  ];
}

function source(distribution: Runnable): readonly string[] {
  if (distribution.kind !== 'binary') {
    return [l10n.t('{0} downloads the package when the agent first starts.', distribution.kind)];
  }
  const { archive, sha256 } = distribution.target;
  const check =
    sha256 === undefined
      ? l10n.t('The registry gives no checksum, so the download cannot be checked.')
      : l10n.t('Its SHA-256 must be: {0}', sha256);
  return [l10n.t('It is downloaded from: {0}', archive), check];
}
