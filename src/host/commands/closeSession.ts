import type { Command, CommandServices } from './command';

/** Closes the session that was used last. */
export function closeSession({ pages }: CommandServices): Command {
  return { id: 'parley.closeSession', execute: () => pages.activeSession?.close() };
}
