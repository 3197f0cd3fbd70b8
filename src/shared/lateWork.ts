import * as l10n from '@vscode/l10n';
import type { EntryId, TerminalId, ToolCallId } from './ids';
import type { SessionView } from './transcript';

/**
 * Work that an agent started in a turn and that continues after the end of that turn. `command`: runs in one of Parley's
 * terminals. `toolCall` and `subagent`: the agent hasn't reported their end. `background`: a command that the agent
 * started without waiting for it, and whose end it reports late or never. `agent`: the agent sends updates although it wasn't
 * sent a message. `reported`: see there.
 */
export type LateWork = {
  /** The turn that started it. */
  readonly turn: number;
  /** When the work was first seen, in milliseconds since the epoch. */
  readonly since: number;
} & (
  | { readonly kind: 'command'; readonly terminal: TerminalId }
  | { readonly kind: 'toolCall' | 'background'; readonly entry: EntryId }
  | { readonly kind: 'subagent'; readonly entry: EntryId; readonly canCancel: boolean }
  /**
   * The agent itself lists it as background work, also during a turn. `canCancel`: the agent can stop it alone. Without a
   * terminal and a call, only the agent knows what it is.
   */
  | {
      readonly kind: 'reported';
      readonly terminal?: TerminalId;
      readonly entry?: EntryId;
      readonly toolCall?: ToolCallId;
      readonly canCancel: boolean;
    }
  /** `ignoredStop`: the agent was told to stop and continues. */
  | { readonly kind: 'agent'; readonly ignoredStop?: boolean }
);

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
