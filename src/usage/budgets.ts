import type { Budget, BudgetUse } from '../shared/amounts/budget';
import { asObject, asString, compact } from '../shared/values/decodeValue';
import { asAmount, asCount } from '../shared/amounts/untrustedNumber';
import { isRecord } from '../shared/values/isRecord';
import type { Cost } from '../shared/amounts/turnSummary';
import type { UsageRow } from './usageDays';

/** What is compared with budgets. */
export interface BudgetedUse {
  readonly agentName: string;
  /** The tokens and the cost of the session so far, as far as its agent reported them. */
  readonly session: { readonly tokens?: number; readonly cost?: Cost };
  /** What all agents used today. */
  readonly today: readonly UsageRow[];
  /** When today ends, in milliseconds since the epoch. */
  readonly todayEnds: number;
}

/**
 * Returns the budgets of all sources, such as the user's settings, those of the workspace, and a policy. If several limit the same thing, the
 * lowest counts, so none can raise another. Skips what isn't a budget.
 */
export function decodeBudgets(sources: readonly unknown[]): readonly Budget[] {
  const lowest = new Map<string, Budget>();
  for (const budget of sources.flatMap(budgetsOf)) {
    const { per, agentName, currency, most } = budget;
    const key = JSON.stringify([per, agentName, currency]);
    if (most < (lowest.get(key)?.most ?? Infinity)) lowest.set(key, budget);
  }
  return [...lowest.values()];
}

/** Returns why a value isn't a budget as a policy needs it; undefined if it is one. */
export function budgetProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it must be an object';
  const { session, day, agents = {}, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `"${unknown}" is unknown`;
  if (!isRecord(agents)) return '"agents" must be an object';
  const amounts = [session, day];
  for (const [name, one] of Object.entries(agents)) {
    if (!isRecord(one)) return `"${name}" must be an object`;
    const { session, day, ...others } = one;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) return `"${unknown}" is unknown`;
    amounts.push(session, day);
  }
  const wrong = amounts.find((amount) => amount !== undefined && !isAmount(amount));
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} has no valid tokens or cost`;
}

/** Returns the budgets that apply to a session, with what is used of each. */
export function budgetUses(budgets: readonly Budget[], use: BudgetedUse): readonly BudgetUse[] {
  return budgets
    .filter(({ agentName }) => agentName === undefined || agentName === use.agentName)
    .map((budget) => {
      if (budget.per === 'day') return dayUse(budget, use.today, use.todayEnds);
      const { tokens = 0, cost } = use.session;
      const used = budget.currency === undefined ? tokens : cost?.currency === budget.currency ? cost.amount : 0;
      return { ...budget, used };
    });
}

/** Returns a daily budget with what is used of it. */
export function dayUse(budget: Budget, today: readonly UsageRow[], todayEnds: number): BudgetUse {
  const { agentName, currency } = budget;
  const rows = today.filter((row) => agentName === undefined || agentName === row.agentName);
  const amounts =
    currency === undefined
      ? rows.map(({ total }) => total)
      : rows.flatMap(({ costs }) => costs.filter((cost) => cost.currency === currency).map(({ amount }) => amount));
  // Decimal amounts have rounding errors in their sum.
  const used = Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(9));
  return { ...budget, used, until: todayEnds };
}

/** Returns when the day of a time ends, in the user's time zone. */
export function endOfDay(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function budgetsOf(source: unknown): readonly Budget[] {
  const all = asObject(source);
  const ofAgents = Object.entries(asObject(all?.['agents']) ?? {}).flatMap(([name, one]) =>
    periodsOf(asObject(one), name),
  );
  return [...periodsOf(all), ...ofAgents];
}

function periodsOf(source: Readonly<Record<string, unknown>> | undefined, agentName?: string): readonly Budget[] {
  return (['session', 'day'] as const).flatMap((per) => {
    const amount = asObject(source?.[per]);
    const [tokens, cost] = [asCount(amount?.['tokens']), asAmount(amount?.['cost'])];
    const of = { per, ...compact({ agentName }) };
    const currency = (asString(amount?.['currency']) ?? 'USD').toUpperCase();
    return [
      ...(tokens === undefined ? [] : [{ ...of, most: tokens }]),
      ...(cost === undefined ? [] : [{ ...of, currency, most: cost }]),
    ];
  });
}

function isAmount(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { tokens, cost, currency, ...others } = value;
  const isValid = (amount: unknown) => amount === undefined || asAmount(amount) !== undefined;
  return (
    Object.keys(others).length === 0 &&
    (tokens !== undefined || cost !== undefined) &&
    (tokens === undefined || asCount(tokens) !== undefined) &&
    isValid(cost) &&
    (currency === undefined || typeof currency === 'string')
  );
}
