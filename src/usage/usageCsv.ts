import { aboutCost, type Prices } from './prices';
import type { UsageDay, UsageRow } from './usageDays';

const columns = [
  'day',
  'agent',
  'model',
  'session',
  'turns',
  'total tokens',
  'input tokens',
  'output tokens',
  'cached tokens',
  'cache write tokens',
  'reasoning tokens',
  'cost',
  'currency',
  'estimated',
] as const;

/** Returns all days as CSV (RFC 4180), one line per day, agent, model, session, and currency. */
export function usageCsv(days: readonly UsageDay[], prices: Prices): string {
  const sorted = [...days].sort((a, b) => (a.day < b.day ? -1 : 1));
  const lines = sorted.flatMap(({ day, rows }) => rows.flatMap((row) => linesOf(day, row, prices)));
  return [[...columns], ...lines].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function linesOf(day: string, row: UsageRow, prices: Prices): (string | number)[][] {
  const { agentName, model, session, turns, total, input, output, cachedRead, cachedWrite, thought, costs } = row;
  const counts = [turns, total, input, output, cachedRead ?? '', cachedWrite ?? '', thought ?? ''];
  const named = [day, agentName, model, session];
  const about = aboutCost(row, prices);
  const [first, ...others] = costs;
  return [
    [
      ...named,
      ...counts,
      first?.amount ?? about?.amount ?? '',
      first?.currency ?? about?.currency ?? '',
      about ? 'yes' : '',
    ],
    // Amounts in further currencies. The tokens count once.
    ...others.map(({ amount, currency }) => [...named, ...counts.map(() => ''), amount, currency, '']),
  ];
}

/** Spreadsheets would run a text that begins like a formula, and agents and models choose their names. */
function cellText(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
