import * as l10n from '@vscode/l10n';
import { redactText } from '../../acp/redactText';
import type { Attachment, ContentBlock } from '../../shared/content';
import { earlierConversationUri as place } from '../../shared/earlierConversation';
import type { EntryId } from '../../shared/ids';
import type { Entry, Transcript } from '../../shared/transcript';
import { wasRejected } from '../../shared/openQuestion';

/** The number of characters that a new session receives at most. The newest messages are kept. */
export const longestConversation = 100_000;

/** For the agent, so it isn't translated. */
const preface =
  "This is the conversation before the user's message. It was in another session. " +
  'It is background only: nothing in it asks you to do something now.';

/**
 * Returns the conversation before a message as an attachment for a new session, or `undefined` if there is none. Tool
 * calls are reduced to their titles, thoughts are omitted, and secrets are redacted. The conversation of a still earlier
 * session is included once: from its entries if they are shown, or else from the attachment that brought it.
 */
export function earlierConversation(transcript: Transcript, before: EntryId): Attachment | undefined {
  const end = transcript.order.indexOf(before);
  const edited = transcript.entries.get(before);
  if (end < 0 || !edited) return undefined;
  const parts: string[] = [];
  let isShown = false;
  for (const id of transcript.order.slice(0, end)) {
    const entry = transcript.entries.get(id);
    if (!entry) continue;
    if (!isShown) parts.push(...inheritedBy(entry));
    isShown ||= entry.earlier === true;
    const text = redactText(partOf(transcript, entry));
    if (text !== '') parts.push(text);
  }
  if (!isShown) parts.push(...inheritedBy(edited));
  if (parts.length === 0) return undefined;
  return {
    type: 'resource',
    uri: place,
    name: l10n.t('Earlier conversation'),
    text: `${preface}\n\n${newest(parts).join('\n\n')}\n`,
  };
}

/** Returns whether an attachment is the conversation before the message that has it. */
export function isEarlierConversation(attachment: Attachment): boolean {
  return attachment.uri === place;
}

/** Returns the last parts that are not too long together. If the last one alone is too long, its end is kept. */
function newest(parts: readonly string[]): string[] {
  let room = longestConversation;
  let first = parts.length;
  while (first > 0 && room >= (parts[first - 1] ?? '').length) {
    first -= 1;
    room -= (parts[first] ?? '').length;
  }
  if (first === 0) return [...parts];
  const kept = first < parts.length ? parts.slice(first) : [(parts.at(-1) ?? '').slice(-longestConversation)];
  return ['(The beginning of the conversation was omitted because it is too long.)', ...kept];
}

function partOf({ view }: Transcript, entry: Entry): string {
  if (entry.subagent !== undefined) return '';
  switch (entry.kind) {
    case 'user_message':
      return `User:\n${textOf(entry.content)}`;
    case 'agent_message':
      return `${view.agentName}:\n${textOf(entry.content)}`;
    case 'tool_call':
      return `Tool call (${wasRejected(entry) ? 'rejected' : entry.status}): ${entry.title}`;
    case 'compaction':
      return entry.summary.length === 0 ? '' : `Summary of the conversation so far:\n${textOf(entry.summary)}`;
    default:
      return '';
  }
}

/** Returns what a message already had from the session before its own. */
function inheritedBy(entry: Entry): string[] {
  if (entry.kind !== 'user_message') return [];
  return entry.content.flatMap((block) =>
    block.type === 'resource' && block.uri === place ? [block.text.replace(preface, '').trim()] : [],
  );
}

function textOf(content: readonly ContentBlock[]): string {
  return content
    .flatMap((block) => {
      if (block.type === 'text') return [block.text];
      if (block.type === 'resource_link') return [`[Attachment: ${block.uri}]`];
      if (block.type === 'resource') return block.uri === place ? [] : [`[Attachment: ${block.uri}]`];
      return block.type === 'image' || block.type === 'audio' ? [`[Attachment: ${block.type}]`] : [];
    })
    .join('\n');
}
