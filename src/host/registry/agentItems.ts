import * as l10n from '@vscode/l10n';
import { ThemeIcon, QuickPickItemKind, type QuickInputButton, type QuickPickItem } from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { FoundProgram } from '../../agent/found/findPrograms';
import type { AddedAgent } from '../../agent/registry/addedAgent';
import { packageCommand } from '../../agent/registry/packageCommand';
import { commandText } from '../../agent/spec/commandLine';
import { chooseDistribution, type Distribution, type Machine } from '../../agent/registry/distribution';
import type { RegistryAgent } from '../../agent/registry/registryAgent';
import type { Runtime } from '../../agent/registry/runtimes';
import { updateFor } from '../../agent/registry/updates';
import { agentRank, agentWords } from './agentWords';
import type { FoundAgent, ForeignAgents } from './localAgents';

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
  | { readonly does: 'addFound'; readonly agent: FoundAgent }
  | { readonly does: 'import'; readonly foreign: ForeignAgents }
  | { readonly does: 'start' | 'remove'; readonly added: AddedAgent }
  | { readonly does: 'explain'; readonly words: string; readonly needs?: Runtime };

/** An entry of the list. A heading has no action. */
export interface AgentItem extends QuickPickItem {
  readonly action?: AgentAction;
  readonly added?: AddedAgent;
}

/** Everything that the list offers. */
export interface Offered {
  readonly agents: readonly RegistryAgent[];
  readonly added: readonly AddedAgent[];
  readonly machine: Machine;
  readonly found: readonly FoundProgram[];
  /** The found programs that speak ACP themselves. */
  readonly foundAgents: readonly FoundAgent[];
  readonly foreign: readonly ForeignAgents[];
}

/**
 * Returns the entries: added agents first, then those found on this machine and in other editors, agents that can be
 * added, and those not available for this machine.
 */
export function agentItems(offered: Offered): readonly AgentItem[] {
  const { agents, added, machine, foreign } = offered;
  const known = new Map(agents.map((agent) => [agent.id, agent]));
  const addedIds = new Set(added.map(({ id }) => id));
  const local = foundItems(offered, addedIds);
  const others = agents
    .filter(({ id }) => !addedIds.has(id) && !local.adapters.has(id))
    .sort((one, other) => agentRank(one.id) - agentRank(other.id) || one.name.localeCompare(other.name))
    .map((agent) => ({ agent, distribution: chooseDistribution(agent, machine) }));
  const can = others.filter(({ distribution }) => distribution.kind !== 'unavailable');
  const cannot = others.filter(({ distribution }) => distribution.kind === 'unavailable');
  return [
    ...section(
      l10n.t('Added'),
      added
        .map((one) => addedItem(one, known.get(one.id), machine))
        .sort((one, other) => Number(other.action?.does === 'update') - Number(one.action?.does === 'update')),
    ),
    ...section(l10n.t('On this machine'), local.items),
    ...section(l10n.t('In other editors'), foreign.map(foreignItem)),
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

/** Returns the agents of found programs, and the ids of adapters among them. */
function foundItems(
  { agents, machine, found, foundAgents }: Offered,
  addedIds: ReadonlySet<string>,
): { readonly items: readonly AgentItem[]; readonly adapters: ReadonlySet<string> } {
  const items: AgentItem[] = [];
  const adapters = new Set<string>();
  for (const program of found) {
    const { known, path, version } = program;
    if (known.ids.some((id) => addedIds.has(id))) continue;
    const own = foundAgents.find((agent) => agent.found === program);
    if (own) {
      const description = joined([version ?? '', path]);
      items.push({
        label: known.name,
        description,
        detail: commandText(own),
        action: { does: 'addFound', agent: own },
      });
      continue;
    }
    const agent = known.ids.flatMap((id) => agents.find((one) => one.id === id) ?? [])[0];
    if (!agent) continue;
    adapters.add(agent.id);
    const item = otherItem(agent, chooseDistribution(agent, machine));
    const what = l10n.t('“{0}” is on this machine. This adds its adapter, which uses the same login.', known.program);
    items.push(item.action?.does === 'explain' ? item : { ...item, detail: what });
  }
  return { items, adapters };
}

function foreignItem(foreign: ForeignAgents): AgentItem {
  const { editor, path, agents } = foreign;
  return {
    label:
      agents.length === 1
        ? l10n.t('Import from {0}: 1 agent', editor)
        : l10n.t('Import from {0}: {1} agents', editor, agents.length),
    description: path,
    detail: agents.map(({ name }) => name).join(', '),
    action: { does: 'import', foreign },
  };
}

function section(label: string, items: readonly AgentItem[]): readonly AgentItem[] {
  return items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
}

function addedItem(added: AddedAgent, agent: RegistryAgent | undefined, machine: Machine): AgentItem {
  const base = { label: added.name, detail: commandText(added), added, buttons: [removeButton()] };
  const start: AgentAction = { does: 'start', added };
  const state = (words: string, action: AgentAction = start) => ({
    ...base,
    description: joined([added.version, words]),
    action,
  });
  if (added.found === true) return state(l10n.t('on this machine'));
  if (!agent) return state(l10n.t('no longer in the registry'));
  const update = updateFor(added, agent);
  if (update === undefined) return state(l10n.t('up to date'));
  const distribution = chooseDistribution(agent, machine);
  if (distribution.kind === 'unavailable') {
    return state(l10n.t('{0} isn’t available here: {1}', agent.version, distribution.reason));
  }
  const words =
    update === 'install'
      ? l10n.t('install it to start faster and offline')
      : l10n.t('update to {0} available', agent.version);
  return {
    ...state(words, { does: 'update', agent, distribution, from: added }),
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
      action: {
        does: 'explain',
        words: `${agent.name}: ${words}`,
        ...compact({ needs: distribution.needs }),
      },
    };
  }
  const how =
    distribution.kind === 'binary'
      ? l10n.t('downloads a program')
      : distribution.kind === 'npx'
        ? l10n.t('npm: {0}', distribution.package.package)
        : commandText(packageCommand(distribution.kind, distribution.package));
  return {
    label: agent.name,
    description: joined([...facts, how]),
    detail: agentWords(agent.id) ?? agent.description,
    action: { does: 'add', agent, distribution },
  };
}

/** Joins the known facts about an agent. */
export function joined(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join(' · ');
}

function removeButton(): QuickInputButton {
  return { iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Remove') };
}
