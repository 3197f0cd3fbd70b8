import type { Command, CommandServices } from './command';

/** Shows the messages that went between Parley and an agent, secrets removed. */
export function showProtocolLog({ protocolLog }: CommandServices): Command {
  return { id: 'parley.showProtocolLog', execute: () => protocolLog.show() };
}

/** Saves the protocol log that is open to a file. */
export function exportProtocolLog({ protocolLog }: CommandServices): Command {
  return { id: 'parley.exportProtocolLog', execute: () => protocolLog.export() };
}
