import * as l10n from '@vscode/l10n';
import { subagentEntryId, type SubagentEntry } from '../../../src/shared/transcript/subagent';
import type { Entry, Transcript } from '../../../src/shared/transcript/transcript';

/** Returns the row of the subagent that an entry comes from, if it is in the transcript. */
export function subagentOf({ entries }: Transcript, { subagent }: Entry): SubagentEntry | undefined {
  const row = subagent === undefined ? undefined : entries.get(subagentEntryId(subagent));
  return row?.kind === 'subagent' ? row : undefined;
}

/** Returns the name of an entry's speaker: the agent, or one of its subagents. */
export function speakerOf(transcript: Transcript, entry: Entry): string {
  if (entry.subagent === undefined) return transcript.view.agentName;
  return subagentOf(transcript, entry)?.title || l10n.t('Subagent');
}

/** Returns whether nothing more is expected in an entry, because its speaker has continued with another one or isn't running. */
export function isSettled(transcript: Transcript, entry: Entry): boolean {
  const { view, order, entries } = transcript;
  const isAtRest =
    entry.subagent === undefined
      ? view.activity.state === 'idle'
      : (subagentOf(transcript, entry)?.state ?? 'idle') === 'idle';
  if (isAtRest) return true;
  // Entries of subagents can be interleaved.
  const last = order.slice(-50).findLast((id) => entries.get(id)?.subagent === entry.subagent);
  return last !== entry.id;
}
