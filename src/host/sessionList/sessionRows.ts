import { basename } from 'node:path';
import type { ListedSession } from '../../acp/decode/decodeSessions';
import type { WaitingChanges } from '../../review/shown/changedFiles';
import { sessionWork } from '../../session/transcript/sessionWork';
import { compact } from '../../shared/values/decodeValue';
import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';
import type { RowAction, SessionRow, Workplace } from '../../shared/pages/sessionRows';
import type { Transcript } from '../../shared/transcript/transcript';
import { tryNames, type TryGroup } from '../../tries/tryGroup';
import type { StoredListing } from '../sessions/stored/storedListing';
import type { OtherWindow } from '../sessions/stored/windowBoard';
import { sessionMark } from './sessionMark';

/** An open session of this window. */
export interface LiveSession {
  readonly key: SessionKey;
  readonly transcript: Transcript;
}

/** An agent's own list. */
export interface AgentList {
  readonly spec: { readonly id: AgentId; readonly name: string };
  readonly can: { readonly setTitle?: boolean | undefined } | undefined;
  readonly sessions: readonly ListedSession[];
  /** Whether the agent has a session in its memory. */
  isOpen(session: ListedSession): boolean;
}

/** What the user decided about a session that only its agent stores. */
export interface AgentMark {
  readonly isPinned?: true;
  readonly isArchived?: true;
  /** The user deleted it, but its agent can't. */
  readonly isHidden?: true;
}

/** What the rows are created from. */
export interface RowSources {
  readonly live: readonly LiveSession[];
  readonly stored: readonly StoredListing[];
  readonly lists: readonly AgentList[];
  /** The user's other windows. */
  readonly others: readonly OtherWindow[];
  /** Rows that the user is deleting. */
  readonly deleted: ReadonlySet<string>;
  markOf(mark: string): AgentMark | undefined;
  branchOf(cwd: string): string | undefined;
  /** Whether what is changed in a session's folder can be brought here. */
  canBringFrom(cwd: string): boolean;
  /** Whether a folder is in a worktree of Parley's. */
  hasWorktree(cwd: string): boolean;
  /** Whether a folder is in a copy that an agent has for itself. */
  isCopy(cwd: string): boolean;
  changesOf(session: SessionKey): WaitingChanges | undefined;
  /** Whether a folder is the only one of this window. */
  isThisFolder(cwd: string): boolean;
  /** The task that a session is a try of. */
  taskOf(session: SessionKey): TryGroup | undefined;
}

/** Returns the id of a row of Parley's own sessions. */
export function ownRowId(key: SessionKey): string {
  return `own ${key}`;
}

/** Returns the id of a row of a session that only its agent stores. */
export function agentRowId(agentId: AgentId, sessionId: SessionId | ''): string {
  return `agent ${sessionMark(agentId, sessionId)}`;
}

/** Returns the id of a row of a session that another window has open. */
export function otherRowId(windowId: string, rowId: string): string {
  return `window ${windowId} ${rowId}`;
}

/** Returns a row for every session: those of this window, stored ones, those of other windows, and agents' own ones. */
export function sessionRows(sources: RowSources): SessionRow[] {
  const { live, stored, lists, others, deleted } = sources;
  const listings = new Map(stored.map((listing) => [listing.key, listing]));
  const liveKeys = new Set(live.map(({ key }) => key));
  const known = new Set<string>();
  const know = (agentId: AgentId, sessionId: SessionId | '' | undefined) => {
    if (sessionId) known.add(sessionMark(agentId, sessionId));
  };
  for (const { transcript } of live) know(transcript.view.agentId, transcript.view.sessionId);
  for (const { agentId, sessionId } of stored) know(agentId, sessionId);
  const elsewhere = others.flatMap(({ id, rows }) => rows.map((row) => ({ ...row, id: otherRowId(id, row.id) })));
  // Windows of one folder list each other's sessions by their storage.
  const foreign = elsewhere.filter(({ session }) => session && !listings.has(session) && !liveKeys.has(session));
  const rows = [
    ...live.map((session) => liveRow(session, listings.get(session.key), sources)),
    ...stored.filter(({ key }) => !liveKeys.has(key)).map((listing) => storedRow(listing, sources)),
    ...foreign,
    ...lists.flatMap((list) =>
      list.sessions
        .filter(({ sessionId }) => !known.has(sessionMark(list.spec.id, sessionId)))
        .flatMap((listed) => agentRow(list, listed, sources)),
    ),
  ];
  return deleted.size === 0 ? rows : rows.filter(({ id }) => !deleted.has(id));
}

/** The longest message of a task that a row has, in UTF-16 code units. */
const longestMessage = 200;

