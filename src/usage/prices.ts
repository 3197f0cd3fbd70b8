import { asNumber, asObject, asString } from '../shared/values/decodeValue';
import { isRecord } from '../shared/values/isRecord';
import type { Cost } from '../shared/amounts/turnSummary';
import type { UsageRow } from './usageDays';

/** What a million tokens cost, as the user entered it. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cachedRead: number;
  readonly cachedWrite: number;
  readonly currency: string;
}

/** Prices by the name of a model or of an agent. */
export type Prices = ReadonlyMap<string, Price>;

const million = 1_000_000;

/** Reads the setting: names, and what a million tokens cost. Skips what isn't a price. */
export function decodePrices(value: unknown): Prices {
  const prices = new Map<string, Price>();
  for (const [name, one] of Object.entries(isRecord(value) ? value : {})) {
    const price = asObject(one);
    const amount = (key: string) => {
      const read = asNumber(price?.[key]);
      return read !== undefined && read >= 0 ? read : undefined;
    };
    const [input, output] = [amount('input'), amount('output')];
    if (input === undefined || output === undefined) continue;
    const cachedRead = amount('cachedRead') ?? input;
    const cachedWrite = amount('cachedWrite') ?? input;
    prices.set(name, { input, output, cachedRead, cachedWrite, currency: asString(price?.['currency']) ?? 'USD' });
  }
  return prices;
}

/**
 * Returns about what a row cost by the price of its model, or else of its agent. Undefined without a price, or if the agent reported the
 * cost.
 */
export function aboutCost(row: UsageRow, prices: Prices): Cost | undefined {
  const price = prices.get(row.model) ?? prices.get(row.agentName);
  if (!price || row.costs.length > 0) return undefined;
  const { total, input, output, cachedRead = 0, cachedWrite = 0 } = row;
  // Some agents count what was cached as input, too, and others besides it.
  const isInInput = total < input + output + cachedRead + cachedWrite;
  const fresh = isInInput ? Math.max(0, input - cachedRead - cachedWrite) : input;
  const amount =
    fresh * price.input + output * price.output + cachedRead * price.cachedRead + cachedWrite * price.cachedWrite;
  return { amount: amount / million, currency: price.currency };
}
