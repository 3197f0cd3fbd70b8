import type { Entry, ToolCallEntry, Transcript } from './transcript';

/**
 * Maximum number of entries a snapshot spans to include an open request. The page can still render this many at once.
 */
export const maxQuestionDistance = 5000;

/** Returns whether an entry waits for the user's answer. */
export function isWaitingForAnswer(entry: Entry): boolean {
  if (entry.kind === 'elicitation') return entry.question.state === 'asked';
  return entry.kind === 'tool_call' && entry.permission.state === 'asked';
}

/**
 * Returns whether a call did not run because the user rejected it. Agents report this as a failure, as a cancellation,
 * or not at all. A call reported as completed counts as completed.
 */
export function wasRejected({ status, permission }: ToolCallEntry): boolean {
  const isRejected = permission.state === 'answered' && permission.option.kind.startsWith('reject');
  return isRejected && (status === 'failed' || status === 'cancelled' || status === 'pending');
}

/**
 * Returns the index of the oldest entry within reach that waits for an answer; the length of `order` if there is none.
 */
export function oldestQuestion({ order, entries }: Transcript): number {
  for (let at = Math.max(0, order.length - maxQuestionDistance); at < order.length; at++) {
    const id = order[at];
    const entry = id === undefined ? undefined : entries.get(id);
    if (entry && isWaitingForAnswer(entry)) return at;
  }
  return order.length;
}
