import * as l10n from '@vscode/l10n';
import { cut, describeEntry, shown, type Detail } from '../../agent/spec/describeEntry';
import type { ForeignAgent } from '../../agent/found/agentServers';
import { commandText } from '../../agent/spec/commandLine';
import { askInFull } from '../ui/askInFull';
import { pickMany } from '../ui/quickInput';
import type { ForeignAgents } from './localAgents';

/** Lets the user choose agents of another editor, and shows exactly what they run. Undefined if the user cancels. */
export async function chooseForeignAgents({
  editor,
  agents,
}: ForeignAgents): Promise<readonly ForeignAgent[] | undefined> {
  const items = agents.map((agent) => ({ label: agent.name, detail: commandText(agent), picked: true, agent }));
  const title = l10n.t('Import agents from {0}', editor);
  const chosen =
    items.length === 1 ? items : await pickMany(items, { title, placeHolder: l10n.t('Select agents to import') });
  if (chosen === undefined || chosen.length === 0) return undefined;
  const picked = chosen.map(({ agent }) => agent);
  const question =
    picked.length === 1
      ? l10n.t('Import {0} from {1}?', picked[0]?.name ?? '', editor)
      : l10n.t('Import {0} agents from {1}?', picked.length, editor);
  const describe = (detail: Detail) => [
    ...picked.flatMap((agent) => [...describeForeign(agent, detail), '']),
    l10n.t('Agents run with your permissions: they can read and change your files and use the network.'),
  ];
  return (await askInFull({ question, describe, yes: l10n.t('Import') })) === 'yes' ? picked : undefined;
}

function describeForeign({ name, command, args, env, secrets }: ForeignAgent, detail: Detail): readonly string[] {
  const hidden = Object.keys(secrets).map((variable) =>
    l10n.t('Environment variable: {0} (kept in VS Code’s secret storage)', shown(variable, detail)),
  );
  return [shown(name, detail), ...describeEntry({ command, args, env }, detail), ...cut(hidden, detail)];
}
