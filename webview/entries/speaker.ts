import * as l10n from '@vscode/l10n';
import { subagentEntryId, type SubagentEntry } from '../../src/shared/subagent';
import type { Entry, Transcript } from '../../src/shared/transcript';

/** The row of the subagent that an entry comes from, if it comes from one whose row is here. */
export function subagentOf({ entries }: Transcript, { subagent }: Entry): SubagentEntry | undefined {
  const row = subagent === undefined ? undefined : entries.get(subagentEntryId(subagent));
  return row?.kind === 'subagent' ? row : undefined;
}

/** Who says what an entry holds, in words: the agent, or one of its subagents. */
export function speakerOf(transcript: Transcript, entry: Entry): string {
  if (entry.subagent === undefined) return transcript.view.agentName;
  return subagentOf(transcript, entry)?.title || l10n.t('Subagent');
}

/** Whether nothing is expected to be added to an entry: whoever it is from has gone on to another one, or is not at work. */
export function isSettled(transcript: Transcript, entry: Entry): boolean {
  const { view, order, entries } = transcript;
  const isAtRest =
    entry.subagent === undefined
      ? view.activity.state === 'idle'
      : (subagentOf(transcript, entry)?.state ?? 'idle') === 'idle';
  if (isAtRest) return true;
  // Subagents speak between each other.
  const last = order.slice(-50).findLast((id) => entries.get(id)?.subagent === entry.subagent);
  return last !== entry.id;
}
