import { nextMode } from '../../shared/modes';
import type { Command, CommandServices } from './command';

/** Switches the session used last to its next mode. The chat announces the mode once its agent has set it. */
export function cycleMode({ pages, choices }: CommandServices): Command {
  return {
    id: 'parley.cycleMode',
    async execute() {
      const session = pages.activeSession;
      const next = session && nextMode(session.transcript.view.configOptions);
      if (!next) return;
      const { configId, value } = next;
      if (await session.setConfigOption(configId, value)) choices.remember(session, configId, value);
    },
  };
}
