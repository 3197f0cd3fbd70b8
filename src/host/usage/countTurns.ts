import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { UsedTurn } from '../../usage/usageDays';
import { usedTurns } from '../../usage/usedTurns';
import { eachSession, type SessionPool } from '../base/eachSession';

/** The parts of a session that are needed to count its turns. */
export type CountedSession = Pick<Session, 'key' | 'transcript' | 'onDidApply'>;

/** Counts the turns of all sessions when they end. What is replayed or restored has no end in this window. */
export class CountTurns extends Disposable {
  private readonly count: (turn: UsedTurn) => void;
  private readonly now: () => number;

  constructor(pool: SessionPool<CountedSession>, now: () => number, count: (turn: UsedTurn) => void) {
    super();
    this.count = count;
    this.now = now;
    this.register(eachSession(pool, (session) => session.onDidApply((ops) => this.applied(session, ops))));
  }

  private applied(session: CountedSession, ops: readonly TranscriptOp[]): void {
    for (const turn of usedTurns(session, ops, this.now())) this.count(turn);
  }
}
