import * as l10n from '@vscode/l10n';
import type { Budget, BudgetUse } from '../../src/shared/amounts/budget';
import type { UsageLine } from '../../src/shared/pages/usagePage';
import { spentTokens, type TokenCounts, type TurnUsage } from '../../src/shared/amounts/turnUsage';

/** Returns a turn's tokens in words: "15.2k tokens (12k input, 3.2k output)". */
export function tokenWords({ total, input, output, thought, cachedRead }: TokenCounts, locale: string): string {
  const count = (tokens: number) => shortCount(tokens, locale);
  const parts = [
    l10n.t('{0} input', count(input)),
    cachedRead ? l10n.t('{0} cached', count(cachedRead)) : '',
    l10n.t('{0} output', count(output)),
    thought ? l10n.t('{0} reasoning', count(thought)) : '',
  ].filter(Boolean);
  return l10n.t('{0} tokens ({1})', count(total), parts.join(', '));
}

/**
 * Returns what belongs to a turn's tokens, in lines: those of the agent's own requests if subagents and compaction used
 * some, too, and each model if there are several.
 */
export function modelLines(usage: TurnUsage, locale: string): readonly string[] {
  const { models = [], total } = usage;
  const all = spentTokens(usage);
  const named = models.filter(({ model }) => model !== '');
  return [
    ...(all.total > total ? [l10n.t('Without subagents and compaction: {0}', tokenWords(usage, locale))] : []),
    ...(named.length > 1 ? named.map((row) => l10n.t('{0}: {1}', row.model, tokenWords(row, locale))) : []),
  ];
}

/** Formats a count compactly for a tooltip, in the user's locale: 124k, 1.2M. */
export function shortCount(count: number, locale: string): string {
  // A count that nobody can have, such as 1e308, would be hundreds of digits.
  if (Math.abs(count) >= 1e15)
    return new Intl.NumberFormat(locale, { notation: 'scientific', maximumFractionDigits: 1 }).format(count);
  const text = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
  return text.replace(/K$/, 'k');
}

/** Formats an amount in the user's locale: $0.12. */
export function money(amount: number, currency: string, locale: string): string {
  try {
    // Two decimals would show the small cost of a short turn as nothing.
    const digits = amount > 0 && amount < 0.01 ? { maximumSignificantDigits: 2 } : {};
    return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(amount);
  } catch {
    // The currency isn't an ISO code, so it is shown as received.
    return `${amount.toFixed(2)} ${currency}`;
  }
}

/** Formats what something cost: “$0.12”, or “about $0.12” by the user's prices, or both. Empty if nothing is known. */
export function costWords({ costs, about }: Pick<UsageLine, 'costs' | 'about'>, locale: string): string {
  const known = costs.map(({ amount, currency }) => money(amount, currency, locale));
  const guessed = about.map(({ amount, currency }) => l10n.t('about {0}', money(amount, currency, locale)));
  return [...known, ...guessed].join(' + ');
}

/** Returns what a budget allows: “5M tokens”, “$10.00”. */
export function budgetMost({ most, currency }: Budget, locale: string): string {
  return currency === undefined ? l10n.t('{0} tokens', shortCount(most, locale)) : money(most, currency, locale);
}

/** Returns how much of a budget is used: “1.2M of 5M tokens”, “$3.20 of $10.00”. */
export function budgetAmounts(budget: BudgetUse, locale: string): string {
  const { used, currency } = budget;
  const amount = currency === undefined ? shortCount(used, locale) : money(used, currency, locale);
  return l10n.t('{0} of {1}', amount, budgetMost(budget, locale));
}
