import * as l10n from '@vscode/l10n';
import type { EntryId } from '../../../src/shared/values/ids';
import { lateWords, lateWorkOf } from '../../../src/shared/transcript/lateWork';
import { wasRejected } from '../../../src/shared/transcript/openQuestion';
import type { TranscriptOp } from '../../../src/shared/transcript/ops';
import type { Activity, Transcript } from '../../../src/shared/transcript/transcript';
import type { TurnBreak } from '../../../src/shared/amounts/turnSummary';
import { plainTitle, toolLabel } from '../../entries/words/toolLabel';
import { turnWork } from '../../entries/view/turnWork';

/**
 * Derives announcements for screen readers from a session's ops: a turn started, a tool call failed, a turn ended with its counts. A
 * snapshot isn't news, so it isn't announced.
 */
export class TurnNews {
  private wasBusy = false;
  private wasLate = false;
  /** A turn is over, and its summary, which says how it ended, follows. */
  private isEnding = false;

  reset(transcript: Transcript | undefined): void {
    this.wasBusy = transcript !== undefined && isBusy(transcript.view.activity);
    this.wasLate = transcript !== undefined && lateWorkOf(transcript.view).length > 0;
    this.isEnding = false;
  }

  /** Returns the most important announcement for ops that are already applied to `transcript`, if any. */
  follow(transcript: Transcript, ops: readonly TranscriptOp[]): string | undefined {
    const busy = isBusy(transcript.view.activity);
    const was = this.wasBusy;
    this.wasBusy = busy;
    const agent = transcript.view.agentName;
    const late = lateWorkOf(transcript.view);
    const wasLate = this.wasLate;
    this.wasLate = late.length > 0;
    if (was !== busy) this.isEnding = was;
    const end = ops.findLast((op) => op.op === 'summarize');
    if (this.isEnding && end) {
      this.isEnding = false;
      const { brokenBy } = end.summary;
      const ended = brokenBy === undefined ? turnDone(transcript) : brokenWords(brokenBy, agent);
      return late.length > 0 ? `${ended}. ${lateWords(late, agent)}` : ended;
    }
    if (this.isEnding) return undefined;
    if (!busy && wasLate !== late.length > 0) {
      return wasLate ? l10n.t('Nothing is running anymore') : lateWords(late, agent);
    }
    // Updates outside a turn are a replay, or an agent cleaning up, so they aren't news.
    const failed = busy ? ops.findLast((op) => isFailure(transcript, failedTool(op))) : undefined;
    const id = failed && failedTool(failed);
    if (id !== undefined) return l10n.t('Tool call failed: {0}', titleOf(transcript, id));
    return !was && busy ? l10n.t('{0} is working', agent) : undefined;
  }
}

/** Returns whether a session isn't idle. A turn that waits for the user is still running. */
export function isBusy(activity: Activity): boolean {
  return activity.state !== 'idle';
}

function failedTool(op: TranscriptOp): EntryId | undefined {
  if (op.op === 'patch' && op.kind === 'tool_call' && op.fields.status === 'failed') return op.id;
  if ((op.op === 'insert' || op.op === 'replace') && op.entry.kind === 'tool_call' && op.entry.status === 'failed') {
    return op.entry.id;
  }
  return undefined;
}

function isFailure(transcript: Transcript, id: EntryId | undefined): boolean {
  const entry = id === undefined ? undefined : transcript.entries.get(id);
  return id !== undefined && !(entry?.kind === 'tool_call' && wasRejected(entry));
}

function titleOf(transcript: Transcript, id: EntryId): string {
  const entry = transcript.entries.get(id);
  if (entry?.kind !== 'tool_call') return '';
  // As its row names it: a file or a command, and not the agent's title, which may be the whole path or JSON.
  const { object } = toolLabel(entry, transcript.view.cwd);
  return object === '' ? plainTitle(entry.title) : object;
}

function brokenWords(brokenBy: TurnBreak, agent: string): string {
  switch (brokenBy) {
    case 'stopped':
      return l10n.t('{0} was stopped', agent);
    case 'cutOff':
      return l10n.t('{0} was cut off', agent);
    case 'failed':
      return l10n.t('{0} couldn’t finish', agent);
  }
}

function turnDone(transcript: Transcript): string {
  const agent = transcript.view.agentName;
  let calls = 0;
  let failed = 0;
  let turn: number | undefined;
  for (let at = transcript.order.length - 1; at >= 0; at--) {
    const id = transcript.order[at];
    const entry = id && transcript.entries.get(id);
    if (!entry) continue;
    turn ??= entry.turn;
    if (entry.turn !== turn) break;
    if (entry.kind !== 'tool_call') continue;
    calls++;
    if (entry.status === 'failed' && !wasRejected(entry)) failed++;
  }
  const { fileCount } = turn === undefined ? { fileCount: 0 } : turnWork(transcript, turn);
  const did =
    fileCount > 0
      ? fileCount === 1
        ? l10n.t('changed 1 file')
        : l10n.t('changed {0} files', fileCount)
      : callsWords(calls);
  if (calls === 0) return l10n.t('{0} is done', agent);
  if (failed === 0) return l10n.t('{0} is done: {1}', agent, did);
  return l10n.t('{0} is done: {1}, {2} failed', agent, did, fileCount > 0 ? callsWords(failed) : failed);
}

function callsWords(count: number): string {
  return count === 1 ? l10n.t('1 tool call') : l10n.t('{0} tool calls', count);
}
