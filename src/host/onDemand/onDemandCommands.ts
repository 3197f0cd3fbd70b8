import type { Command, CommandServices } from '../commands/command';
import { loadOnDemand, type OnDemand } from './loadOnDemand';

/** Commands that first ask what they are about, or are used now and then: their code is loaded when they are called. */
export const onDemandCommands = [
  onDemand('parley.openSession', ({ openSession }) => openSession),
  onDemand('parley.chooseFolders', ({ chooseFolders }) => chooseFolders),
  onDemand('parley.renameSession', ({ renameSession }) => renameSession),
  onDemand('parley.forkSession', ({ forkSession }) => forkSession),
  onDemand('parley.login', ({ login }) => login),
  onDemand('parley.logout', ({ logout }) => logout),
];

function onDemand(id: string, make: (parts: OnDemand) => (services: CommandServices) => Command) {
  return (services: CommandServices): Command => ({
    id,
    async execute(...args) {
      await make(await loadOnDemand())(services).execute(...args);
    },
  });
}
