import type { Command, CommandServices } from './command';

/** Focuses a waiting request: its group, never an option. Shows the request's session first if another is visible. */
export function answerRequest({ pool, pages }: CommandServices): Command {
  return {
    id: 'parley.answerRequest',
    execute() {
      const waits = (session: (typeof pool.sessions)[number]) =>
        session.transcript.view.activity.state === 'requires_action';
      const active = pages.activeSession;
      const session = active && waits(active) ? active : pool.sessions.find(waits);
      if (!session) return;
      return pages.withSession(session.key, (page) => page.post({ type: 'focusRequest' }));
    },
  };
}
