import type { SessionRow } from './sessionRows';

/** How many sessions of each kind the start page leads to. */
const most = 3;

/** The sessions that the start page leads to. */
export interface RecentRows {
  readonly needsYou: readonly SessionRow[];
  readonly recent: readonly SessionRow[];
}

/** Returns the sessions that have waited longest for the user, and those that changed last. */
export function recentRows(rows: readonly SessionRow[]): RecentRows {
  const listed = rows.filter(({ isArchived, place }) => isArchived !== true && place !== 'agent');
  const needsYou = listed.filter(({ state }) => state === 'needsYou').sort((one, other) => one.at - other.at);
  const recent = listed
    // A session without a message has no time, and there is nothing to return to.
    .filter(({ state, place, at }) => state !== 'needsYou' && place !== 'otherWindow' && at > 0)
    .sort((one, other) => other.at - one.at);
  return { needsYou: needsYou.slice(0, most), recent: recent.slice(0, most) };
}
