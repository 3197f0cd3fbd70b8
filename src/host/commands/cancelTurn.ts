import type { Command, CommandServices } from './command';

/** Stops the running turn of the session used last. */
export function cancelTurn({ pages }: CommandServices): Command {
  return { id: 'parley.cancelTurn', execute: () => pages.activeSession?.cancel() };
}
