import type { Session } from '../../session/session';
import { Disposable, type IDisposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import { compact } from '../../shared/decodeValue';
import type { TranscriptOp } from '../../shared/ops';
import type { UsedTurn } from '../../usage/usageDays';

/** The parts of a session that turns are counted of. */
export type CountedSession = Pick<Session, 'key' | 'transcript' | 'onDidApply'>;

/** Counts the turns of all sessions when they end. What is replayed or restored has no end in this window. */
export class CountTurns extends Disposable {
  private readonly followed = new Map<CountedSession, IDisposable>();
  private readonly count: (turn: UsedTurn) => void;
  private readonly now: () => number;

  constructor(
    pool: { readonly sessions: readonly CountedSession[]; readonly onDidChangeSessions: Event<void> },
    now: () => number,
    count: (turn: UsedTurn) => void,
  ) {
    super();
    this.count = count;
    this.now = now;
    this.register({ dispose: () => this.follow([]) });
    this.register(pool.onDidChangeSessions(() => this.follow(pool.sessions)));
    this.follow(pool.sessions);
  }

  private follow(sessions: readonly CountedSession[]): void {
    for (const [session, listener] of this.followed) {
      if (sessions.includes(session)) continue;
      listener.dispose();
      this.followed.delete(session);
    }
    for (const session of sessions) {
      if (this.followed.has(session)) continue;
      this.followed.set(
        session,
        session.onDidApply((ops) => this.applied(session, ops)),
      );
    }
  }

  private applied({ key, transcript }: CountedSession, ops: readonly TranscriptOp[]): void {
    for (const op of ops) {
      if (op.op !== 'summarize') continue;
      const { endedAt, model, tokens, cost } = op.summary;
      const { agentId, agentName } = transcript.view;
      this.count({ at: endedAt ?? this.now(), agentId, agentName, session: key, ...compact({ model, tokens, cost }) });
    }
  }
}
