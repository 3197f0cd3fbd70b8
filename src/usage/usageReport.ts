import type { UsageGroup, UsageLine, UsageRange, UsageReport } from '../shared/pages/usagePage';
import { sumTokens } from '../shared/amounts/turnUsage';
import type { SessionKey } from '../shared/values/ids';
import type { Budget } from '../shared/amounts/budget';
import { dayUse, endOfDay } from './budgets';
import { aboutCost, type Prices } from './prices';
import { addCosts, dayBefore, dayOf, type UsageDay, type UsageRow } from './usageDays';

/** How many days a range has, today included. */
const daysIn: Readonly<Record<UsageRange, number>> = { week: 7, month: 30, year: 365 };

/** A row and its day. */
interface DatedRow extends UsageRow {
  readonly day: string;
}

/** What the report needs besides the days. */
export interface ReportOptions {
  readonly range: UsageRange;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly prices: Prices;
  readonly budgets: readonly Budget[];
  /** Returns the title of a session that is still there. */
  readonly titleOf: (session: SessionKey) => string | undefined;
}

/** Returns what was used in a range of days: all of it, and by day, agent, model, and session. */
export function reportOf(
  days: readonly UsageDay[],
  { range, now, prices, budgets, titleOf }: ReportOptions,
): UsageReport {
  const first = dayBefore(now, daysIn[range] - 1);
  const rows = days.flatMap(({ day, rows }) => (day < first ? [] : rows.map((row): DatedRow => ({ ...row, day }))));
  const lines = (keyOf: (row: DatedRow) => string, labelOf: (row: DatedRow) => string): UsageLine[] => {
    const groups = new Map<string, DatedRow[]>();
    for (const row of rows) {
      const group = groups.get(keyOf(row));
      if (group) group.push(row);
      else groups.set(keyOf(row), [row]);
    }
    return [...groups.values()].map((group) => lineOf(labelOf(group[0] as DatedRow), group, prices));
  };
  const byUse = (all: UsageLine[]) => all.sort((a, b) => b.tokens.total - a.tokens.total || b.turns - a.turns);
  const groups: Readonly<Record<UsageGroup, readonly UsageLine[]>> = {
    days: lines(
      ({ day }) => day,
      ({ day }) => day,
    ).sort((a, b) => (a.label < b.label ? 1 : -1)),
    agents: byUse(
      lines(
        ({ agentId }) => agentId,
        ({ agentName }) => agentName,
      ),
    ),
    models: byUse(
      lines(
        ({ model, agentId }) => (model === '' ? JSON.stringify([agentId]) : model),
        ({ model }) => model,
      ),
    ),
    sessions: byUse(
      lines(
        ({ session }) => session,
        ({ session }) => titleOf(session) ?? '',
      ),
    ),
  };
  const today = rows.filter(({ day }) => day === dayOf(now));
  return {
    range,
    total: lineOf('', rows, prices),
    groups,
    budgets: budgets.map((budget) => (budget.per === 'day' ? dayUse(budget, today, endOfDay(now)) : budget)),
  };
}

/** Adds up rows. */
export function lineOf(label: string, rows: readonly UsageRow[], prices: Prices): UsageLine {
  const about = rows.flatMap((row) => aboutCost(row, prices) ?? []);
  const [agent] = rows;
  return {
    label,
    agentName: agent && rows.every(({ agentId }) => agentId === agent.agentId) ? agent.agentName : '',
    turns: rows.reduce((sum, { turns }) => sum + turns, 0),
    tokens: sumTokens(rows) ?? { total: 0, input: 0, output: 0 },
    costs: rows.reduce<UsageLine['costs']>((sum, { costs }) => addCosts(sum, costs), []),
    about: addCosts([], about),
  };
}
