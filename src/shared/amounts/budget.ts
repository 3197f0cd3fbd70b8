import * as l10n from '@vscode/l10n';

/** How much the user wants to use at most. */
export interface Budget {
  readonly per: 'session' | 'day';
  /** The agent that it is for. Absent: all agents together. */
  readonly agentName?: string;
  /** Counts costs in this currency, as agents report them. Absent: counts tokens. */
  readonly currency?: string;
  readonly most: number;
}

/** A budget, and how much of it is used. */
export interface BudgetUse extends Budget {
  readonly used: number;
  /** When the day ends that was counted, in milliseconds since the epoch. Absent for sessions. */
  readonly until?: number;
}

/** The share of a budget at which the user is told. */
const nearShare = 0.8;

/** Returns how far a budget is used. A day's use says nothing any more once the day is over. */
export function budgetLevel({ used, most, until }: BudgetUse, now: number): 'ok' | 'near' | 'usedUp' {
  if (until !== undefined && until <= now) return 'ok';
  if (used >= most) return 'usedUp';
  return used >= most * nearShare ? 'near' : 'ok';
}

/** Returns how much of a budget is used, in percent. */
export function budgetPercent({ used, most }: BudgetUse): number {
  return most > 0 ? Math.round((used / most) * 100) : 100;
}

/** Returns the name of a budget, as the start of a line. */
export function budgetName({ per, agentName }: Budget): string {
  if (agentName === undefined) return per === 'session' ? l10n.t('Session budget') : l10n.t('Daily budget');
  return per === 'session' ? l10n.t('Session budget for {0}', agentName) : l10n.t('Daily budget for {0}', agentName);
}
