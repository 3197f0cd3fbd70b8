import { compact } from '../values/decodeValue';
import { largestCount } from './untrustedNumber';

/** Tokens as an agent counted them. The parts don't always add up to the total. */
export interface TokenCounts {
  readonly total: number;
  readonly input: number;
  readonly output: number;
  readonly thought?: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
}

/** The tokens of one model. The name is empty if the agent doesn't report it. */
export interface ModelTokens extends TokenCounts {
  readonly model: string;
}

/**
 * The tokens of a turn: those of the agent's own requests, as the agent counted them. `models` also counts subagents and
 * compaction, so it may add up to more. Absent if the agent doesn't count per model.
 */
export interface TurnUsage extends TokenCounts {
  readonly models?: readonly ModelTokens[];
}

/** Returns the sum of two counts. */
export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  const add = (key: keyof TokenCounts) =>
    a[key] === undefined && b[key] === undefined ? undefined : Math.min(largestCount, (a[key] ?? 0) + (b[key] ?? 0));
  const [thought, cachedRead, cachedWrite] = [add('thought'), add('cachedRead'), add('cachedWrite')];
  return {
    total: add('total') ?? 0,
    input: add('input') ?? 0,
    output: add('output') ?? 0,
    ...compact({ thought, cachedRead, cachedWrite }),
  };
}

/** Returns the sum of all counts; undefined if there are none. */
export function sumTokens(counts: readonly TokenCounts[]): TokenCounts | undefined {
  const [first, ...others] = counts;
  return first && others.reduce(addTokens, plainCounts(first));
}

/** Returns counts without the model or the models. */
export function plainCounts(counts: TokenCounts): TokenCounts {
  return addTokens(counts, { total: 0, input: 0, output: 0 });
}

/** Returns rows of which no two have the same model. */
export function mergeModels(rows: readonly ModelTokens[]): readonly ModelTokens[] {
  const merged = new Map<string, ModelTokens>();
  for (const row of rows) {
    const { model } = row;
    const before = merged.get(model);
    merged.set(model, before ? { ...addTokens(before, row), model } : row);
  }
  return [...merged.values()];
}

/**
 * Returns everything a turn used, one row per model. That is what the agent counted per model, unless this is less than
 * the turn's own tokens. `selected` is the model to count those for.
 */
export function spentByModel(usage: TurnUsage, selected = ''): readonly ModelTokens[] {
  const rows = usage.models ?? [];
  const all = sumTokens(rows);
  if (all && all.total >= usage.total) return rows;
  return [{ ...plainCounts(usage), model: rows.length === 1 ? (rows[0]?.model ?? selected) : selected }];
}

/** Returns everything a turn used, with subagents and compaction as far as the agent counts them. */
export function spentTokens(usage: TurnUsage): TokenCounts {
  return sumTokens(spentByModel(usage)) ?? plainCounts(usage);
}
