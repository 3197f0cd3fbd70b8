import * as l10n from '@vscode/l10n';
import { ThemeIcon, QuickPickItemKind, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { AddedAgent } from '../../agent/registry/addedAgent';
import { commandText, packageCommand } from '../../agent/registry/commandLine';
import { isNewer } from '../../agent/registry/compareVersions';
import { chooseDistribution, type Distribution, type Machine } from '../../agent/registry/distribution';
import type { RegistryAgent } from '../../agent/registry/registryAgent';

/** A distribution that runs on this machine. */
export type Runnable = Exclude<Distribution, { readonly kind: 'unavailable' }>;

/** The action of a list entry. */
export type AgentAction =
  | { readonly does: 'add'; readonly agent: RegistryAgent; readonly distribution: Runnable }
  | {
      readonly does: 'update';
      readonly agent: RegistryAgent;
      readonly distribution: Runnable;
      readonly from: AddedAgent;
    }
  | { readonly does: 'start' | 'remove'; readonly added: AddedAgent }
  | { readonly does: 'explain'; readonly words: string };

/** An entry of the list. A heading has no action. */
export interface AgentItem extends QuickPickItem {
  readonly action?: AgentAction;
  readonly added?: AddedAgent;
}

/**
 * Returns the entries: added agents first, then agents that can be added, then those not available for this machine.
 */
export function agentItems(
  agents: readonly RegistryAgent[],
  added: readonly AddedAgent[],
  machine: Machine,
): readonly AgentItem[] {
  const known = new Map(agents.map((agent) => [agent.id, agent]));
  const addedIds = new Set(added.map(({ id }) => id));
  const others = agents
    .filter(({ id }) => !addedIds.has(id))
    .sort((one, other) => one.name.localeCompare(other.name))
    .map((agent) => ({ agent, distribution: chooseDistribution(agent, machine) }));
  const can = others.filter(({ distribution }) => distribution.kind !== 'unavailable');
  const cannot = others.filter(({ distribution }) => distribution.kind === 'unavailable');
  return [
    ...section(
      l10n.t('Added'),
      added.map((one) => addedItem(one, known.get(one.id), machine)),
    ),
    ...section(
      l10n.t('Available'),
      can.map(({ agent, distribution }) => otherItem(agent, distribution)),
    ),
    ...section(
      l10n.t('Not available on this machine'),
      cannot.map(({ agent, distribution }) => otherItem(agent, distribution)),
    ),
  ];
}

function section(label: string, items: readonly AgentItem[]): readonly AgentItem[] {
  return items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
}

function addedItem(added: AddedAgent, agent: RegistryAgent | undefined, machine: Machine): AgentItem {
  const base = { label: added.name, detail: commandText(added), added, buttons: [removeButton()] };
  const start: AgentAction = { does: 'start', added };
  const state = (words: string, action: AgentAction = start) => ({
    ...base,
    description: `${added.version} · ${words}`,
    action,
  });
  if (!agent) return state(l10n.t('no longer in the registry'));
  if (!isNewer(agent.version, added.version)) return state(l10n.t('up to date'));
  const distribution = chooseDistribution(agent, machine);
  if (distribution.kind === 'unavailable') {
    return state(l10n.t('{0} isn’t available here: {1}', agent.version, distribution.reason));
  }
  return {
    ...state(l10n.t('update to {0} available', agent.version), { does: 'update', agent, distribution, from: added }),
    iconPath: new ThemeIcon('arrow-circle-up'),
  };
}

function otherItem(agent: RegistryAgent, distribution: Distribution): AgentItem {
  const facts = [agent.version, agent.license];
  if (distribution.kind === 'unavailable') {
    const words = distribution.reason;
    return {
      label: agent.name,
      description: joined(facts),
      detail: words,
      iconPath: new ThemeIcon('circle-slash'),
      action: { does: 'explain', words: `${agent.name}: ${words}` },
    };
  }
  const how =
    distribution.kind === 'binary'
      ? l10n.t('downloads a program')
      : commandText(packageCommand(distribution.kind, distribution.package));
  return {
    label: agent.name,
    description: joined([...facts, how]),
    detail: agent.description,
    action: { does: 'add', agent, distribution },
  };
}

function joined(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join(' · ');
}

function removeButton(): QuickInputButton {
  return { iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Remove') };
}
