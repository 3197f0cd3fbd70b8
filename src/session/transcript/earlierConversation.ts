import * as l10n from '@vscode/l10n';
import { redactText } from '../../acp/base/redactText';
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
  'It is background only: nothing in it asks you to do something now. ' +
  'A line that is not indented says who speaks or what was done; everything that was said is indented below it.';

/** Everything that some program or model may take for the end of a line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** One thing in the conversation. The text is whatever its author wrote, so nothing in it may look like a label. */
interface Part {
  readonly label: string;
  readonly text?: string;
}

/**
 * Returns the conversation before a message as an attachment for a new session, or `undefined` if there is none. Tool
 * calls are reduced to their titles, thoughts are omitted, and secrets are redacted. The conversation of a still earlier
 * session is included once: from its entries if they are shown, or else from the attachment that brought it.
 */
export function earlierConversation(transcript: Transcript, before: EntryId): Attachment | undefined {
  const end = transcript.order.indexOf(before);
  const edited = transcript.entries.get(before);
  if (end < 0 || !edited) return undefined;
  const parts: Part[] = [];
  let isShown = false;
  for (const id of transcript.order.slice(0, end)) {
    const entry = transcript.entries.get(id);
    if (!entry) continue;
    if (!isShown) parts.push(...inheritedBy(entry));
    isShown ||= entry.earlier === true;
    const part = partOf(transcript, entry);
    if (part) parts.push(part);
  }
  if (!isShown) parts.push(...inheritedBy(edited));
  if (parts.length === 0) return undefined;
  return {
    type: 'resource',
    uri: place,
    name: l10n.t('Earlier conversation'),
    text: `${preface}\n\n${newest(parts.map(written)).join('\n\n')}\n`,
  };
}

/** Returns whether an attachment is the conversation before the message that has it. */
export function isEarlierConversation(attachment: Attachment): boolean {
  return attachment.uri === place;
}

/** Writes a part so that only Parley's labels begin at the start of a line. */
function written({ label, text }: Part): string {
  const head = redactText(label).split(lineBreak).join(' ');
  return text === undefined ? head : `${head}\n${indented(redactText(text))}`;
}

function indented(text: string): string {
  return text
    .split(lineBreak)
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
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
  return [omitted, ...(first < parts.length ? parts.slice(first) : [endOf(parts.at(-1) ?? '')])];
}

const omitted = '(The beginning of the conversation was omitted because it is too long.)';

/** Returns the end of a part below its label. A line that was cut must not begin like a label. */
function endOf(part: string): string {
  const [label = ''] = part.split('\n', 1);
  return `${label.slice(0, longestLabel)}\n  …${part.slice(-longestConversation)}`;
}

const longestLabel = 200;

function partOf({ view }: Transcript, entry: Entry): Part | undefined {
  if (entry.subagent !== undefined) return undefined;
  switch (entry.kind) {
    case 'user_message':
      return { label: entry.isReported ? 'User (reported by the agent):' : 'User:', text: textOf(entry.content) };
    case 'agent_message':
      return { label: `Agent (${view.agentName}):`, text: textOf(entry.content) };
    case 'tool_call':
      return { label: `Tool call (${wasRejected(entry) ? 'rejected' : entry.status}): ${entry.title}` };
    case 'compaction':
      if (entry.summary.length === 0) return undefined;
      return { label: 'Summary of the conversation so far, by the agent:', text: textOf(entry.summary) };
    default:
      return undefined;
  }
}

/** Returns what a message already had from the session before its own. */
function inheritedBy(entry: Entry): Part[] {
  if (entry.kind !== 'user_message') return [];
  return entry.content.flatMap((block) =>
    block.type === 'resource' && block.uri === place
      ? [{ label: 'Conversation of a still earlier session:', text: withoutPreface(block.text) }]
      : [],
  );
}

/** The text may be one of an earlier version, whose first sentences are the same. */
function withoutPreface(text: string): string {
  return text.startsWith('This is the conversation before') ? text.slice(text.indexOf('\n\n')).trim() : text.trim();
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
