import { withTurn, type CheckResult } from '../../tries/tryGroup';
import type { Session } from '../../session/session';
import { Disposable, toDisposable, type IDisposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { eachSession, type SessionPool } from '../base/eachSession';
import type { TryStore } from './tryStore';

/** The parts of a session that are followed. */
export type FollowedSession = Pick<Session, 'key' | 'transcript' | 'onDidApply' | 'onDidChangeState'>;

export interface TryTurnsOptions<S extends FollowedSession> {
  readonly pool: SessionPool<S>;
  readonly store: TryStore;
  /** Runs a command in a try's worktree. Resolves to undefined if it was stopped or couldn't start. */
  run(session: S, command: string, signal: AbortSignal): Promise<CheckResult | undefined>;
  readonly report: (error: unknown) => void;
}

/** Counts what the turns of tries use, and runs the user's command in a try's worktree when a turn has ended. */
export class TryTurns<S extends FollowedSession> extends Disposable {
  private readonly options: TryTurnsOptions<S>;
  private readonly running = new Map<SessionKey, AbortController>();
  /** Sessions with a turn that ended and wasn't checked. */
  private readonly due = new Set<SessionKey>();
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when a command starts or ends, and when a try begins to work or stops. */
  readonly onDidChange = this.changed.event;

  constructor(options: TryTurnsOptions<S>) {
    super();
    this.options = options;
    this.register(eachSession(options.pool, (session) => this.follow(session)));
    this.register({ dispose: () => this.running.forEach((over) => over.abort()) });
  }

  isChecking(session: SessionKey): boolean {
    return this.running.has(session);
  }

  /** Runs the task's command in a try's worktree, unless the agent is working there. */
  check(key: SessionKey): void {
    const session = this.options.pool.sessions.find((one) => one.key === key);
    const command = this.options.store.groupOf(key)?.check;
    if (!session || command === undefined || session.transcript.view.activity.state !== 'idle') return;
    void this.run(session, command).catch(this.options.report);
  }

  private follow(session: S): IDisposable {
    const { store } = this.options;
    const { key } = session;
    const applied = session.onDidApply((ops) => {
      for (const op of ops) {
        if (op.op !== 'summarize' || !store.groupOf(key)) continue;
        store.change(key, (one) => withTurn(one, op.summary));
        if (op.summary.brokenBy === undefined) this.due.add(key);
        this.stateChanged(session);
      }
    });
    const state = session.onDidChangeState(() => this.stateChanged(session));
    return toDisposable(() => {
      applied.dispose();
      state.dispose();
      this.due.delete(key);
      this.running.get(key)?.abort();
    });
  }

  private stateChanged({ key, transcript }: S): void {
    if (!this.options.store.groupOf(key)) return;
    if (transcript.view.activity.state !== 'idle') this.running.get(key)?.abort();
    else if (this.due.delete(key)) this.check(key);
    this.changed.fire();
  }

  private async run(session: S, command: string): Promise<void> {
    const { key } = session;
    const { store } = this.options;
    const over = new AbortController();
    this.running.get(key)?.abort();
    this.running.set(key, over);
    store.change(key, ({ check: _before, ...one }) => one);
    this.changed.fire();
    try {
      const result = await this.options.run(session, command, over.signal);
      if (result && !over.signal.aborted) store.change(key, (one) => ({ ...one, check: result }));
    } finally {
      if (this.running.get(key) === over) this.running.delete(key);
      this.changed.fire();
    }
  }
}
