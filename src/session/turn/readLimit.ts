import { compact } from '../../shared/decodeValue';

/** What an agent's error text says about its provider. */
export interface ReadLimit {
  /** `limit`: something is used up. `rate`: too many requests at once. `overloaded`: the provider has too much to do. */
  readonly kind: 'limit' | 'rate' | 'overloaded';
  /** When it may work again, in milliseconds since the epoch. */
  readonly resetsAt?: number;
}

const usedUp =
  /\b(usage|session|weekly|daily|monthly|5-hour|five-hour|spending|credit|plan) limit\b|(?<!\brate[ _-]?)\blimit (is |was |has been )?(reached|exceeded|hit)\b|\breached (your|the) .{0,40}limit\b|\bhit your .{0,40}limit\b|(?<!\bdisk )\bquota\b|\bresource_exhausted\b|\bout of credits\b|\binsufficient (credits?|balance|funds)\b|\bcredit balance is too low\b|\bbilling_error\b/i;
const tooMany = /\btoo many requests\b|\brate[ _-]?limit(ed|s|ing|_error)?\b/i;
const tooBusy = /\boverloaded(_error)?\b|\bhigh demand\b|\bservice unavailable\b|\bat capacity\b/i;
/** A status of HTTP, and not the number of a line or a size. */
const status =
  /(?:\bstatus(?: code)?|\bhttp(?:\/[\d.]+)?|\bcode|\berror)[\s:="]*\(?(429|503|529)\b|\((429|503|529)\)|\b(429|503|529) (?:status|\{)/i;

/** Reads a text about a limit; undefined if it is about something else. `now` is in milliseconds since the epoch. */
export function readLimit(text: string, now: number): ReadLimit | undefined {
  const codes: readonly (string | undefined)[] = status.exec(text)?.slice(1) ?? [];
  const code = codes.find((one) => one !== undefined);
  const kind = usedUp.test(text)
    ? 'limit'
    : tooMany.test(text) || code === '429'
      ? 'rate'
      : tooBusy.test(text) || code !== undefined
        ? 'overloaded'
        : undefined;
  if (!kind) return undefined;
  const resetsAt = readReset(text, now);
  return { kind, ...compact({ resetsAt }) };
}

const dayMs = 86_400_000;
/** Limits reset within weeks. A later time was misread. */
const longestMs = 400 * dayMs;
const units: Readonly<Record<string, number>> = { d: dayMs, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function readReset(text: string, now: number): number | undefined {
  const at = readEpoch(text) ?? readSpan(text, now) ?? readDate(text) ?? readClock(text, now);
  return at !== undefined && at > now && at - now < longestMs ? at : undefined;
}

/** Claude: “usage limit reached|1795720800”. Others send the field as JSON. */
function readEpoch(text: string): number | undefined {
  const [, seconds] = /(?:\||resets_?at"?\s*[:=]\s*)(\d{10})\b/i.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** “try again in 2 hours 13 minutes”, “Please retry in 37.5s”, “will reset after 18h31m5s”, “Retry-After: 30”. */
function readSpan(text: string, now: number): number | undefined {
  const [, plain] = /retry[-_ ]?after"?\s*[:=]\s*"?(\d{1,7})\b(?!\s*(?:ms|m|h|d))/i.exec(text) ?? [];
  if (plain !== undefined) return now + Number(plain) * 1000;
  const [, span] =
    /(?:again|retry|resets?|available|wait)\s+(?:in|after|for)?\s*((?:about\s+)?\d+(?:\.\d+)?\s*(?:ms|d|h|m|s)[\w\s.,]{0,60})/i.exec(
      text,
    ) ?? [];
  if (span === undefined) return undefined;
  let ms = 0;
  const part =
    /(\d+(?:\.\d+)?)\s*(ms|milliseconds?|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])/giy;
  part.lastIndex = span.search(/\d/);
  for (let match = part.exec(span); match; match = part.exec(span)) {
    const name = (match[2] ?? '').toLowerCase();
    const unit = name === 'ms' || name.startsWith('milli') ? 'ms' : name.charAt(0);
    ms += Number(match[1]) * (units[unit] ?? 0);
    while (/[\s,]/.test(span.charAt(part.lastIndex))) part.lastIndex += 1;
    if (span.startsWith('and ', part.lastIndex)) part.lastIndex += 4;
  }
  return ms > 0 ? now + ms : undefined;
}

/** Codex: “try again at Mar 17th, 2030 5:46 PM”, in the time zone of its machine. */
function readDate(text: string): number | undefined {
  const [, month, day, year, time] =
    /\b([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (?:at )?(\d{1,2}:\d\d ?(?:[AP]M)?)/i.exec(text) ??
    [];
  if (month === undefined || day === undefined || year === undefined || time === undefined) return undefined;
  const at = Date.parse(`${month} ${day}, ${year} ${time}`);
  return Number.isNaN(at) ? undefined : at;
}

/** “try again at 5:46 PM”, “resets 6pm”, “resets at 18:20”. */
function readClock(text: string, now: number): number | undefined {
  const [, hour, minute, half] =
    /(?:again|resets?|available)\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*([ap]m)?\b/i.exec(text) ?? [];
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (hours > 23) return undefined;
  const date = new Date(now);
  date.setHours(hours, Number(minute ?? 0), 0, 0);
  if (date.getTime() <= now) date.setDate(date.getDate() + 1);
  return date.getTime();
}
