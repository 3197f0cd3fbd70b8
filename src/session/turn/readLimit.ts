import { compact } from '../../shared/values/decodeValue';
import type { LimitCode } from './limitCode';
import { readReset } from './readReset';

/** What an agent's error text says about its provider. */
export interface ReadLimit {
  /** `limit`: something is used up. `rate`: too many requests at once. `overloaded`: the provider has too much to do. */
  readonly kind: 'limit' | 'rate' | 'overloaded';
  /** When it may work again, in milliseconds since the epoch. */
  readonly resetsAt?: number;
}

/** What a provider limits: usage, money, or an amount in a time. */
const ofUsage = String.raw`(?:usage|session|hourly|daily|weekly|monthly|yearly|\d+[- ]?h(?:ou)?rs?|\d+[- ]?hour|five-hour|\d+[- ]day|seven-day|spend(?:ing)?|credits?|plan|billing|subscription|account|organi[sz]ation|free[- ]tier|premium|opus|sonnet|fable|messages?|(?:model )?requests?)`;
const isReached = String.raw`(?:is |was |has been |have been )?(?:reached|exceeded|hit|used up)`;
const usedUp = new RegExp(
  [
    String.raw`\b${ofUsage}(?: (?!size|length|body|file|time)[\w-]+)? limits?\b(?! of \d)`,
    // Of something that isn't named, such as in “Limit reached”.
    String.raw`(?:^|[.:;·∙|\n]\s*)limit ${isReached}\b`,
    String.raw`\b(?:reached|hit|exceeded) your (?:${ofUsage} ?(?:[\w-]+ )?)?limits?\b`,
    String.raw`\b(?:reached|hit|exceeded) (?:the|your) ${ofUsage}\b[^.\n]{0,30}\blimit`,
    String.raw`(?<!\b(?:disk|storage|inode|file|files|space|volume|memory|cpu|database|cache) )\bquota\b`,
    String.raw`\bresource_exhausted\b`,
    String.raw`\bout of credits\b`,
    String.raw`\binsufficient (?:credits?|balance|funds)\b`,
    String.raw`\bcredit balance is too low\b`,
    String.raw`\bbilling_error\b`,
  ].join('|'),
  'i',
);
const tooMany = /\btoo many requests\b|\brate[ _-]?limit(ed|s|ing|_error)?\b/i;
const tooBusy = /\boverloaded(_error)?\b|\bhigh demand\b|\bservice unavailable\b|\bat capacity\b/i;
/** A status of HTTP, and not the number of a line or a size. */
const status =
  /(?:\bstatus(?: code)?|\bhttp(?:\/[\d.]+)?|\bcode|\berror)[\s:="]*\(?(429|503|529)\b|\((429|503|529)\)|\b(429|503|529) (?:status|\{)|^\s*(429|503|529)\s*$/im;

/** Reads a text about a limit; undefined if it is about something else. `now` is in milliseconds since the epoch. */
export function readLimit(text: string, now: number, code?: LimitCode): ReadLimit | undefined {
  if (code === 'other') return undefined;
  const codes: readonly (string | undefined)[] = status.exec(text)?.slice(1) ?? [];
  const number = codes.find((one) => one !== undefined);
  const said = usedUp.test(text)
    ? 'limit'
    : tooMany.test(text) || number === '429'
      ? 'rate'
      : tooBusy.test(text) || number !== undefined
        ? 'overloaded'
        : undefined;
  // A code for too many requests is also sent for what is used up, which the words say.
  const kind = code === undefined || (code === 'rate' && said === 'limit') ? said : code;
  if (!kind) return undefined;
  const resetsAt = readReset(text, now);
  return { kind, ...compact({ resetsAt }) };
}