function tryOf(session: SessionKey, sources: RowSources): Pick<SessionRow, 'try'> {
  const task = sources.taskOf(session);
  const position = task?.tries.findIndex((one) => one.session === session) ?? -1;
  const one = task?.tries[position];
  if (!task || !one) return {};
  const { check, preset, model } = one;
  const ended = check && (check.exitCode === 0 ? ('passed' as const) : ('failed' as const));
  const message = task.message.trim().split('\n', 1)[0]?.slice(0, longestMessage) ?? '';
  const name = tryNames(task)[position] ?? one.agentName;
  return { try: { task: task.id, message, position, name, ...compact({ detail: preset ?? model, check: ended }) } };
}

const ownActions: readonly RowAction[] = ['rename', 'pin', 'archive', 'delete'];
const liveActions: readonly RowAction[] = ['rename', 'pin', 'archive', 'close', 'delete'];

function bringing(cwd: string | undefined, sources: RowSources): readonly RowAction[] {
  return cwd !== undefined && sources.canBringFrom(cwd) ? ['bringChanges'] : [];
}

function liveRow(
  { key, transcript }: LiveSession,
  listing: StoredListing | undefined,
  sources: RowSources,
): SessionRow {
  const { title, agentId, agentName, cwd, askedBy, updatedAt = 0 } = transcript.view;
  const { state, words, since } = sessionWork(transcript);
  return {
    id: ownRowId(key),
    session: key,
    title,
    agentId,
    agentName,
    place: 'here',
    state,
    ...compact({ words, askedBy: askedBy?.session }),
    ...where(cwd, sources.branchOf(cwd), sources),
    ...tryOf(key, sources),
    at: since ?? listing?.updatedAt ?? updatedAt,
    ...countsOf(sources.changesOf(key)),
    ...(listing?.isPinned ? { isPinned: true } : {}),
    actions: [
      ...bringing(cwd, sources),
      ...(sources.hasWorktree(cwd) ? (['reviewWorktree'] as const) : []),
      ...liveActions,
    ],
  };
}

function storedRow(listing: StoredListing, sources: RowSources): SessionRow {
  const { key, title, agentId, agentName, cwd, updatedAt, isElsewhere, isArchived, isPinned, askedBy, branch, work } =
    listing;
  const its = isElsewhere ? work : undefined;
  return {
    id: ownRowId(key),
    session: key,
    title,
    agentId,
    agentName,
    place: isElsewhere ? 'otherWindow' : 'stored',
    state: its?.state ?? (isElsewhere ? 'idle' : 'closed'),
    ...compact({ words: its?.words, askedBy }),
    ...where(cwd, branch, sources),
    ...tryOf(key, sources),
    at: its?.since ?? updatedAt,
    ...countsOf(sources.changesOf(key)),
    ...(isPinned ? { isPinned } : {}),
    ...(isArchived ? { isArchived } : {}),
    actions: isElsewhere ? [] : [...bringing(isArchived === true ? undefined : cwd, sources), ...ownActions],
  };
}

function agentRow(list: AgentList, listed: ListedSession, sources: RowSources): SessionRow[] {
  const { spec, can } = list;
  const { sessionId, title, cwd, updatedAt = 0 } = listed;
  const mark = sources.markOf(sessionMark(spec.id, sessionId));
  if (mark?.isHidden) return [];
  const isArchived = listed.isArchived || mark?.isArchived === true;
  return [
    {
      id: agentRowId(spec.id, sessionId),
      title: title === '' ? sessionId : title,
      agentId: spec.id,
      agentName: spec.name,
      place: 'agent',
      state: 'closed',
      ...where(cwd, undefined, sources),
      at: updatedAt,
      ...(list.isOpen(listed) ? { isOpenInAgent: true } : {}),
      ...(mark?.isPinned ? { isPinned: true } : {}),
      ...(isArchived ? { isArchived } : {}),
      actions: can?.setTitle ? ownActions : ownActions.filter((action) => action !== 'rename'),
    },
  ];
}

function where(
  cwd: string,
  branch: string | undefined,
  sources: RowSources,
): Pick<SessionRow, 'folder' | 'branch' | 'workplace'> {
  return { folder: basename(cwd), ...compact({ branch, workplace: workplaceOf(cwd, sources) }) };
}

function workplaceOf(cwd: string, sources: RowSources): Workplace | undefined {
  if (sources.isCopy(cwd)) return 'ownCopy';
  if (sources.hasWorktree(cwd)) return 'worktree';
  return sources.isThisFolder(cwd) ? 'thisFolder' : undefined;
}

function countsOf(changes: WaitingChanges | undefined): Pick<SessionRow, 'added' | 'removed' | 'unreviewed'> {
  if (!changes) return {};
  return { added: changes.added, removed: changes.removed, unreviewed: changes.files };
}
