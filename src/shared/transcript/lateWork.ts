import * as l10n from '@vscode/l10n';
import type { LateWork, SessionView } from './transcript';

type Work = Pick<SessionView, 'activity' | 'lateWork'>;

/**
 * Returns whether anything of a session is running: a turn, or work that an earlier turn started. Unlike
 * `activity.state`, which is only about the turn and decides whether a message is sent or queued.
 */
export function isAtWork({ activity, lateWork }: Work): boolean {
  return activity.state !== 'idle' || lateWorkOf({ lateWork }).length > 0;
}

/** Returns the work that continues after its turn. */
export function lateWorkOf({
  lateWork = [],
}: {
  readonly lateWork?: readonly LateWork[] | undefined;
}): readonly LateWork[] {
  return lateWork;
}

/**
 * Returns whether the user can stop a piece of work now. The protocol can only cancel everything that an agent does in a
 * session, which would also stop a running turn.
 */
export function canStop(work: LateWork, { activity }: Pick<SessionView, 'activity'>): boolean {
  switch (work.kind) {
    case 'command':
      return true;
    case 'background':
      return false;
    case 'reported':
      return work.canCancel;
    case 'subagent':
      return work.canCancel || activity.state === 'idle';
    case 'toolCall':
    case 'agent':
      return activity.state === 'idle';
  }
}

/** Describes late work in a few words: "2 commands are still running". */
export function lateWords(late: readonly LateWork[], agentName: string): string {
  const count = (...kinds: readonly LateWork['kind'][]) => late.filter(({ kind }) => kinds.includes(kind)).length;
  const commands = count('command', 'toolCall', 'background', 'reported');
  const subagents = count('subagent');
  if (count('reported') > 0) {
    const tasks = commands + subagents;
    return tasks === 1 ? l10n.t('1 background task is running') : l10n.t('{0} background tasks are running', tasks);
  }
  if (late.every(({ kind }) => kind === 'background')) {
    if (commands === 1) return l10n.t('1 background command may still be running');
    return l10n.t('{0} background commands may still be running', commands);
  }
  if (commands > 0 && subagents > 0) return l10n.t('{0} tasks are still running', commands + subagents);
  if (commands === 1) return l10n.t('1 command is still running');
  if (commands > 1) return l10n.t('{0} commands are still running', commands);
  if (subagents === 1) return l10n.t('1 subagent is still running');
  if (subagents > 1) return l10n.t('{0} subagents are still running', subagents);
  return l10n.t('{0} is still working', agentName);
}
