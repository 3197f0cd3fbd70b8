import type { Command, CommandServices } from './command';

/** Puts the focus on a request that waits: on its group, never on an option. Shows its session if another is in sight. */
export function answerRequest({ pool, pages }: CommandServices): Command {
  return {
    id: 'parley.answerRequest',
    execute() {
      const waits = (session: (typeof pool.sessions)[number]) =>
        session.transcript.view.activity.state === 'requires_action';
      const active = pages.activeSession;
      const session = active && waits(active) ? active : pool.sessions.find(waits);
      if (!session) return;
      return pages.withPage((page) => {
        page.show(session.key);
        page.post({ type: 'focusRequest' });
      });
    },
  };
}
