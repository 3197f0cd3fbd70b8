import * as l10n from '@vscode/l10n';
import {
  startOfDay,
  type RowFilter,
  type RowState,
  type RowTry,
  type SectionName,
  type SessionRow,
} from './sessionRows';

/** Returns the heading of a section. */
export function sectionTitle(name: SectionName): string {
  switch (name) {
    case 'needsYou':
      return l10n.t('Needs you');
    case 'running':
      return l10n.t('Working');
    case 'pinned':
      return l10n.t('Pinned');
    case 'today':
      return l10n.t('Today');
    case 'earlier':
      return l10n.t('Earlier');
    case 'archived':
      return l10n.t('Archived');
  }
}

/** Returns what a filter by state shows. */
export function stateFilterName(state: NonNullable<RowFilter['state']>): string {
  switch (state) {
    case 'needsYou':
      return l10n.t('Needs you');
    case 'running':
      return l10n.t('Working');
    case 'unreviewed':
      return l10n.t('Changes to review');
    case 'otherWindow':
      return l10n.t('In other windows');
  }
}

/** Returns a session's title. */
export function rowTitle({ title }: Pick<SessionRow, 'title'>): string {
  return title === '' ? l10n.t('New session') : title;
}

/**
 * Formats how long ago something was, for a list: “now”, “4 min”, “5 h”, then the day of the week, then the date. Empty if
 * the time isn't known. Times are in milliseconds since the epoch.
 */
export function ago(at: number, now: number, locale: string): string {
  if (at <= 0) return '';
  const minutes = Math.floor((now - at) / 60_000);
  // The clock of another machine may be ahead.
  if (minutes < 1) return l10n.t('now');
  if (minutes < 60) return l10n.t('{0} min', minutes);
  if (at >= startOfDay(now)) return l10n.t('{0} h', Math.floor(minutes / 60));
  const isThisWeek = at >= startOfDay(now, 6);
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return dateFormat(locale, isThisWeek ? 'weekday' : isThisYear ? 'day' : 'year').format(at);
}

/** Formats the same time for a sentence: “now”, “4 min ago”, “5 h ago”, then the day. Empty if it isn't known. */
export function timeAgo(at: number, now: number, locale: string): string {
  const short = ago(at, now, locale);
  const minutes = Math.floor((now - at) / 60_000);
  const isSpan = at > 0 && minutes >= 1 && (minutes < 60 || at >= startOfDay(now));
  return isSpan ? l10n.t('{0} ago', short) : short;
}

type Detail = 'weekday' | 'day' | 'year';

const options: Readonly<Record<Detail, Intl.DateTimeFormatOptions>> = {
  weekday: { weekday: 'short' },
  day: { month: 'short', day: 'numeric' },
  year: { year: 'numeric', month: 'short', day: 'numeric' },
};
const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes much longer than using one. */
function dateFormat(locale: string, detail: Detail): Intl.DateTimeFormat {
  const key = `${locale} ${detail}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale === '' ? undefined : locale, options[detail]);
  formats.set(key, known);
  return known;
}

/** Returns the state of a session in words, which are those of what waits if it does nothing. Empty if there is nothing to say. */
export function stateWords(row: SessionRow, isUnread: boolean): string {
  switch (row.state) {
    case 'needsYou':
      return row.words ?? l10n.t('Waiting for you');
    case 'running':
      return row.words ?? l10n.t('Working');
    case 'failed':
      return row.words ?? l10n.t('Stopped');
    case 'idle':
    case 'closed':
      return row.try ? tryWords(row.try) : unreviewedWords(row) || (isUnread ? l10n.t('Done') : '');
  }
}

/** Returns how a try that no longer works ended. */
function tryWords({ check }: RowTry): string {
  if (check === undefined) return l10n.t('Done');
  return check === 'passed' ? l10n.t('Check passed') : l10n.t('Check failed');
}

/** Returns what waits for the user besides what the state says. Empty if nothing does. */
export function waitingWords(row: SessionRow): string {
  return row.try || row.state === 'idle' || row.state === 'closed' ? '' : unreviewedWords(row);
}

/** Returns where a session works: the name of its folder, or a word or a branch that says more. */
export function workplaceWords({ workplace, folder, branch }: SessionRow): string {
  if (workplace === 'ownCopy') return l10n.t('own copy');
  if (workplace === 'thisFolder') return l10n.t('this folder');
  return workplace === 'worktree' ? (branch ?? folder) : folder;
}

/** Returns how many tries of a task there are, and what they do. */
export function triesWords(tries: readonly SessionRow[]): string {
  const count = (...states: readonly RowState[]) => tries.filter(({ state }) => states.includes(state)).length;
  const counts = [
    { number: count('needsYou'), words: l10n.t('{0} waiting for you', count('needsYou')) },
    { number: count('failed'), words: l10n.t('{0} stopped', count('failed')) },
    { number: count('idle', 'closed'), words: l10n.t('{0} done', count('idle', 'closed')) },
    { number: count('running'), words: l10n.t('{0} working', count('running')) },
  ];
  const parts = counts.filter(({ number }) => number > 0).map(({ words }) => words);
  return l10n.t('{0} tries: {1}', tries.length, parts.join(', '));
}

/** Returns where a session is, if it isn't in this window or stored by Parley. */
export function placeWords({ place, isOpenInAgent }: SessionRow): string {
  if (isOpenInAgent) return l10n.t('open elsewhere');
  if (place === 'otherWindow') return l10n.t('in another window');
  return place === 'agent' ? l10n.t('stored by the agent') : '';
}

/** Returns how many files wait for review. Empty if there are none. */
function unreviewedWords({ unreviewed = 0 }: SessionRow): string {
  if (unreviewed === 0) return '';
  return unreviewed === 1 ? l10n.t('1 file to review') : l10n.t('{0} files to review', unreviewed);
}
