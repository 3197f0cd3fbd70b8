import type { AgentPool } from '../../agent/pool/agentPool';
import { actionTable, commandTable } from '../base/feature';
import { ProtocolLog } from './protocolLog';

/** The messages between Parley and the window's agents, with secrets removed. */
export function logFeature({ pool }: { readonly pool: AgentPool }) {
  const log = new ProtocolLog(pool);
  const commands = commandTable({
    'parley.showProtocolLog': (startedAt) => log.show(typeof startedAt === 'number' ? startedAt : undefined),
    'parley.exportProtocolLog': () => log.export(),
  });
  const actions = actionTable({ showProtocolLog: (startedAt) => log.show(startedAt) });
  return { commands, actions, dispose: () => log.dispose() };
}
