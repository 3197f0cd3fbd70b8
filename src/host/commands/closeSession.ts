import type { Command, CommandServices } from './command';

/** Closes the session used last. */
export function closeSession({ pages }: CommandServices): Command {
  return { id: 'parley.closeSession', execute: () => pages.activeSession?.close() };
}
