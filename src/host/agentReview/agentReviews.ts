import * as l10n from '@vscode/l10n';
import { changeAt, seenLines, updatedComment, type DraftComment } from '../../review/comments/draftComment';
import type { AgentAuthor, Author } from '../../review/hunks/hunk';
import { anchorAt, lineAfter } from '../../review/comments/remarkLine';
import { fileMeant, parseRemarks, type WrittenRemark } from '../../review/comments/remarks';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { NoticeText, Session } from '../../session/session';
import { lastAnswer } from '../../session/transcript/lastAnswer';
import { Disposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { AgentId, EntryId, SessionKey } from '../../shared/values/ids';
import type { ReviewPageScope } from '../../shared/changes/reviewPage';
import type { ReviewedChanges, ReviewedFile } from './reviewedChanges';
import { lastMessage, newestTurn, rejectedPrompt, reviewPrompt, taskOf } from './reviewPrompt';

/** What reviews by agents need of the window. */
export interface ReviewWindow {
  /** Whether agents may start here. Otherwise, says why. */
  mayStart(): boolean;
  /** Lets the user select the reviewer. */
  pickAgent(reviewed: Session): Promise<AgentId | undefined>;
  changesOf(scope: ReviewPageScope, cwd: string): ReviewedChanges | undefined;
  /** All changes in the worktree that a session works in. Undefined if it has none. Throws a `WorktreeProblem`. */
  worktreeChangesOf(session: SessionKey, cwd: string): Promise<ReviewedChanges | undefined>;
  /** Opens a session in the folder of the reviewed one, in the mode in which its agent only reads. */
  createSession(agent: AgentId, like: Session): Session | undefined;
  /** The text of a file as the user sees it. Undefined if it has none. */
  textOf(uri: string): Promise<string | undefined>;
  refuse(why: string): void;
  report(error: unknown): void;
}

interface Sessions {
  readonly sessions: readonly Session[];
  readonly onDidChangeSessions: Event<void>;
}

interface Remarks {
  readonly all: readonly DraftComment[];
  add(comment: Omit<DraftComment, 'id'>): DraftComment;
}

type Log = Pick<ReviewLog, 'file' | 'pending'>;

/** A review: what was sent, and the notice in the reviewed session. */
interface RunningReview {
  readonly reviewed: Session;
  readonly notice: EntryId;
  readonly files: readonly ReviewedFile[];
  /** The newest turn of the reviewed session when the review began. */
  readonly turn: number;
  /** What the notice says until the reviewer has answered. */
  readonly title: string;
  /** What the reviewer waits for, if the notice says that. */
  trouble?: Trouble | undefined;
}

/** Why a reviewer that the user doesn't see gets no further. */
type Trouble = 'login' | 'stopped';

/**
 * Reviews by other agents. A reviewer is an ordinary session that only reads. When one of its turns ends, what it says about places becomes
 * remarks at those places.
 */
export class AgentReviews extends Disposable {
  private readonly pool: Sessions;
  private readonly log: Log;
  private readonly remarks: Remarks;
  private readonly window: ReviewWindow;
  private readonly running = new Map<SessionKey, RunningReview>();
  /** The number of turns of each reviewer whose answers were read. */
  private readonly read = new WeakMap<Session, number>();

  constructor(pool: Sessions, log: Log, remarks: Remarks, window: ReviewWindow) {
    super();
    this.pool = pool;
    this.log = log;
    this.remarks = remarks;
    this.window = window;
    this.register(pool.onDidChangeSessions(() => this.update()));
    // A turn may have ended while this was loaded.
    this.update();
  }

  /** Lets the user select an agent, which then reviews the changes of a session, of one of its turns, or all. */
  async start(scope: ReviewPageScope, shown: Session | undefined): Promise<void> {
    const { window } = this;
    if (!window.mayStart()) return;
    const reviewed = this.reviewedIn(scope) ?? shown;
    const changes = reviewed && window.changesOf(scope, reviewed.transcript.view.cwd);
    if (reviewed && changes) await this.review(reviewed, changes, scope);
    else window.refuse(l10n.t('There are no changes to review.'));
  }

  /** Lets the user select an agent, which then reviews everything that has changed in a session's worktree since it was made. */
  async startWorktree(reviewed: Session | undefined): Promise<void> {
    const { window } = this;
    if (!window.mayStart()) return;
    const changes = reviewed && (await window.worktreeChangesOf(reviewed.key, reviewed.transcript.view.cwd));
    if (reviewed && changes) await this.review(reviewed, changes, { session: reviewed.key, isWorktree: true });
    else window.refuse(l10n.t('There are no changes in a worktree to review.'));
  }

  private async review(
    reviewed: Session,
    changes: ReviewedChanges,
    { turn, isWorktree = false }: ReviewPageScope & { readonly isWorktree?: boolean },
  ): Promise<void> {
    const { window } = this;
    const agent = await window.pickAgent(reviewed);
    if (agent === undefined) return;
    const reviewer = window.createSession(agent, reviewed);
    if (!reviewer) return;
    const { agentName, title } = reviewed.transcript.view;
    const name = title === '' ? agentName : title;
    reviewer.setReviews({ session: reviewed.key, title: name });
    reviewer.addNotice({
      severity: 'info',
      title: l10n.t('Review of “{0}”', name),
      description: l10n.t(
        '{0} can read here, but its requests to change anything are rejected.',
        reviewer.transcript.view.agentName,
      ),
      opens: reviewed.key,
    });
    const doing = isWorktree
      ? l10n.t('{0} is reviewing this worktree', reviewer.transcript.view.agentName)
      : l10n.t('{0} is reviewing these changes', reviewer.transcript.view.agentName);
    const notice = reviewed.addNotice({ severity: 'info', title: doing, opens: reviewer.key });
    this.running.set(reviewer.key, {
      reviewed,
      notice,
      files: changes.files,
      turn: newestTurn(reviewed.transcript),
      title: doing,
    });
    const task = taskOf(reviewed.transcript, turn);
    reviewer.sendPrompt(reviewPrompt(agentName, task, changes.diff, isWorktree));
  }

  /** Returns the session whose changes are reviewed: the one of the scope, or the first that made any. */
  private reviewedIn({ session }: ReviewPageScope): Session | undefined {
    const { sessions } = this.pool;
    if (session !== undefined) return sessions.find(({ key }) => key === session);
    const authors = this.log.pending.flatMap((uri) => this.log.file(uri)?.hunks.flatMap((hunk) => hunk.authors) ?? []);
    return sessions.find(({ key }) => authors.some((author) => author.kind === 'agent' && author.session === key));
  }

  private update(): void {
    for (const session of this.pool.sessions) {
      if (!session.transcript.view.reviews) continue;
      const { count } = session.endedTurns;
      const before = this.read.get(session) ?? 0;
      if (count === before) {
        if (count === 0) this.watch(session);
        continue;
      }
      this.read.set(session, count);
      void this.takeAnswer(session).catch((error: unknown) => this.window.report(error));
    }
  }

  /** Looks at a reviewer that hasn't ended a turn. */
  private watch(session: Session): void {
    const review = this.running.get(session.key);
    const { state } = session.transcript.view.connection;
    if (review)
      this.tellTrouble(session, review, state === 'login' ? state : state === 'closed' ? 'stopped' : undefined);
  }

  /** Says in the reviewed session what keeps a reviewer from answering, because the user doesn't see its session. */
  private tellTrouble({ key, transcript }: Session, review: RunningReview, trouble: Trouble | undefined): void {
    if (review.trouble === trouble) return;
    review.trouble = trouble;
    const { reviewed, notice, title } = review;
    reviewed.changeNotice(
      notice,
      trouble === undefined
        ? { severity: 'info', title, opens: key }
        : { severity: 'warning', title: troubleTitle(transcript.view.agentName, trouble), opens: key },
    );
  }

  /** Reads what a reviewer said in the turn that has just ended. */
  private async takeAnswer(reviewer: Session): Promise<void> {
    const { reviews, agentName } = reviewer.transcript.view;
    if (!reviews) return;
    const review = this.running.get(reviewer.key);
    const reviewed = review?.reviewed ?? this.pool.sessions.find(({ key }) => key === reviews.session);
    const answer = lastAnswer(reviewer.transcript);
    const written = parseRemarks(answer);
    const files = review?.files ?? (await this.filesOf(reviews.session, reviewer.transcript.view.cwd));
    const owner: AgentAuthor = {
      kind: 'agent',
      agentName: reviewed?.transcript.view.agentName ?? '',
      session: reviews.session,
      turn: 0,
    };
    const turn = review?.turn ?? (reviewed ? newestTurn(reviewed.transcript) : 0);
    const placed = await Promise.all(written.map((one) => this.place(one, reviewer, owner, files, turn)));
    const fresh = placed.filter((one) => !this.remarks.all.some((known) => isSame(known, one)));
    for (const one of fresh) this.remarks.add(one);
    const changed = this.changedBy(reviewer.key);
    if (changed > 0) offerUndo(reviewer, changedTitle(agentName, changed));
    const { last } = reviewer.endedTurns;
    if (fresh.length === 0 && review && (last === 'failed' || last === 'cutOff'))
      this.tellTrouble(reviewer, review, 'stopped');
    else if (fresh.length > 0 || !asksAgain(reviewer, answer)) this.tell(reviewer, reviewed, review, fresh);
  }

  /** Returns what a reviewer may speak about after a reload, when what it got isn't known any more. */
  private async filesOf(session: SessionKey, cwd: string): Promise<readonly ReviewedFile[]> {
    const waiting = this.window.changesOf({ session }, cwd)?.files ?? [];
    const inWorktree = await this.window.worktreeChangesOf(session, cwd).catch((error: unknown) => {
      this.window.report(error);
      return undefined;
    });
    const others = inWorktree?.files.filter(({ uri }) => !waiting.some((one) => one.uri === uri)) ?? [];
    return [...waiting, ...others];
  }

  /** Finds a remark's place. Its file may have changed since the reviewer got it. */
  private async place(
    { path, line, text }: WrittenRemark,
    reviewer: Session,
    owner: Author,
    files: readonly ReviewedFile[],
    turn: number,
  ): Promise<Omit<DraftComment, 'id'>> {
    const { key, transcript } = reviewer;
    const remark = {
      agentName: transcript.view.agentName,
      session: key,
      written: line > 0 && path !== '' ? `${path}:${line}` : path,
      isChosen: false,
      anchor: { before: [], line: '', after: [] },
    };
    const unplaced = { uri: '', hunk: '', line: 0, authors: [owner], text, seen: { stamp: '', turn: 0 }, remark };
    const file = fileMeant(path, files);
    if (!file || line === 0) return unplaced;
    const seen = linesOf(file.text);
    const now = await this.window.textOf(file.uri);
    if (now === undefined || line > seen.length) return unplaced;
    const lines = linesOf(now);
    const at = lineAfter(seen, lines, line - 1);
    const tracked = this.log.file(file.uri);
    const hunk = changeAt(tracked, at);
    // What the reviewer saw is known only while the line is the same.
    const isAsSeen = lines[at] === seen[line - 1];
    const placed = {
      ...unplaced,
      uri: file.uri,
      hunk: hunk?.id ?? '',
      line: at,
      authors: hunk?.authors ?? file.authors,
      seen: hunk && isAsSeen ? seenLines(tracked, hunk.id) : { stamp: '', turn },
      remark: { ...remark, anchor: anchorAt(lines, at) },
    };
    return updatedComment({ ...placed, id: '' }, tracked) ?? placed;
  }

  /** Counts the files that a reviewer changed nevertheless. */
  private changedBy(reviewer: SessionKey): number {
    return this.log.pending.filter((uri) =>
      this.log
        .file(uri)
        ?.hunks.some(({ authors }) => authors.some((one) => one.kind === 'agent' && one.session === reviewer)),
    ).length;
  }

  private tell(
    reviewer: Session,
    reviewed: Session | undefined,
    review: RunningReview | undefined,
    remarks: readonly Omit<DraftComment, 'id'>[],
  ): void {
    const { agentName } = reviewer.transcript.view;
    const unplaced = remarks.filter(({ uri }) => uri === '');
    const title =
      remarks.length === 0
        ? l10n.t('{0} has no remarks', agentName)
        : remarks.length === 1
          ? l10n.t('{0} has 1 remark', agentName)
          : l10n.t('{0} has {1} remarks', agentName, remarks.length);
    const list = unplaced
      .map(({ text, remark }) => `• ${remark?.written ? `${remark.written}: ` : ''}${text}`)
      .join('\n');
    const description = list === '' ? {} : { description: l10n.t('Without a place:\n{0}', list) };
    if (remarks.length > 0)
      reviewer.addNotice({ severity: 'info', title, ...description, opens: reviewed?.key ?? reviewer.key });
    const shown: NoticeText = {
      severity: 'info',
      title,
      opens: reviewer.key,
      ...(remarks.length > 0 ? { hasRemarks: true as const } : {}),
    };
    if (review) reviewed?.changeNotice(review.notice, shown);
    else if (remarks.length > 0) reviewed?.addNotice(shown);
  }
}

function troubleTitle(agentName: string, trouble: Trouble): string {
  return trouble === 'login'
    ? l10n.t('{0} can’t review until you sign in', agentName)
    : l10n.t('{0} stopped before it reviewed these changes', agentName);
}

function changedTitle(agentName: string, files: number): string {
  return files === 1
    ? l10n.t('{0} changed 1 file although it only reviews', agentName)
    : l10n.t('{0} changed {1} files although it only reviews', agentName, files);
}

/** Offers in a reviewer's session to undo what it changed, as long as that waits for review. Only the newest notice does. */
function offerUndo(reviewer: Session, title: string): void {
  for (const entry of reviewer.transcript.entries.values()) {
    if (entry.kind !== 'notice' || !entry.hasChanges) continue;
    reviewer.changeNotice(entry.id, { severity: entry.severity, title: entry.title });
  }
  reviewer.addNotice({ severity: 'warning', title, hasChanges: true });
}

/**
 * Asks a reviewer for its remarks if it ended its turn because a request was rejected, as Codex does. Asks once, until the user sends
 * something there. Returns whether it did.
 */
function asksAgain(reviewer: Session, answer: string): boolean {
  const { endedTurns, transcript } = reviewer;
  const isAnswered = /\[\s*\]/.test(answer);
  if (endedTurns.isRejected !== true || isAnswered || transcript.view.activity.state !== 'idle') return false;
  if (lastMessage(transcript) === rejectedPrompt) return false;
  reviewer.sendPrompt(rejectedPrompt);
  return true;
}

function isSame(known: DraftComment, { text, remark, uri }: Omit<DraftComment, 'id'>): boolean {
  return (
    known.uri === uri &&
    known.text === text &&
    known.remark?.session === remark?.session &&
    known.remark?.written === remark?.written
  );
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}
