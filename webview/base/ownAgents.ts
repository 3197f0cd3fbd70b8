import type { AgentListing, PageState } from '../../src/shared/pages/messages';

/** Returns the agents that the user has. The tour agent is everybody's. */
export function ownAgents({ agents }: Pick<PageState, 'agents'>): readonly AgentListing[] {
  return agents.filter(({ source }) => source !== 'builtin');
}
