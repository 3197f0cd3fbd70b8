import type { Command, CommandServices } from './command';

/** Shows the messages between Parley and an agent, with secrets removed. */
export function showProtocolLog({ protocolLog }: CommandServices): Command {
  return {
    id: 'parley.showProtocolLog',
    execute: (startedAt) => protocolLog.show(typeof startedAt === 'number' ? startedAt : undefined),
  };
}

/** Saves the open protocol log to a file. */
export function exportProtocolLog({ protocolLog }: CommandServices): Command {
  return { id: 'parley.exportProtocolLog', execute: () => protocolLog.export() };
}
