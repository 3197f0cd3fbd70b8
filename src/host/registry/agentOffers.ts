import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import { knownPrograms } from '../../agent/found/knownPrograms';
import { commandText } from '../../agent/registry/commandLine';
import { chooseDistribution } from '../../agent/registry/distribution';
import { updateFor } from '../../agent/registry/updates';
import type { AgentOffer } from '../../shared/messages';
import { joined, type Offered } from './agentItems';

/** What the start page offers besides the user's agents. */
export interface AgentOffers {
  readonly offers: readonly AgentOffer[];
  /** The newer versions of added agents, by id. */
  readonly updates: ReadonlyMap<string, string>;
}

/** The page shows this many agents that aren't on this machine. */
const mostAvailable = 6;

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
    const command = own && commandText({ command: path.replace(homedir(), '~'), args: own.args });
    const detail =
      command !== undefined
        ? joined([version, command])
        : distribution?.kind === 'unavailable'
          ? distribution.reason
          : l10n.t('“{0}” is on this machine. Parley adds its adapter.', known.program);
    here.push({ id, name: known.name, detail, kind: 'found' });
  }
  const others = agents
    .filter(({ id }) => !seen.has(id) && !addedIds.has(id))
    .map((agent) => ({ agent, distribution: chooseDistribution(agent, machine) }))
    .filter(({ distribution }) => distribution.kind !== 'unavailable' || distribution.needs !== undefined)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostAvailable)
    .map(({ agent: { id, name, version, description }, distribution }): AgentOffer => ({
      id,
      name,
      detail: distribution.kind === 'unavailable' ? distribution.reason : joined([version, description]),
      kind: 'available',
    }));
  const updates = added.flatMap((one): readonly (readonly [string, string])[] => {
    const agent = agents.find(({ id }) => id === one.id);
    if (!agent || updateFor(one, agent) !== 'update') return [];
    return chooseDistribution(agent, machine).kind === 'unavailable' ? [] : [[one.id, agent.version]];
  });
  return { offers: [...here, ...others], updates: new Map(updates) };
}

/** Agents that run here come first, then those that many people use. */
function rank({ agent, distribution }: { agent: { id: string }; distribution: { kind: string } }): number {
  const place = knownPrograms.findIndex(({ ids }) => ids.includes(agent.id));
  return (distribution.kind === 'unavailable' ? 1000 : 0) + (place < 0 ? 500 : place);
}
