import type { AgentId } from '../../shared/ids';

/** Where the editor's secret storage keeps what is set for the providers of an agent. */
export function providersKey(id: AgentId): string {
  return `parley.providers:${id}`;
}
