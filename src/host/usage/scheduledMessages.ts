import type { Session } from '../../session/session';
import { Disposable, type IDisposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';

/** The parts of a session that messages are scheduled in. */
export type SchedulingSession = Pick<
  Session,
  'key' | 'transcript' | 'onDidApply' | 'scheduled' | 'sendPrompt' | 'isClosed'
>;

/** How long before a message is sent the user is told. In milliseconds. */
export const noticeMs = 60_000;
/** Timers can't be longer than weeks, and a computer that slept may be late. In milliseconds. */
const longestWaitMs = 15 * 60_000;

export interface ScheduledMessagesOptions {
  readonly pool: { readonly sessions: readonly SchedulingSession[]; readonly onDidChangeSessions: Event<void> };
  readonly now: () => number;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  /** Tells the user that a message is about to be sent. Resolves to what the user decides, undefined for nothing. */
  readonly tell: (session: SchedulingSession, text: string) => Promise<'send' | 'cancel' | undefined>;
}

interface Waiting {
  readonly at: number;
  /** When the message is sent, once the user was told. */
  sendAt?: number;
  timer?: IDisposable;
}

/**
 * Sends messages at the time for which the user scheduled them. The user is told a minute before, and can cancel it. A message whose
 * time passed while no window was open waits for that minute, too.
 */
export class ScheduledMessages extends Disposable {
  private readonly options: ScheduledMessagesOptions;
  private readonly followed = new Map<SchedulingSession, IDisposable>();
  private readonly waiting = new Map<SchedulingSession, Waiting>();

  constructor(options: ScheduledMessagesOptions) {
    super();
    this.options = options;
    this.register({ dispose: () => this.follow([]) });
    this.register(options.pool.onDidChangeSessions(() => this.follow(options.pool.sessions)));
    this.follow(options.pool.sessions);
  }

  private follow(sessions: readonly SchedulingSession[]): void {
    for (const [session, listener] of this.followed) {
      if (sessions.includes(session)) continue;
      listener.dispose();
      this.followed.delete(session);
      this.forget(session);
    }
    for (const session of sessions) {
      if (this.followed.has(session)) continue;
      const listener = session.onDidApply((ops) => {
        if (ops.some((op) => op.op === 'view' && 'scheduled' in op.fields)) this.look(session);
      });
      this.followed.set(session, listener);
      this.look(session);
    }
  }

  private forget(session: SchedulingSession): void {
    this.waiting.get(session)?.timer?.dispose();
    this.waiting.delete(session);
  }

  /** Looks at a session's schedule, and waits for what is next. */
  private look(session: SchedulingSession): void {
    const scheduled = session.isClosed ? undefined : session.scheduled.current;
    let waiting = this.waiting.get(session);
    if (waiting && waiting.at !== scheduled?.at) {
      this.forget(session);
      waiting = undefined;
    }
    if (!scheduled) return;
    const { now } = this.options;
    if (!waiting) {
      waiting = { at: scheduled.at };
      this.waiting.set(session, waiting);
    }
    if (waiting.sendAt === undefined && now() >= scheduled.at - noticeMs) {
      waiting.sendAt = Math.max(scheduled.at, now() + noticeMs);
      this.tell(session, waiting, scheduled.text);
    }
    const { sendAt } = waiting;
    if (sendAt !== undefined && now() >= sendAt) {
      this.send(session);
      return;
    }
    const left = (sendAt ?? scheduled.at - noticeMs) - now();
    waiting.timer?.dispose();
    waiting.timer = this.options.schedule(Math.min(longestWaitMs, Math.max(1, left)), () => this.look(session));
  }

  private tell(session: SchedulingSession, waiting: Waiting, text: string): void {
    void this.options.tell(session, text).then((answer) => {
      // The answer is about this message, and may come late.
      if (this.isDisposed || this.waiting.get(session) !== waiting) return;
      if (answer === 'send') this.send(session);
      if (answer === 'cancel') session.scheduled.take();
    });
  }

  private send(session: SchedulingSession): void {
    const prompt = session.scheduled.take();
    if (prompt) session.sendPrompt(prompt.text, prompt.attachments);
  }
}
