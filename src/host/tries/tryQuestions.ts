import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Preset } from '../../agent/spec/preset';
import { mostTries } from '../../shared/pages/startChoice';
import { presetWords, type AgentCatalog } from '../agents/agentCatalog';
import { askText, pickOne } from '../ui/quickInput';

/** Who makes a try. */
export interface TryStart {
  readonly agent: AgentSpec;
  readonly preset?: Preset;
}

type StartItem = vscode.QuickPickItem & { readonly start?: TryStart; readonly does?: 'begin' | 'removeLast' };

/** Asks who makes the tries, one after the other. The same agent can make several. Resolves to undefined if the user cancels. */
export async function askForTries(catalog: AgentCatalog): Promise<readonly TryStart[] | undefined> {
  const chosen: TryStart[] = [];
  while (chosen.length < mostTries) {
    const picked = await pickOne(itemsFor(catalog, chosen), {
      title: l10n.t('Try with'),
      placeHolder: l10n.t('Select the agent or preset for try {0} of at most {1}', chosen.length + 1, mostTries),
      matchOnDetail: true,
    });
    if (!picked) return undefined;
    if (picked.does === 'begin') break;
    if (picked.does === 'removeLast') chosen.pop();
    if (picked.start) chosen.push(picked.start);
  }
  return chosen;
}

/** Asks for the command that checks each try. Resolves to an empty text for none, and to undefined if the user cancels. */
export async function askForCheck(before: string): Promise<string | undefined> {
  const command = await askText({
    title: l10n.t('Try with'),
    prompt: l10n.t('Command that checks each try. Parley runs it in the try’s folder after each turn.'),
    placeHolder: l10n.t('npm test, or nothing to skip the check'),
    value: before,
    ignoreFocusOut: true,
  });
  return command?.trim();
}

function itemsFor(catalog: AgentCatalog, chosen: readonly TryStart[]): readonly StartItem[] {
  const names = chosen.map(({ agent, preset }) => preset?.name ?? agent.name).join(', ');
  const begin: StartItem = {
    label: chosen.length === 1 ? l10n.t('Start 1 try') : l10n.t('Start {0} tries', chosen.length),
    description: names,
    iconPath: new vscode.ThemeIcon('play'),
    alwaysShow: true,
    does: 'begin',
  };
  const removeLast: StartItem = {
    label: l10n.t('Remove last'),
    iconPath: new vscode.ThemeIcon('discard'),
    alwaysShow: true,
    does: 'removeLast',
  };
  const presets = catalog.presets.flatMap((preset): StartItem[] => {
    const agent = catalog.findByName(preset.agent);
    return agent ? [{ label: preset.name, detail: presetWords(preset, agent.name), start: { agent, preset } }] : [];
  });
  const agents = catalog.all.map((agent): StartItem => ({ label: agent.name, start: { agent } }));
  return [
    ...(chosen.length > 0 ? [begin] : []),
    ...(presets.length > 0 ? [separator(l10n.t('Presets')), ...presets] : []),
    separator(l10n.t('Agents')),
    ...agents,
    ...(chosen.length > 0 ? [separator(''), removeLast] : []),
  ];
}

function separator(label: string): StartItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
