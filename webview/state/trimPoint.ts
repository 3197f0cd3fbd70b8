import type { EntryId } from '../../src/shared/values/ids';
import { isWaitingForAnswer } from '../../src/shared/transcript/openQuestion';
import { isUnfinished } from '../../src/shared/transcript/toolCallStatus';
import type { Entry, Transcript } from '../../src/shared/transcript/transcript';

/**
 * Returns how many of the oldest entries can be dropped so that at least `keep` remain. Entries that can still change on their own, such
 * as open requests and running calls, aren't dropped, and neither are rows with newer entries below them.
 */
export function trimPoint({ order, entries }: Transcript, keep: number): number {
  let point = Math.max(0, order.length - keep);
  for (let at = 0; at < point; at++) {
    const entry = entryAt(order, entries, at);
    if (entry && isLive(entry)) point = at;
  }
  // Moving the point up can leave another row with entries below it, so this repeats until nothing moves.
  for (let row = oldestRowOf(order, entries, point); row < point; row = oldestRowOf(order, entries, point)) point = row;
  return point;
}

function isLive(entry: Entry): boolean {
  if (isWaitingForAnswer(entry)) return true;
  if (entry.kind === 'tool_call') return isUnfinished(entry.status);
  return entry.kind === 'subagent' && (entry.state === 'running' || entry.state === 'requires_action');
}

/** Returns the index of the oldest row before `point` that entries from `point` on are shown below; `point` if there is none. */
function oldestRowOf(order: readonly EntryId[], entries: Transcript['entries'], point: number): number {
  const parents = new Set<string>();
  for (let at = point; at < order.length; at++) {
    const entry = entryAt(order, entries, at);
    if (entry?.kind === 'tool_call' && entry.parent !== undefined) parents.add(entry.parent);
    if (entry?.subagent !== undefined) parents.add(entry.subagent);
  }
  for (let at = 0; at < point && parents.size > 0; at++) {
    const entry = entryAt(order, entries, at);
    if (entry?.kind === 'tool_call' && parents.has(entry.toolCallId)) return at;
    if (entry?.kind === 'subagent' && parents.has(entry.sessionId)) return at;
  }
  return point;
}

function entryAt(order: readonly EntryId[], entries: Transcript['entries'], at: number): Entry | undefined {
  const id = order[at];
  return id === undefined ? undefined : entries.get(id);
}
