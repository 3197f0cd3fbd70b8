import type { DecidedFile, ReviewOutcome, ReviewPageFile, ReviewPageScope } from '../../shared/changes/reviewPage';
import { changesInScope, countChanges, detailsOf, statusOf } from './changedFiles';
import { isDiskSide } from '../files/diskSide';
import { isBinary, isSameState, type FileState } from '../files/fileState';
import { hasUserText, mergeAuthors, type HunkId } from '../hunks/hunk';
import type { ReviewLog } from '../log/reviewLog';
import type { TrackedFile } from '../log/trackedFile';
import type { TrackedFileData } from '../log/trackedFileData';

/** What changed on a page since it was told last. */
export interface RoundNews {
  readonly changed: readonly ReviewPageFile[];
  readonly decided: readonly DecidedFile[];
  readonly gone: readonly string[];
}

interface Left {
  readonly data: TrackedFileData;
  /** The ids of the changes in scope. */
  readonly ids: string;
  /** The file without any of its changes, as it was when it came to the page. */
  readonly first: FileState;
  /** The ids of all changes that were in scope since then. */
  readonly seen: ReadonlySet<HunkId>;
  /** How many of them were undone. */
  readonly undone: number;
  readonly shown: ReviewPageFile;
  /** The URI whose rename it is. */
  readonly from: string | undefined;
}

/**
 * The files of one review: those that are left, and what became of the others. A round begins with the first change that waits and
 * continues until a change comes after all were decided.
 */
export class ReviewRound {
  private readonly log: ReviewLog;
  private readonly scope: ReviewPageScope;
  private readonly pathOf: (uri: string) => string;
  private left = new Map<string, Left>();
  private readonly decided = new Map<string, DecidedFile>();
  /** The old names of decided files that were renamed, by URI. */
  private readonly origins = new Map<string, string | undefined>();
  private revision = 0;
  private lastAgents: readonly string[] = [];

  /** `pathOf` returns the path to show for a URI. */
  constructor(log: ReviewLog, scope: ReviewPageScope, pathOf: (uri: string) => string) {
    this.log = log;
    this.scope = scope;
    this.pathOf = pathOf;
    this.update();
  }

  /** Everything, for a page that starts from scratch. */
  get all(): RoundNews {
    return {
      changed: [...this.left.values()].map(({ shown }) => shown),
      decided: [...this.decided.values()],
      gone: [],
    };
  }

  /** The URIs of the files that are left. */
  get uris(): readonly string[] {
    return [...this.left.keys()];
  }

  /** Returns a file that is left. */
  file(uri: string): ReviewPageFile | undefined {
    return this.left.get(uri)?.shown;
  }

  /** The names of the agents whose changes are left, or were decided last. */
  get agents(): readonly string[] {
    const authors = [...this.left.keys()].map((uri) => this.log.counts(uri).authors);
    const names = mergeAuthors(authors).flatMap((author) => (author.kind === 'agent' ? [author.agentName] : []));
    if (names.length > 0) this.lastAgents = [...new Set(names)];
    return this.lastAgents;
  }

  /** Returns the ids of a file's changes in scope. */
  idsOf(uri: string): readonly HunkId[] {
    return (this.left.get(uri)?.ids ?? '').split(' ').filter((id) => id !== '') as HunkId[];
  }

  /** Looks at the log again. */
  update(): RoundNews {
    const before = this.left;
    const found = this.found();
    const gone: string[] = [];
    // A decision that was taken back isn't a new review.
    const isNew = found.length > 0 && !found.some(({ uri }) => this.decided.has(uri));
    if (before.size === 0 && isNew) {
      gone.push(...[...this.decided.keys()].filter((uri) => !found.some((one) => one.uri === uri)));
      this.decided.clear();
    }
    const changed: ReviewPageFile[] = [];
    this.left = new Map(
      found.map(({ uri, ids }) => {
        const known = before.get(uri);
        const now = this.look(uri, ids, known);
        if (now !== known) changed.push(now.shown);
        this.decided.delete(uri);
        return [uri, now];
      }),
    );
    const decided = [...before].flatMap(([uri, one]) => (this.left.has(uri) ? [] : [this.decide(uri, one)]));
    for (const uri of this.decided.keys()) {
      if (this.isKnown(uri)) continue;
      this.decided.delete(uri);
      gone.push(uri);
    }
    return { changed, decided: decided.filter(({ uri }) => !gone.includes(uri)), gone };
  }

