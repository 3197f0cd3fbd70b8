import type { SessionKey } from '../../shared/values/ids';
import { guardedPlace } from '../../shared/limits/guardedPlaces';
import type { ReviewCount, ReviewFile, ReviewFileStatus, ReviewScope } from '../../shared/changes/review';
import { isDiskSide } from '../files/diskSide';
import { countLines, isBinary } from '../files/fileState';
import type { TraitChange } from '../log/fileTraits';
import { hasUserText, isOfTurn, type Author, type Hunk, type HunkId } from '../hunks/hunk';
import type { FileStatus } from '../log/reviewedFile';
import type { ReviewLog } from '../log/reviewLog';
import type { TrackedFile } from '../log/trackedFile';

/** The changes of one file, by the ids that `ReviewLog` accepts. */
export interface ScopedChanges {
  readonly uri: string;
  readonly ids: readonly HunkId[];
}

/**
 * Returns the files with pending changes by this session, sorted by URI. Counts include only the session's own changes. `pathOf` returns
 * the path to show for a URI.
 */
export function changedFiles(log: ReviewLog, session: SessionKey, pathOf: (uri: string) => string): ReviewFile[] {
  return filesOf(log, session).map(({ uri, file, changes }): ReviewFile => {
    const { base, current } = file.snapshot.text;
    return {
      uri,
      path: pathOf(uri),
      status: statusOf(file.status),
      ...detailsOf(file, pathOf(uri), pathOf),
      ...(isDiskSide(uri) ? { isUnderUnsaved: true } : {}),
      isBinary: isBinary(base) || isBinary(current),
      session: countChanges(file, changes),
      turns: turnsOf(changes, session).map((turn) => ({ turn, ...countChanges(file, ofTurn(changes, session, turn)) })),
      hasUserText: changes.some((change) => 'lineAuthors' in change && hasUserText(change)),
      others: otherAgents(file, session),
    };
  });
}

/** Returns the details to show for a file besides its lines. Properties with nothing to show are absent. */
export function detailsOf(
  file: TrackedFile,
  path: string,
  pathOf: (uri: string) => string,
): Partial<Pick<ReviewFile, 'from' | 'unread' | 'isFolder' | 'guarded'>> {
  const { status, base, current } = file;
  const from = status?.kind === 'renamed' ? pathOf(status.from) : undefined;
  const guarded = guardedPlace(path) ?? (from === undefined ? undefined : guardedPlace(from));
  const isFolder = [base, current].some(
    (state) => state.kind === 'folder' || (state.kind === 'unread' && state.what === 'folder'),
  );
  return {
    ...(from === undefined ? {} : { from }),
    ...(base.kind === 'unread' ? { unread: base.reason } : {}),
    ...(isFolder ? { isFolder } : {}),
    ...(guarded ? { guarded: guarded.reason } : {}),
  };
}

/** Returns a session's pending changes by file: those of one turn, or all. */
export function changesInScope(log: ReviewLog, session: SessionKey, scope: ReviewScope): ScopedChanges[] {
  return filesOf(log, session)
    .map(({ uri, changes }) => ({
      uri,
      ids: (scope === 'session' ? changes : ofTurn(changes, session, scope)).map(({ id }) => id),
    }))
    .filter(({ ids }) => ids.length > 0);
}

/** The changes of a session that wait for review: how many files, and how many lines. */
export interface WaitingChanges extends ReviewCount {
  readonly files: number;
}

/** Returns the changes that wait for review, by the session that made them. */
export function waitingChanges(log: ReviewLog): ReadonlyMap<SessionKey, WaitingChanges> {
  const found = new Map<SessionKey, WaitingChanges>();
  for (const uri of log.pending) {
    const file = log.file(uri);
    if (file === undefined) continue;
    const bySession = new Map<SessionKey, Change[]>();
    for (const change of allChanges(file)) {
      const sessions = change.authors.flatMap((author) => (author.kind === 'agent' ? [author.session] : []));
      for (const session of new Set(sessions)) bySession.set(session, [...(bySession.get(session) ?? []), change]);
    }
    for (const [session, changes] of bySession) {
      const { added, removed } = countChanges(file, changes);
      const before = found.get(session) ?? { files: 0, added: 0, removed: 0 };
      found.set(session, {
        files: before.files + 1,
        added: before.added + added,
        removed: before.removed + removed,
      });
    }
  }
  return found;
}

type Change = Hunk | TraitChange;

interface FoundFile {
  readonly uri: string;
  readonly file: TrackedFile;
  readonly changes: readonly Change[];
}

function filesOf(log: ReviewLog, session: SessionKey): FoundFile[] {
  return log.pending.flatMap((uri) => {
    const file = log.file(uri);
    const changes = file === undefined ? [] : allChanges(file).filter(({ authors }) => isOfSession(authors, session));
    return file === undefined || changes.length === 0 ? [] : [{ uri, file, changes }];
  });
}

function allChanges(file: TrackedFile): Change[] {
  return [...file.hunks, ...file.traitChanges];
}

function isOfSession(authors: readonly Author[], session: SessionKey): boolean {
  return authors.some((author) => author.kind === 'agent' && author.session === session);
}

/** Returns the numbers of the turns that contributed to any of these changes, in order. */
function turnsOf(changes: readonly Change[], session: SessionKey): number[] {
  const authors = changes.flatMap((change) => change.authors);
  const turns = authors.flatMap((author) =>
    author.kind === 'agent' && author.session === session ? [author.turn] : [],
  );
  return [...new Set(turns)].sort((one, other) => one - other);
}

function ofTurn(changes: readonly Change[], session: SessionKey, turn: number): Change[] {
  return changes.filter(({ authors }) => isOfTurn(authors, session, turn));
}

/** Returns the numbers of lines that changes of a file add and remove. */
export function countChanges(file: TrackedFile, changes: readonly Change[]): ReviewCount {
  const { base, current } = file.snapshot.text;
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    if (!('lineAuthors' in change)) continue;
    added += countLines(current.slice(change.start, change.end));
    removed += countLines(base.slice(change.baseStart, change.baseEnd));
  }
  return { added, removed };
}

/** Returns the change of a file as lists show it. */
export function statusOf(status: FileStatus | undefined): ReviewFileStatus {
  switch (status?.kind) {
    case 'created':
    case 'deleted':
    case 'renamed':
      return status.kind;
    default:
      return 'modified';
  }
}

function otherAgents(file: TrackedFile, session: SessionKey): string[] {
  const names = allChanges(file).flatMap(({ authors }) =>
    authors.flatMap((author) => (author.kind === 'agent' && author.session !== session ? [author.agentName] : [])),
  );
  return [...new Set(names)];
}
