import type { Budget, BudgetUse } from '../amounts/budget';
import type { Cost } from '../amounts/turnSummary';
import type { TokenCounts } from '../amounts/turnUsage';

/** The days that the page shows, up to today. */
export type UsageRange = 'week' | 'month' | 'year';
export const usageRanges: readonly UsageRange[] = ['week', 'month', 'year'];

export type UsageGroup = 'days' | 'agents' | 'models' | 'sessions';

/** What was used in a day, by an agent or a model, or in a session. */
export interface UsageLine {
  /** A day as year, month, and day, a name, or a title. Empty if the agent didn't name the model, or the session is gone. */
  readonly label: string;
  /** Empty if several agents used it. */
  readonly agentName: string;
  readonly turns: number;
  readonly tokens: TokenCounts;
  /** What agents reported, at most one amount per currency. */
  readonly costs: readonly Cost[];
  /** What the rest cost by the user's prices. */
  readonly about: readonly Cost[];
}

export interface UsageReport {
  readonly range: UsageRange;
  readonly total: UsageLine;
  readonly groups: Readonly<Record<UsageGroup, readonly UsageLine[]>>;
  /** The user's budgets. Those for a day come with what is used of them. */
  readonly budgets: readonly (Budget | BudgetUse)[];
}

/** Messages from the extension host to the page of usage. */
export type ToUsagePage = { readonly type: 'usage'; readonly report: UsageReport; readonly locale: string };

/** Messages from the page of usage to the extension host. */
export type FromUsagePage =
  | { readonly type: 'setRange'; readonly range: UsageRange }
  /** Saves everything that is kept as CSV. */
  | { readonly type: 'exportCsv' }
  | { readonly type: 'openPrices' }
  | { readonly type: 'openBudget' };
