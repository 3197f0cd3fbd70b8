import * as l10n from '@vscode/l10n';
import type { StateUpdate } from '../../acp/shape/sessionUpdate';
import { compact } from '../../shared/values/decodeValue';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { NoticeEntry, Transcript } from '../../shared/transcript/transcript';
import type { TurnBreak, TurnSummary } from '../../shared/amounts/turnSummary';

/** Returns the title of the notice about a turn that was running when its window closed. */
export function closedWindowTitle(agentName: string): string {
  return l10n.t('The window closed while {0} was working', agentName);
}

/**
 * Returns the ops for the notice about a closed window if the agent wasn't stopped with it: it went on, and may have ended its
 * turn. `state` is what it says about that, if anything.
 */
export function wentOn({ order, entries, view }: Transcript, state: StateUpdate | undefined): TranscriptOp[] {
  const title = closedWindowTitle(view.agentName);
  const id = order.findLast((one) => entries.get(one)?.kind === 'notice');
  const notice = id === undefined ? undefined : entries.get(id);
  if (notice?.kind !== 'notice' || notice.title !== title || notice.turnSummary?.brokenBy !== 'cutOff') return [];
  return [{ op: 'replace', entry: withEnd(notice, view.agentName, state) }];
}

function withEnd(notice: NoticeEntry, agentName: string, state: StateUpdate | undefined): NoticeEntry {
  if (!state) {
    return { ...notice, description: l10n.t('If the agent is still working, its next messages appear here.') };
  }
  const description = l10n.t('{0} went on without it.', agentName);
  if (state.state !== 'idle' || !notice.turnSummary) return { ...notice, description };
  const { startedAt, endedAt, model, tokens, cost } = notice.turnSummary;
  const known = compact({ endedAt, model, tokens, cost });
  return { ...notice, description, turnSummary: { startedAt, ...known, ...endOf(state) } };
}

function endOf({ stopReason }: StateUpdate): Pick<TurnSummary, 'brokenBy'> {
  const ends: Readonly<Record<string, TurnBreak>> = { error: 'failed', cancelled: 'stopped' };
  const brokenBy = stopReason === undefined ? undefined : ends[stopReason];
  return brokenBy ? { brokenBy } : {};
}
