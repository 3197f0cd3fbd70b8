import type { Command, CommandServices } from './command';

/** Stops the turn that runs in the session that was used last. */
export function cancelTurn({ pages }: CommandServices): Command {
  return { id: 'parley.cancelTurn', execute: () => pages.activeSession?.cancel() };
}
