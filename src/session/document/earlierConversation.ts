import type { Attachment } from '../../shared/transcript/content';
import { earlierConversationUri } from '../../shared/transcript/earlierConversation';
import type { EntryId } from '../../shared/values/ids';
import type { Transcript } from '../../shared/transcript/transcript';
import { conversationAttachment, conversationParts } from './conversationText';
import { sessionDocument } from './sessionDocument';

/** Returns the conversation before a message as an attachment for a new session, or `undefined` if there is none. */
export function earlierConversation(transcript: Transcript, before: EntryId): Attachment | undefined {
  const { view, items } = sessionDocument(transcript);
  const end = items.findIndex(({ id }) => id === before);
  const edited = items[end];
  if (!edited) return undefined;
  return conversationAttachment(conversationParts(items.slice(0, end), view.agentName, edited));
}

/** Returns whether an attachment is the conversation before the message that has it. */
export function isEarlierConversation(attachment: Attachment): boolean {
  return attachment.uri === earlierConversationUri;
}
