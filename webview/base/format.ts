import * as l10n from '@vscode/l10n';

/** Formats the duration of something finished: "0.4 s", "6 s", "2 m 14 s". `ms` is in milliseconds. */
export function duration(ms: number): string {
  if (ms < 950) return l10n.t('{0} s', Math.max(0.1, Math.round(ms / 100) / 10));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return l10n.t('{0} s', seconds);
  return l10n.t('{0} m {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** Formats a running time: "0:42", "1:02:07". `ms` is in milliseconds. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Formats a time of the day with seconds, as the user's language does: "10:31:07". `at` is in milliseconds since the epoch. */
export function timeOfDay(at: number): string {
  const locale = document.documentElement.lang;
  return new Intl.DateTimeFormat(locale === '' ? undefined : locale, { timeStyle: 'medium' }).format(at);
}

/** Formats a data size given in bytes. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return l10n.t('{0} B', bytes);
  if (bytes < 1024 * 1024) return l10n.t('{0} KB', Math.round(bytes / 1024));
  return l10n.t('{0} MB', Math.round(bytes / 104_857.6) / 10);
}
