import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import { commandText } from '../../agent/spec/commandLine';
import { chooseDistribution, type Distribution } from '../../agent/registry/distribution';
import { runtimeName } from '../../agent/registry/runtimes';
import { updateFor } from '../../agent/registry/updates';
import type { AgentOffer } from '../../shared/pages/messages';
import { joined, type Offered } from './agentItems';
import { agentRank, agentWords } from './agentWords';
import { isRecord } from '../../shared/values/isRecord';
import { bundledList } from './bundledList';

/** What the start page offers besides the user's agents. */
export interface AgentOffers {
  readonly offers: readonly AgentOffer[];
  /** How many agents the list of all of them has. */
  readonly count: number;
  /** The newer versions of added agents, by id. */
  readonly updates: ReadonlyMap<string, string>;
  /** The icons of added agents, by id. */
  readonly icons: ReadonlyMap<string, string>;
}

/** The page shows this many agents that aren't on this machine. The list has all of them. */
const mostAvailable = 3;

/** Returns the start page's rows: the agents found on this machine, and some that one click installs. */
export function agentOffers({ agents, added, machine, found, foundAgents }: Offered): AgentOffers {
  const addedIds = new Set(added.map(({ id }) => id));
  const isAdded = (ids: readonly string[]) => ids.some((id) => addedIds.has(id));
  const here: AgentOffer[] = [];
  const seen = new Set<string>();
  for (const program of found) {
    const { known, path, version = '' } = program;
    if (isAdded(known.ids)) continue;
    const own = foundAgents.find((agent) => agent.found === program);
    const agent = known.ids.flatMap((id) => agents.find((one) => one.id === id) ?? [])[0];
    const id = own ? known.ids[0] : agent?.id;
    if (id === undefined) continue;
    for (const one of known.ids) seen.add(one);
    const distribution = own || !agent ? undefined : chooseDistribution(agent, machine);
    if (own) {
      const command = commandText({ command: path.replace(homedir(), '~'), args: own.args });
      here.push({ id, name: known.name, detail: joined([command, version]), kind: 'found', ...iconOf(id) });
    } else {
      const detail = l10n.t('“{0}” is on this machine. Parley adds its adapter.', known.program);
      here.push({ id, name: known.name, kind: 'found', ...stateOf(distribution, detail), ...iconOf(id) });
    }
  }
  const others = agents
    .filter(({ id }) => !seen.has(id) && !addedIds.has(id))
    .map((agent) => ({ agent, distribution: chooseDistribution(agent, machine) }))
    .filter(({ distribution }) => distribution.kind !== 'unavailable' || distribution.needs !== undefined)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostAvailable)
    .map(({ agent: { id, name, version, description }, distribution }): AgentOffer => {
      const detail = joined([agentWords(id) ?? description, version]);
      return { id, name, kind: 'available', ...stateOf(distribution, detail), ...iconOf(id) };
    });
  const updates = added.flatMap((one): readonly (readonly [string, string])[] => {
    const agent = agents.find(({ id }) => id === one.id);
    if (!agent || updateFor(one, agent) !== 'update') return [];
    return chooseDistribution(agent, machine).kind === 'unavailable' ? [] : [[one.id, agent.version]];
  });
  const icons = added.flatMap(({ id }) => {
    const icon = agentIcon(id);
    return icon === undefined ? [] : [[id, icon] as const];
  });
  const isListed = ({ id }: AgentOffer) => agents.some((agent) => agent.id === id);
  const count = agents.length + here.filter((one) => !isListed(one)).length;
  return { offers: [...here, ...others], count, updates: new Map(updates), icons: new Map(icons) };
}

function iconOf(id: string): Pick<AgentOffer, 'icon'> {
  const icon = agentIcon(id);
  return icon === undefined ? {} : { icon };
}

/** Returns the line below the name, and what the user must install first. */
function stateOf(distribution: Distribution | undefined, detail: string): Pick<AgentOffer, 'detail' | 'needs'> {
  if (distribution?.kind !== 'unavailable') return { detail };
  if (distribution.needs === undefined) return { detail: distribution.reason };
  const needs = runtimeName(distribution.needs);
  return { detail: l10n.t('Needs {0}, which isn’t installed', needs), needs };
}

/** Agents that run here come first, then those that many people use. */
function rank({ agent, distribution }: { agent: { id: string }; distribution: { kind: string } }): number {
  return (distribution.kind === 'unavailable' ? 1000 : 0) + agentRank(agent.id);
}

/**
 * Returns an agent's icon as a data URL: a small picture in one color, from the list that ships with Parley. Icons that a
 * registry names are never downloaded, so that no agent can show itself as another one.
 */
function agentIcon(id: string): string | undefined {
  const { agents } = bundledList.registry as { readonly agents: readonly unknown[] };
  const agent = agents.find((one) => isRecord(one) && one['id'] === id);
  const icon = isRecord(agent) ? agent['icon'] : undefined;
  return typeof icon === 'string' ? `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}` : undefined;
}
