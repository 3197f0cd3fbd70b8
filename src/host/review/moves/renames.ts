import { isSameState, type FileState } from '../../../review/files/fileState';
import { isOfTurn, type AgentAuthor } from '../../../review/hunks/hunk';
import { mostSimilar, type Candidate } from '../../../review/files/similarity';
import type { ReviewLog } from '../../../review/log/reviewLog';

/** Maximum number of created or deleted files to remember. Moves beyond it appear as deletions and creations. */
const remembered = 1000;

/** A rename by a turn, with the last kept version of the file at that time. */
interface Renamed {
  readonly to: string;
  readonly author: AgentAuthor;
  readonly base: FileState;
}

/**
 * Records agents' changes in the log. Detects a rename if a file is deleted and one with nearly the same content is
 * created in the same turn, in either order.
 */
export class Renames {
  private readonly log: ReviewLog;
  private readonly onRename: (from: string, to: string) => void;
  private readonly isBeingUndone: (uri: string) => boolean;
  /** URIs of files that a turn created or deleted, with their last author. */
  private readonly came = new Map<string, AgentAuthor>();
  private readonly gone = new Map<string, AgentAuthor>();
  /** Renames by old name. */
  private readonly moved = new Map<string, Renamed>();

  /**
   * `onRename` is called with a file's new URI before the log's listeners. A file that's being undone is never part of a rename, because its
   * change is about to go.
   */
  constructor(
    log: ReviewLog,
    onRename: (from: string, to: string) => void,
    isBeingUndone: (uri: string) => boolean = () => false,
  ) {
    this.log = log;
    this.onRename = onRename;
    this.isBeingUndone = isBeingUndone;
  }

  /** See `ReviewLog.agentEdit`. The file is tracked. */
  agentEdit(uri: string, state: FileState, author: AgentAuthor): void {
    const file = this.log.file(uri);
    if (!file) return;
    const { base, current } = file;
    if (state.kind === 'absent' && current.kind !== 'absent' && base.kind !== 'absent') {
      const to = mostSimilar(uri, current, this.candidates(this.came, author));
      const content = to === undefined ? undefined : this.log.file(to)?.current;
      if (to !== undefined && content) {
        this.log.forget(to);
        this.move(uri, to, content, author);
        return;
      }
      remember(this.gone, uri, author);
    } else if (state.kind !== 'absent' && current.kind === 'absent' && base.kind === 'absent') {
      const from = mostSimilar(uri, state, this.candidates(this.gone, author));
      if (from !== undefined) {
        this.log.forget(uri);
        this.move(from, uri, state, author);
        return;
      }
      remember(this.came, uri, author);
    }
    this.log.agentEdit(uri, state, author);
  }

  /** Returns true if this turn renamed the file, which is recorded under its new name. */
  hasMoved(uri: string, by: AgentAuthor): boolean {
    const author = this.moved.get(uri)?.author;
    return author !== undefined && isSameTurn(author, by) && this.log.file(uri) === undefined;
  }

  /**
   * Called when the source of a rename exists again, with the author if it's an agent. The other file is then a copy, unless the user kept
   * the rename or edited the file. If a later turn created the source, that turn's own baseline says what was there before.
   */
  cameBack(uri: string, by: AgentAuthor | undefined): void {
    const known = this.moved.get(uri);
    if (!known || (by && !isSameTurn(by, known.author))) return;
    const { to, author, base } = known;
    this.moved.delete(uri);
    const file = this.log.file(to);
    const isPending = file?.traitChanges.some((change) => change.kind === 'rename' && change.from === uri) === true;
    if (!file || !isPending || this.log.counts(to).hasUserText || this.log.file(uri)) return;
    const { current } = file;
    // The user's own lines are in the base, and only in this file.
    if (!isSameState(file.base, base)) return;
    this.log.forget(to);
    this.onRename(to, uri);
    this.log.track(uri, base);
    this.log.track(to, { kind: 'absent' });
    this.log.agentEdit(to, current, author);
  }

  private move(from: string, to: string, state: FileState, author: AgentAuthor): void {
    this.came.delete(to);
    this.gone.delete(from);
    this.moved.set(from, { to, author, base: this.log.file(from)?.base ?? { kind: 'absent' } });
    this.onRename(from, to);
    this.log.rename(from, to, author);
    this.log.agentEdit(to, state, author);
  }

  /** Returns the files that are unchanged and that only this turn has touched. */
  private candidates(files: ReadonlyMap<string, AgentAuthor>, { session, turn }: AgentAuthor): Candidate[] {
    return [...files].flatMap(([path, author]) => {
      const file = this.log.file(path);
      const kind = file?.status?.kind;
      if (!file || author.session !== session || author.turn !== turn || this.isBeingUndone(path)) return [];
      const isOurs = file.hunks.every(({ authors }) => authors.every((one) => isOfTurn([one], session, turn)));
      if (files === this.came) return kind === 'created' && isOurs ? [{ path, state: file.current }] : [];
      return kind === 'deleted' ? [{ path, state: file.base }] : [];
    });
  }
}

function isSameTurn(a: AgentAuthor, b: AgentAuthor): boolean {
  return a.session === b.session && a.turn === b.turn;
}

function remember(files: Map<string, AgentAuthor>, uri: string, author: AgentAuthor): void {
  files.delete(uri);
  files.set(uri, author);
  const [oldest] = files.keys();
  if (files.size > remembered && oldest !== undefined) files.delete(oldest);
}
