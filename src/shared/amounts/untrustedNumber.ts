import { asNumber, asObject, asString } from '../values/decodeValue';
import { hasHiddenText } from '../text/visibleText';

/*
 * Figures that agents report, and files that contain them. A figure that is impossible must not make others wrong: a sum that is too large
 * isn't a number any more, and one that is negative takes back what was used.
 */

/** An amount in a currency, as the agent reported them. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** Larger counts are impossible, and their sums would no longer be exact. */
export const largestCount = Number.MAX_SAFE_INTEGER;
/** Larger amounts are impossible, and their decimals would be lost. */
export const largestAmount = 1e12;
const longestCurrency = 20;

/** Returns a count of something, at most the largest that is exact; undefined if it isn't one. */
export function asCount(value: unknown): number | undefined {
  return atMost(value, largestCount);
}

/** Returns an amount of a currency, at most the largest that is possible; undefined if it isn't one. */
export function asAmount(value: unknown): number | undefined {
  return atMost(value, largestAmount);
}

/** Returns a cost; undefined if it has no amount, or a currency that can't be shown as it is. */
export function asCost(value: unknown): Cost | undefined {
  const fields = asObject(value);
  const amount = asAmount(fields?.['amount']);
  const currency = asString(fields?.['currency'])?.trim();
  if (amount === undefined || currency === undefined || currency === '') return undefined;
  return currency.length > longestCurrency || hasHiddenText(currency) || /\s/.test(currency)
    ? undefined
    : { amount, currency };
}

function atMost(value: unknown, most: number): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 ? Math.min(most, number) : undefined;
}
