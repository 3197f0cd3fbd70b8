import * as l10n from '@vscode/l10n';

/** Formats a duration as an age, in the largest unit that fits. */
export function ageInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return l10n.t('a moment ago');
  if (minutes === 1) return l10n.t('a minute ago');
  if (hours < 1) return l10n.t('{0} minutes ago', minutes);
  if (hours === 1) return l10n.t('an hour ago');
  if (days < 1) return l10n.t('{0} hours ago', hours);
  return days === 1 ? l10n.t('a day ago') : l10n.t('{0} days ago', days);
}
