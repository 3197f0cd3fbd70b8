import type { AgentId, EntryId, SessionKey } from '../values/ids';

/** Where a session is: open in this window, open in another one, stored by Parley, or stored only by its agent. */
export type RowPlace = 'here' | 'otherWindow' | 'stored' | 'agent';

/** What a session does: it waits for the user, works, has failed, is open, or is closed. */
export type RowState = 'needsYou' | 'running' | 'failed' | 'idle' | 'closed';

/** What the user can do with a session in the list, besides opening it. */
export type RowAction = 'bringChanges' | 'reviewWorktree' | 'rename' | 'pin' | 'archive' | 'close' | 'delete';

/** A change of rows of the list by the user. */
export type RowChange = 'pin' | 'unpin' | 'archive' | 'unarchive' | 'close' | 'delete';

/** A session in which words were said, with the first sentence that has them. */
export interface FoundSession {
  readonly id: string;
  readonly entry: EntryId;
  readonly sentence: string;
}

/** Where a session works, if that says more than the name of its folder. */
export type Workplace = 'thisFolder' | 'worktree' | 'ownCopy';

/** What a row says about a session that is one of several tries of a task. */
export interface RowTry {
  /** The id of the task. */
  readonly task: string;
  /** The first line of the task's message. */
  readonly message: string;
  /** Its position among the tries, starting at 0. */
  readonly position: number;
  /** Its agent's name, with a number if the agent has several tries. */
  readonly name: string;
  /** Its preset or its model. */
  readonly detail?: string;
  /** How the user's check of it ended. */
  readonly check?: 'passed' | 'failed';
}

/** A session in the list of sessions, whoever stores it. */
export interface SessionRow {
  /** Identifies the session for as long as the window is open. */
  readonly id: string;
  /** Absent if only its agent has the session. */
  readonly session?: SessionKey;
  /** The session whose agent started it. */
  readonly askedBy?: SessionKey;
  /** Present if it is one of several tries. */
  readonly try?: RowTry;
  /** Empty if the session has no title. */
  readonly title: string;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly place: RowPlace;
  readonly state: RowState;
  /** What it waits for, or why it failed. */
  readonly words?: string;
  /** The name of its folder. */
  readonly folder: string;
  readonly branch?: string;
  readonly workplace?: Workplace;
  /** Since when it waits or works, or when it last changed. In milliseconds since the epoch; 0 if unknown. */
  readonly at: number;
  /** The lines of its changes that wait for review. */
  readonly added?: number;
  readonly removed?: number;
  /** The number of its files with changes that wait for review. */
  readonly unreviewed?: number;
  /** Its agent has it open, elsewhere. */
  readonly isOpenInAgent?: true;
  readonly isPinned?: true;
  readonly isArchived?: true;
  readonly actions: readonly RowAction[];
}

/** The sections of the list, from top to bottom. */
export const sectionNames = ['needsYou', 'running', 'pinned', 'today', 'earlier', 'archived'] as const;
export type SectionName = (typeof sectionNames)[number];

/** Rows under one heading. */
export interface RowSection<Row extends SessionRow = SessionRow> {
  readonly name: SectionName;
  readonly rows: readonly Row[];
}

/** What follows the rows: what an agent's own list has to say. */
export interface AgentListEnd {
  readonly agentId: AgentId;
  readonly agentName: string;
  /** `ask`: the agent isn't running, and asking it starts it. `problem` says why there is no more, or what a login is for. */
  readonly state: 'ask' | 'loading' | 'more' | 'login' | 'problem';
  readonly problem?: string;
}

/** More than agents can start below each other. */
const deepestRow = 10;

