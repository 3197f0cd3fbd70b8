import type { Command, CommandServices } from './command';

/** Shows the next open session, in the order of the tabs, and focuses the composer. */
export function nextSession(services: CommandServices): Command {
  return { id: 'parley.nextSession', execute: () => switchSession(services, 1) };
}

/** Shows the previous open session. */
export function previousSession(services: CommandServices): Command {
  return { id: 'parley.previousSession', execute: () => switchSession(services, -1) };
}

/** From the last session, the next one is the first. From the start page, it is the first or the last one. */
async function switchSession({ pool, pages }: CommandServices, step: 1 | -1): Promise<void> {
  const { sessions } = pool;
  const shown = pages.activeSession;
  const at = shown ? sessions.indexOf(shown) : step === 1 ? -1 : 0;
  const session = sessions[(at + step + sessions.length) % sessions.length];
  if (!session) return;
  await pages.withPage((page) => {
    page.show(session.key);
    page.post({ type: 'focusComposer' });
  });
}
