import type { AgentId } from '../../shared/values/ids';

/** The key of an agent's provider settings in the editor's secret storage. */
export function providersKey(id: AgentId): string {
  return `parley.providers:${id}`;
}
