import { earlierConversationUri } from '../../shared/transcript/earlierConversation';
import type { EntryId } from '../../shared/values/ids';
import type { Prompt, Transcript } from '../../shared/transcript/transcript';
import { promptOf } from './promptParts';

/** A message that its agent couldn't answer, and the entry that shows it. */
export interface UnansweredMessage {
  readonly entry: EntryId;
  readonly prompt: Prompt;
}

/** Returns the last message if its turn failed before the agent did anything, such as at a limit. */
export function unansweredMessage({ order, entries }: Transcript): UnansweredMessage | undefined {
  const at = order.findLastIndex((id) => entries.get(id)?.kind === 'user_message');
  const entry = entries.get(order[at] ?? ('' as EntryId));
  if (entry?.kind !== 'user_message') return undefined;
  const kinds = order.slice(at + 1).map((id) => entries.get(id)?.kind);
  const hasFailed = kinds.some((kind) => kind === 'error' || kind === 'login');
  if (!hasFailed || !kinds.every((kind) => kind === 'error' || kind === 'login' || kind === 'notice')) return undefined;
  const { text, attachments = [] } = promptOf(entry.content);
  return {
    entry: entry.id,
    prompt: { text, attachments: attachments.filter(({ uri }) => uri !== earlierConversationUri) },
  };
}
