import type { AddedAgent } from './addedAgent';
import { isNewer } from './compareVersions';
import type { RegistryAgent } from './registryAgent';

/**
 * Returns what the user can do about an added agent: update to the registry's version, or install the same version that
 * npx loads at each start. Undefined if there is nothing to do. Programs of the user's own are updated by the user.
 */
export function updateFor(added: AddedAgent, agent: RegistryAgent): 'update' | 'install' | undefined {
  if (added.found === true) return undefined;
  if (isNewer(agent.version, added.version)) return 'update';
  return added.command === 'npx' && agent.npx && agent.version === added.version ? 'install' : undefined;
}
