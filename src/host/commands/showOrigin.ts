import type { SessionKey } from '../../shared/ids';
import type { Command, CommandServices } from './command';

/** Shows where in the chat a change comes from: its tool call, or else the message that began the turn. */
export function showOrigin({ pool, pages }: CommandServices): Command {
  return {
    id: 'parley.review.showOrigin',
    execute(session, turn, toolCall) {
      const found = pool.sessions.find(({ key }) => key === (session as SessionKey));
      if (!found) return;
      const entries = [...found.transcript.entries.values()].filter((entry) => entry.turn === turn);
      const entry = entries.find((one) => one.kind === 'tool_call' && one.toolCallId === toolCall) ?? entries[0];
      return pages.withPage((page) => {
        page.show(found.key);
        if (entry) page.post({ type: 'revealEntry', session: found.key, entry: entry.id });
      });
    },
  };
}
