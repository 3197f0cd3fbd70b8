/* Reads when a limit resets, from a text of an agent. */

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Limits reset within weeks. A later time was misread. */
const longestMs = 400 * dayMs;
/** Without a year, a date that is months away is one that has passed. */
const longestWithoutYearMs = 60 * dayMs;
const units: Readonly<Record<string, number>> = { d: dayMs, h: 3_600_000, m: minuteMs, s: 1000, ms: 1 };

/** Returns when something works again, in milliseconds since the epoch; undefined if the text doesn't say, or the time is past. */
export function readReset(text: string, now: number): number | undefined {
  const at = readEpoch(text) ?? readSpan(text, now) ?? readTime(text, now);
  return at !== undefined && at > now && at - now < longestMs ? at : undefined;
}

/** Claude: “usage limit reached|1795720800”. Others send the field as JSON, in seconds or milliseconds. */
function readEpoch(text: string): number | undefined {
  const [, seconds] = /(?:\||resets_?at"?\s*[:=]\s*)(\d{10})(?:\d{3})?\b/i.exec(text) ?? [];
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

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const start = String.raw`(?:again|resets?|refresh(?:es)?|available|renews?|until)\s*:?\s+(?:at\s+|on\s+)?`;
const day = [
  String.raw`(?<month>[a-z]{3})[a-z]*\.?\s+(?<date>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<year>\d{4}))?`,
  String.raw`(?<date2>\d{1,2})(?:st|nd|rd|th)?\s+(?<month2>[a-z]{3})[a-z]*(?:,?\s+(?<year2>\d{4}))?`,
  String.raw`(?<iso>\d{4}-\d\d-\d\d)`,
  String.raw`(?<name>sun|mon|tue|wed|thu|fri|sat)[a-z]*`,
  String.raw`(?<tomorrow>tomorrow)|today`,
].join('|');
const clock = String.raw`(?:(?<word>midnight|noon)\b|(?<hour>\d{1,2})(?::(?<minute>\d\d))?(?::(?<second>\d\d)(?:\.\d+)?)?\s*(?<half>[ap]\.?m\b)?)`;
const zone = String.raw`\s*(?:\((?<inside>[^)\n]{1,40})\)|(?<after>Z\b|[+-]\d\d:?\d\d\b|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?\b|[A-Z]{1,3}T\b|(?:Pacific|Mountain|Central|Eastern)\b|[A-Z][a-z]+\/[A-Z]\w+))?`;
const time = new RegExp(`${start}(?:(?:${day})(?:\\s*,?\\s*(?:at\\s+)?|T))?${clock}${zone}`, 'id');
const wholeDay = new RegExp(`${start}(?:${day})(?![\\w:])${zone}`, 'id');

/** Offsets of the usual abbreviations, in hours. */
const offsets: Readonly<Record<string, number>> = {
  PST: -8,
  PDT: -7,
  MST: -7,
  MDT: -6,
  CST: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  WET: 0,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  JST: 9,
  KST: 9,
};
const regions: Readonly<Record<string, string>> = {
  PT: 'America/Los_Angeles',
  MT: 'America/Denver',
  CT: 'America/Chicago',
  ET: 'America/New_York',
};

/** A time of day on a calendar, whatever the zone. */
interface Wall {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** “try again at Mar 17th, 2030 5:46 PM”, “resets 8pm (Asia/Tokyo)”, “resets Thursday 5pm”, “resets Oct 9 at 17:00 UTC”, “resets Oct 9”. */
function readTime(text: string, now: number): number | undefined {
  const found = time.exec(text)?.groups;
  const { hour = '', minute, half, word, inside, after } = found ?? {};
  const hasTime = [minute, half, word].some((one) => one !== undefined);
  if (!found || !hasTime) return readDay(wholeDay.exec(text)?.groups, now);
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute ?? 0) > 59) return undefined;
  const offset = offsetReader(inside ?? after);
  return offset && readWall(found, word?.toLowerCase() === 'noon' ? 12 : hours, offset, now);
}

/** A day without a time has begun at midnight. Without a zone, that is here and in UTC, whichever is later. */
function readDay(found: Found | undefined, now: number): number | undefined {
  if (!found) return undefined;
  const { inside, after } = found;
  const offsets = inside === undefined && after === undefined ? [undefined, 'UTC'] : [inside ?? after];
  const begins = offsets.map((zone) => {
    const offset = offsetReader(zone);
    return offset && readWall(found, 0, offset, now);
  });
  return begins.reduce((latest, one) =>
    latest !== undefined && one !== undefined ? Math.max(latest, one) : undefined,
  );
}

type Found = Readonly<Record<string, string | undefined>>;

/** Returns when a clock shows what was found, with these hours, the next time. */
function readWall(found: Found, hours: number, offset: (at: number) => number, now: number): number | undefined {
  const { minute, second, name, tomorrow, iso } = found;
  const today = wallOf(now + offset(now));
  const of = (year: number, month: number, date: number) => {
    const wall = { year, month, date, hour: hours, minute: Number(minute ?? 0), second: Number(second ?? 0) };
    // A time without seconds was rounded, and it works again before the minute ends.
    return instantOf(wall, offset) + (minute !== undefined && second === undefined ? minuteMs : 0);
  };
  const inDays = (days: number) => of(today.year, today.month, today.date + days);
  const month = found['month'] ?? found['month2'];
  const year = found['year'] ?? found['year2'];
  const date = Number(found['date'] ?? found['date2']);
  if (iso !== undefined) {
    const [isoYear = 0, isoMonth = 0, isoDate = 0] = iso.split('-').map(Number);
    return of(isoYear, isoMonth - 1, isoDate);
  }
  if (month !== undefined) {
    const index = months.indexOf(month.toLowerCase());
    if (index < 0 || date < 1 || date > 31) return undefined;
    if (year !== undefined) return of(Number(year), index, date);
    const at = [of(today.year, index, date), of(today.year + 1, index, date)].find((one) => one > now);
    return at !== undefined && at - now < longestWithoutYearMs ? at : undefined;
  }
  if (tomorrow !== undefined) return inDays(1);
  if (name !== undefined) {
    const weekday = new Date(Date.UTC(today.year, today.month, today.date)).getUTCDay();
    const days = (weekdays.indexOf(name.toLowerCase()) - weekday + 7) % 7;
    return inDays(days) > now ? inDays(days) : inDays(days + 7);
  }
  return inDays(0) > now ? inDays(0) : inDays(1);
}

/** Returns how many milliseconds a zone is ahead of UTC at a time; undefined if the zone isn't known. */
function offsetReader(written: string | undefined): ((at: number) => number) | undefined {
  if (written === undefined) return (at) => -new Date(at).getTimezoneOffset() * minuteMs;
  const name = written.trim();
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d\d)?$/i.exec(name) ?? [];
  if (sign !== undefined) {
    const fixed = (Number(hours) * 60 + Number(minutes ?? 0)) * minuteMs * (sign === '-' ? -1 : 1);
    return () => fixed;
  }
  if (/^(Z|UTC|GMT)$/i.test(name)) return () => 0;
  const short = /^(?:Pacific|Mountain|Central|Eastern)$/i.test(name)
    ? `${name.charAt(0).toUpperCase()}T`
    : name.toUpperCase();
  if (Object.hasOwn(offsets, short)) return () => (offsets[short] ?? 0) * 60 * minuteMs;
  // Words in parentheses are often no zone.
  if (!/^[A-Z]\w*\/[\w/+-]+$|^[A-Z]{1,3}T$/i.test(Object.hasOwn(regions, short) ? short : name))
    return offsetReader(undefined);
  try {
    const timeZone = Object.hasOwn(regions, short) ? regions[short] : name;
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return (at) => {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
      return wall - Math.floor(at / 1000) * 1000;
    };
  } catch {
    // No zone of this system.
    return undefined;
  }
}

function wallOf(shifted: number): Wall {
  const date = new Date(shifted);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    date: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

function instantOf({ year, month, date, hour, minute, second }: Wall, offset: (at: number) => number): number {
  const wall = Date.UTC(year, month, date, hour, minute, second);
  const guess = wall - offset(wall);
  // The clocks may change between the two.
  return wall - offset(guess);
}
