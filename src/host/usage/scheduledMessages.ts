import type { Session } from '../../session/session';
import { Disposable, toDisposable, type IDisposable } from '../../shared/values/disposable';
import { eachSession, type SessionPool } from '../base/eachSession';

/** The parts of a session that are needed to send its scheduled message. */
export type SchedulingSession = Pick<
  Session,
  'key' | 'transcript' | 'onDidApply' | 'scheduled' | 'sendPrompt' | 'isClosed'
>;

/** How long before sending a message Parley tells the user, in milliseconds. */
export const noticeMs = 60_000;
/** The longest timer, in milliseconds. Longer ones fire too late after the computer was asleep, and weeks are too long for any. */
const longestWaitMs = 15 * 60_000;

export interface ScheduledMessagesOptions {
  readonly pool: SessionPool<SchedulingSession>;
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
  private readonly waiting = new Map<SchedulingSession, Waiting>();

  constructor(options: ScheduledMessagesOptions) {
    super();
    this.options = options;
    this.register(eachSession(options.pool, (session) => this.follow(session)));
  }

  private follow(session: SchedulingSession): IDisposable {
    const listener = session.onDidApply((ops) => {
      if (ops.some((op) => op.op === 'view' && 'scheduled' in op.fields)) this.look(session);
    });
    this.look(session);
    return toDisposable(() => {
      listener.dispose();
      this.forget(session);
    });
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