  /**
   * Returns false for a file that left the review without a decision: its changes were moved elsewhere, or its folder is gone. A rename that
   * was undone is known by the old name.
   */
  private isKnown(uri: string): boolean {
    return [uri, this.origins.get(uri)].some((one) => one !== undefined && this.log.file(one) !== undefined);
  }

  private found(): readonly { readonly uri: string; readonly ids: readonly HunkId[] }[] {
    const { session, turn } = this.scope;
    if (session !== undefined) return changesInScope(this.log, session, turn ?? 'session');
    return this.log.pending.map((uri) => {
      const { hunks, traitChanges } = this.log.file(uri) ?? { hunks: [], traitChanges: [] };
      return { uri, ids: [...hunks, ...traitChanges].map(({ id }) => id) };
    });
  }

  private look(uri: string, ids: readonly HunkId[], known: Left | undefined): Left {
    const file = this.log.file(uri);
    if (!file) throw new Error('Only files of the log have changes.');
    const data = file.snapshot;
    const text = ids.join(' ');
    if (known && known.ids === text && known.data.text === data.text && known.data.traits === data.traits) return known;
    return {
      data,
      ids: text,
      first: known?.first ?? file.base,
      seen: new Set([...(known?.seen ?? []), ...ids]),
      undone: (known?.undone ?? 0) + undoneSince(known?.ids ?? '', ids, file),
      from: file.status?.kind === 'renamed' ? file.status.from : undefined,
      shown: this.show(uri, file, ids, known?.shown.total ?? 0),
    };
  }

  private show(uri: string, file: TrackedFile, ids: readonly HunkId[], total: number): ReviewPageFile {
    const chosen = new Set(ids);
    const changes = [...file.hunks, ...file.traitChanges].filter(({ id }) => chosen.has(id));
    const { base, current } = file.snapshot.text;
    const path = this.pathOf(uri);
    return {
      uri,
      path,
      status: statusOf(file.status),
      ...detailsOf(file, path, this.pathOf),
      ...(isDiskSide(uri) ? { isUnderUnsaved: true } : {}),
      isBinary: isBinary(base) || isBinary(current),
      hasUserText: changes.some((change) => 'lineAuthors' in change && hasUserText(change)),
      ...countChanges(file, changes),
      left: ids.length,
      total: Math.max(total, ids.length),
      revision: ++this.revision,
    };
  }

  private decide(uri: string, { first, seen, shown, from, ids, undone }: Left): DecidedFile {
    this.origins.set(uri, from);
    const file = this.log.file(uri);
    const outcome = outcomeOf(file, first, seen);
    const count = outcome === 'kept' && file ? undone + undoneSince(ids, [], file) : 0;
    const decided = { uri, path: shown.path, outcome, ...(count > 0 ? { undone: count } : {}) };
    this.decided.set(uri, decided);
    return decided;
  }
}

/** A file of which any change was kept is kept. Otherwise, its content tells, because the user can also edit changes away. */
function outcomeOf(file: TrackedFile | undefined, first: FileState, seen: ReadonlySet<HunkId>): ReviewOutcome {
  if (!file) return 'undone';
  const { kept, keptTraits } = file.snapshot;
  if (kept.some(({ id }) => seen.has(id)) || keptTraits.some(({ change }) => seen.has(change.id))) return 'kept';
  return file.status !== undefined || isSameState(file.current, first) ? 'undone' : 'kept';
}

/** Counts the changes that are gone without having been kept. Those that an edit replaced by others aren't undone. */
function undoneSince(before: string, ids: readonly HunkId[], { snapshot }: TrackedFile): number {
  const known = before.split(' ').filter((id) => id !== '');
  const present = new Set<string>(ids);
  if (ids.some((id) => !known.includes(id))) return 0;
  const kept = new Set<string>([
    ...snapshot.kept.map(({ id }) => id),
    ...snapshot.keptTraits.map(({ change }) => change.id),
  ]);
  return known.filter((id) => !present.has(id) && !kept.has(id)).length;
}
