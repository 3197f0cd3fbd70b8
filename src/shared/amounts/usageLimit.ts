import * as l10n from '@vscode/l10n';

/** A limit of an agent's provider, as the agent reported it last. */
export interface UsageLimit {
  /** As the agent names it, such as `five_hour`; empty if it doesn't say which limit it is. */
  readonly type: string;
  readonly state: 'ok' | 'warning' | 'reached';
  /** When it resets, in milliseconds since the epoch. */
  readonly resetsAt?: number;
  /** How much of it is used, from 0 to 1. */
  readonly used?: number;
}

/** Returns the limits with one of them changed. Those that have reset since say nothing any more. */
export function withLimit(limits: readonly UsageLimit[], limit: UsageLimit, now: number): readonly UsageLimit[] {
  return [...currentLimits(limits, now).filter(({ type }) => type !== limit.type), limit];
}

/** Returns the limits that haven't reset yet. */
export function currentLimits(limits: readonly UsageLimit[], now: number): readonly UsageLimit[] {
  return limits.filter(({ resetsAt }) => resetsAt === undefined || resetsAt > now);
}

/** Returns the name of a limit, as the start of a line. */
export function limitName(type: string): string {
  switch (type) {
    case 'five_hour':
      return l10n.t('5-hour limit');
    case 'seven_day':
    case 'seven_day_overage_included':
      return l10n.t('Weekly limit');
    case 'seven_day_opus':
      return l10n.t('Weekly limit for Opus');
    case 'seven_day_sonnet':
      return l10n.t('Weekly limit for Sonnet');
    case 'overage':
      return l10n.t('Extra usage limit');
    default:
      return l10n.t('Usage limit');
  }
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Returns a time of day, with the day if it's another one, in the user's language and time zone. */
export function resetTime(at: number, now: number, locale: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const isSoon = at - now < 6 * 24 * hourMs;
  const day = isSoon ? ({ weekday: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat(locale, isToday ? time : { ...day, ...time }).format(at);
}

/** Returns when a limit resets: “resets at 18:20, in 47 min”, or on another day “resets Thu 18:20, in 20 h”. */
export function resetWords(at: number, now: number, locale: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const [when, left] = [resetTime(at, now, locale), timeUntil(at, now)];
  return isToday ? l10n.t('resets at {0}, in {1}', when, left) : l10n.t('resets {0}, in {1}', when, left);
}

/** Returns how long it is until a time: “47 min”, “3 h”, “2 days”. */
export function timeUntil(at: number, now: number): string {
  const ms = Math.max(0, at - now);
  const minutes = Math.max(1, Math.ceil(ms / minuteMs));
  if (minutes < 90) return l10n.t('{0} min', minutes);
  const hours = Math.round(ms / hourMs);
  return hours < 48 ? l10n.t('{0} h', hours) : l10n.t('{0} days', Math.round(hours / 24));
}
