import type { Attachment } from '../../shared/transcript/content';
import type { EntryId } from '../../shared/values/ids';
import type { Transcript } from '../../shared/transcript/transcript';
import { conversationAttachment, conversationParts } from './conversationText';
import { sessionDocument } from './sessionDocument';

/** What of a conversation another session gets. */
export type ContinuedPart = 'conversation' | 'lastTurn';

/**
 * Returns a conversation, or its last turn, as an attachment for a session of another agent. `before` is the first entry that isn't in it.
 * Undefined if there's nothing to tell.
 */
export function continuedConversation(
  transcript: Transcript,
  what: ContinuedPart,
  before?: EntryId,
): Attachment | undefined {
  const { view, items } = sessionDocument(transcript);
  const end = before === undefined ? items.length : items.findIndex(({ id }) => id === before);
  const all = items.slice(0, end);
  const last = all.findLast((item) => item.type === 'message' && item.from === 'user')?.turn;
  const shown = what === 'lastTurn' ? all.filter(({ turn, earlier }) => turn === last && earlier !== true) : all;
  return conversationAttachment(conversationParts(shown, view.agentName, what === 'lastTurn' ? undefined : items[end]));
}

/** Returns an agent's summary of a conversation as an attachment. */
export function summarizedConversation(agentName: string, summary: string): Attachment | undefined {
  const label = `Summary of the conversation, by the agent (${agentName}):`;
  return summary.trim() === '' ? undefined : conversationAttachment([{ label, text: summary.trim() }]);
}
