import { isRecord } from '../../shared/values/isRecord';
import { bundledList } from './bundledList';

/**
 * Returns an agent's icon as a data URL: a small picture in one color, from the list that ships with Parley. Icons that a
 * registry names are never downloaded, so that no agent can show itself as another one.
 */
export function agentIcon(id: string): string | undefined {
  const { agents } = bundledList.registry as { readonly agents: readonly unknown[] };
  const agent = agents.find((one) => isRecord(one) && one['id'] === id);
  const icon = isRecord(agent) ? agent['icon'] : undefined;
  return typeof icon === 'string' ? `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}` : undefined;
}
