import type { SessionKey } from '../../../shared/values/ids';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { ChatPages } from '../../pages/chatPages';

/** Shows the origin of a change in the chat: its tool call, or the message that started the turn. */
export async function showOrigin(
  pool: AgentPool,
  pages: ChatPages,
  session: unknown,
  turn: unknown,
  toolCall: unknown,
): Promise<void> {
  const found = pool.sessions.find(({ key }) => key === (session as SessionKey));
  if (!found) return;
  const entries = [...found.transcript.entries.values()].filter((entry) => entry.turn === turn);
  const entry = entries.find((one) => one.kind === 'tool_call' && one.toolCallId === toolCall) ?? entries[0];
  await pages.withPage((page) => {
    page.show(found.key);
    if (entry) page.post({ type: 'revealEntry', session: found.key, entry: entry.id });
  });
}
