import { asList } from '../shared/values/decodeValue';
import type { AgentId, SessionKey } from '../shared/values/ids';
import { asCost, largestAmount, largestCount } from '../shared/amounts/untrustedNumber';
import type { Cost } from '../shared/amounts/turnSummary';
import { addTokens, spentByModel, type ModelTokens, type TurnUsage } from '../shared/amounts/turnUsage';
import { anything, fields, list, number, oneOf, optional, text, type Shape } from '../shared/values/shape';

/** A turn that has ended, as far as its agent reported what it used. */
export interface UsedTurn {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly session: SessionKey;
  /** The model selected when the turn began, if known. */
  readonly model?: string;
  readonly tokens?: TurnUsage;
  readonly cost?: Cost;
}

/** What a session used of a model on one day. Nothing of what was said is in it. */
export interface UsageRow extends ModelTokens {
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly session: SessionKey;
  /** The turns that began with this model. */
  readonly turns: number;
  /** What the agent reported, at most one amount per currency. */
  readonly costs: readonly Cost[];
}

/** What was used on one day of the user's calendar. */
export interface UsageDay {
  readonly version: 1;
  /** Year, month, and day. */
  readonly day: string;
  readonly rows: readonly UsageRow[];
}

/** How long days are kept. */
export const keptDays = 366;

/** Returns the day of a time, in the user's time zone. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the day that is some days before the day of a time. */
export function dayBefore(at: number, days: number): string {
  const date = new Date(at);
  // Noon exists on every day, also when clocks change.
  return dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() - days, 12).getTime());
}

/** Adds a turn to the rows of its day. */
export function addTurn(rows: readonly UsageRow[], turn: UsedTurn): readonly UsageRow[] {
  const { agentId, agentName, session, model = '', tokens } = turn;
  const cost = asCost(turn.cost);
  if (!tokens && !cost) return rows;
  const used = tokens ? spentByModel(tokens, model) : [{ model, total: 0, input: 0, output: 0 }];
  return addRows(
    rows,
    used.map((counts, at) => ({
      agentId,
      agentName,
      session,
      ...counts,
      // The agent counts turns and costs for all models together.
      turns: at === 0 ? 1 : 0,
      costs: at === 0 && cost ? [cost] : [],
    })),
  );
}

/** Adds rows to those of the same agent, session, and model. */
export function addRows(rows: readonly UsageRow[], more: readonly UsageRow[]): readonly UsageRow[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const row of more) {
    const before = byKey.get(keyOf(row));
    byKey.set(keyOf(row), before ? mergeRows(before, row) : row);
  }
  return [...byKey.values()];
}

function keyOf({ agentId, session, model }: UsageRow): string {
  return JSON.stringify([agentId, session, model]);
}

function mergeRows(before: UsageRow, row: UsageRow): UsageRow {
  const { agentId, agentName, session, model } = row;
  const turns = before.turns + row.turns;
  const costs = addCosts(before.costs, row.costs);
  return { agentId, agentName, session, model, ...addTokens(before, row), turns, costs };
}

/** Adds amounts of the same currency. */
export function addCosts(before: readonly Cost[], more: readonly Cost[]): readonly Cost[] {
  const byCurrency = new Map(before.map(({ amount, currency }) => [currency, amount]));
  for (const { amount, currency } of more) {
    // Decimal amounts have rounding errors in their sum.
    const sum = Math.min(largestAmount, (byCurrency.get(currency) ?? 0) + amount);
    byCurrency.set(currency, Number(sum.toFixed(9)));
  }
  return [...byCurrency].map(([currency, amount]) => ({ amount, currency }));
}

const count: Shape<number> = (value): value is number => number(value) && value >= 0 && value <= largestCount;
const maybeCount = optional(count);
const dayText: Shape<string> = (value): value is string => text(value) && /^\d{4}-\d\d-\d\d$/.test(value);
const dayShape = fields({
  version: oneOf(1),
  day: dayText,
  rows: list(anything),
});
const rowShape = fields({
  agentId: text,
  agentName: text,
  session: text,
  model: text,
  turns: count,
  total: count,
  input: count,
  output: count,
  thought: maybeCount,
  cachedRead: maybeCount,
  cachedWrite: maybeCount,
  costs: list(anything),
});

/** Reads a stored day. A row or cost that is impossible is left out, so the rest of the day stays. Returns undefined if the JSON isn't a day. */
export function readDay(json: unknown): UsageDay | undefined {
  if (!dayShape(json)) return undefined;
  const { version, day, rows } = json;
  return { version, day, rows: asList(rows, readRow) ?? [] };
}

function readRow(value: unknown): UsageRow | undefined {
  return rowShape(value) ? ({ ...value, costs: asList(value.costs, asCost) ?? [] } as UsageRow) : undefined;
}
