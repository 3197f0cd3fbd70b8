import type { AgentPool } from '../../agent/pool/agentPool';
import { isOfTurn } from '../../review/hunks/hunk';
import { Disposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import type { Review } from '../review/review';
import type { ProblemTurn, ProblemTurns } from './turnProblems';

/** The turns of all sessions, as the review sees them. */
export class ReviewedTurns extends Disposable implements ProblemTurns {
  private readonly review: Pick<Review, 'turns' | 'log'>;
  private readonly touched = this.register(new Emitter<{ readonly turn: ProblemTurn; readonly uri: string }>());
  readonly onDidBegin: Event<void>;
  readonly onDidChange: Event<void>;
  readonly onDidTouch = this.touched.event;

  /** Must be created after the review, which notices first that a turn has ended. */
  constructor(pool: Pick<AgentPool, 'onDidChangeSessions'>, review: Pick<Review, 'turns' | 'log' | 'onDidTouch'>) {
    super();
    this.review = review;
    this.onDidBegin = review.turns.onDidChange;
    this.onDidChange = pool.onDidChangeSessions;
    this.register(review.onDidTouch(({ turn, uri }) => this.touched.fire({ turn, uri: uri.toString() })));
  }

  get current(): readonly ProblemTurn[] {
    return this.review.turns.current;
  }

  isChangedLine({ session, turn }: ProblemTurn, uri: string, line: number): boolean {
    const hunks = this.review.log.file(uri)?.hunks ?? [];
    return hunks.some(({ start, end, authors }) => line > start && line <= end && isOfTurn(authors, session.key, turn));
  }
}
