import type { Entry, ToolCallEntry, Transcript } from './transcript';

/** So far back, in entries, a snapshot reaches for a question: a page can still be drawn at once with so many. */
export const maxQuestionDistance = 5000;

/** Whether an entry waits for an answer of the user's. */
export function isWaitingForAnswer(entry: Entry): boolean {
  if (entry.kind === 'elicitation') return entry.question.state === 'asked';
  return entry.kind === 'tool_call' && entry.permission.state === 'asked';
}

/**
 * Whether a call did not happen because its question was answered so. Agents report that as a failure, as a cancellation, or not at all;
 * one that they report as done is what they say.
 */
export function wasRejected({ status, permission }: ToolCallEntry): boolean {
  const isRejected = permission.state === 'answered' && permission.option.kind.startsWith('reject');
  return isRejected && (status === 'failed' || status === 'cancelled' || status === 'pending');
}

/** Where the oldest entry within reach that asks stands in the transcript's order; its length when none does. */
export function oldestQuestion({ order, entries }: Transcript): number {
  for (let at = Math.max(0, order.length - maxQuestionDistance); at < order.length; at++) {
    const id = order[at];
    const entry = id === undefined ? undefined : entries.get(id);
    if (entry && isWaitingForAnswer(entry)) return at;
  }
  return order.length;
}