/** Returns the start of a day, `days` before the one of `now`. All times are in milliseconds since the epoch. */
export function startOfDay(now: number, days = 0): number {
  const date = new Date(now);
  // Not a number of hours, because days with a change of the clock are longer or shorter.
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** Returns the section of a row. */
export function sectionOf(row: SessionRow, now: number): SectionName {
  if (row.isArchived) return 'archived';
  if (row.state === 'needsYou') return 'needsYou';
  if (row.state === 'running') return 'running';
  if (row.isPinned) return 'pinned';
  // An open session without a message has no time yet.
  return row.at >= startOfDay(now) || (row.at <= 0 && row.state === 'idle') ? 'today' : 'earlier';
}

/**
 * Returns the sections that have rows, each with its newest row first. Of those that wait, the oldest comes first. Sessions that agents started
 * are below those that started them, and tries of one task follow each other in their order, all where the most urgent one belongs.
 */
export function sectionsOf<Row extends SessionRow>(rows: readonly Row[], now: number): RowSection<Row>[] {
  const below = rowsBelow(rows);
  const found = new Map<SectionName, { at: number; id: string; rows: Row[] }[]>();
  for (const tops of topRows(below.get(undefined) ?? [])) {
    const family = tops.flatMap((row) => familyOf(row, below));
    const names = family.map((one) => sectionOf(one, now));
    const name = sectionNames.find((one) => names.includes(one)) ?? 'earlier';
    const times = family.filter((_, at) => names[at] === name).map(({ at }) => at);
    const at = name === 'needsYou' ? -Math.min(...times) : Math.max(...times);
    const list = found.get(name);
    const entry = { at, id: tops[0]?.id ?? '', rows: family };
    if (list) list.push(entry);
    else found.set(name, [entry]);
  }
  return sectionNames.flatMap((name) => {
    const families = found.get(name)?.sort((one, other) => other.at - one.at || compareText(one.id, other.id));
    return families ? [{ name, rows: families.flatMap((family) => family.rows) }] : [];
  });
}

/** Returns the rows that are below none: the tries of one task together, and each other row alone. */
function topRows<Row extends SessionRow>(rows: readonly Row[]): Row[][] {
  const all = new Map<string, Row[]>();
  for (const row of rows) {
    const key = row.try ? `task ${String(row.isArchived)} ${row.try.task}` : `row ${row.id}`;
    const list = all.get(key);
    if (list) list.push(row);
    else all.set(key, [row]);
  }
  const place = (row: Row) => row.try?.position ?? 0;
  return [...all.values()].map((list) => list.sort((one, other) => place(one) - place(other)));
}

/** Returns the rows by the session that they are below, newest first, and those that are below none. */
function rowsBelow<Row extends SessionRow>(rows: readonly Row[]): ReadonlyMap<SessionKey | undefined, Row[]> {
  const bySession = new Map(rows.flatMap((row) => (row.session === undefined ? [] : [[row.session, row] as const])));
  const above = (row: Row) => {
    const found = row.askedBy === undefined ? undefined : bySession.get(row.askedBy);
    return found && found.isArchived === row.isArchived ? found : undefined;
  };
  const below = new Map<SessionKey | undefined, Row[]>();
  for (const row of rows) {
    // What is stored may be wrong, so a row could be above itself.
    let [top, steps] = [above(row), 0];
    while (top && steps++ < deepestRow) top = above(top);
    const key = top ? undefined : above(row)?.session;
    const list = below.get(key);
    if (list) list.push(row);
    else below.set(key, [row]);
  }
  for (const list of below.values()) list.sort((one, other) => other.at - one.at || compareText(one.id, other.id));
  return below;
}

/** Returns a row and all below it. */
function familyOf<Row extends SessionRow>(row: Row, below: ReadonlyMap<SessionKey | undefined, readonly Row[]>): Row[] {
  const own = row.session === undefined ? [] : (below.get(row.session) ?? []);
  return [row, ...own.flatMap((one) => familyOf(one, below))];
}

/**
 * Keeps rows where they are: returns the sections with the order of `before`, as far as their rows still exist. Rows that
 * would be elsewhere by now stay, and new rows aren't in it.
 */
export function holdPlaces<Row extends SessionRow>(
  before: readonly RowSection<Row>[],
  rows: readonly Row[],
): RowSection<Row>[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return before.flatMap(({ name, rows: held }) => {
    const kept = held.flatMap(({ id }) => byId.get(id) ?? []);
    return kept.length > 0 ? [{ name, rows: kept }] : [];
  });
}

/** What the list is limited to. Each is absent if it doesn't limit. */
export interface RowFilter {
  readonly agentId?: AgentId;
  readonly folder?: string;
  readonly state?: 'needsYou' | 'running' | 'unreviewed' | 'otherWindow';
}

/** Returns whether a row passes a filter, and has all words of a text in its title, agent, folder, or branch. */
export function isShown(row: SessionRow, filter: RowFilter, text: string): boolean {
  if (filter.agentId !== undefined && row.agentId !== filter.agentId) return false;
  if (filter.folder !== undefined && row.folder !== filter.folder) return false;
  if (!hasState(row, filter.state)) return false;
  if (text.trim() === '') return true;
  const searched = [row.title, row.agentName, row.folder, row.branch ?? ''].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function hasState(row: SessionRow, state: RowFilter['state']): boolean {
  switch (state) {
    case undefined:
      return true;
    case 'unreviewed':
      return (row.unreviewed ?? 0) > 0;
    case 'otherWindow':
      return row.place === 'otherWindow';
    case 'needsYou':
    case 'running':
      return row.state === state;
  }
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
