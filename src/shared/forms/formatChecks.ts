import type { TextFormat } from './elicitation';

/** Returns whether a text has a format. The checks are strict, so that a text accepted here is accepted everywhere. */
export function hasFormat(format: TextFormat, text: string): boolean {
  switch (format) {
    case 'email':
      // Addresses can't be longer (RFC 5321), and the expression takes quadratic time.
      return (
        text.length <= 320 &&
        /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]*[a-z\d]$/i.test(
          text,
        )
      );
    case 'uri':
      return /^[a-z][a-z\d+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(text) && URL.canParse(text);
    case 'date':
      return isDay(/^(\d{4})-(\d\d)-(\d\d)$/.exec(text));
    case 'date-time': {
      const parts = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(text);
      return parts !== null && hasFormat('date', parts[1] ?? '') && isTime(parts[2], parts[3], parts[4]);
    }
  }
}

/**
 * Converts common user input to a date and time as the protocol requires. Seconds may be missing, a space may replace
 * the `T`, and a time without a zone is local. Other texts stay unchanged.
 */
export function completeTime(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(Z|[+-]\d\d:\d\d)?$/i.exec(text.trim());
  if (!parts) return text;
  const [, day = '', time = '', seconds = ':00', zone] = parts;
  const whole = `${day}T${time}${seconds}`;
  if (zone !== undefined) return `${whole}${zone.toUpperCase()}`;
  if (!hasFormat('date-time', `${whole}Z`)) return text;
  return new Date(whole).toISOString();
}

function isDay(parts: RegExpExecArray | null): boolean {
  if (!parts) return false;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  // Day 0 of a month is the last day of the previous month.
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function isTime(hours = '', minutes = '', seconds = ''): boolean {
  return Number(hours) <= 23 && Number(minutes) <= 59 && Number(seconds) <= 59;
}
