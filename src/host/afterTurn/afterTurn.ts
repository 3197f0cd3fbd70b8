import * as l10n from '@vscode/l10n';
import { Disposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import type { NoticeText, Session } from '../../session/session';
import type { AutomaticTurns } from '../turnProblems/automaticTurns';
import { isFree, type ProblemTurn, type ProblemTurns } from '../turnProblems/turnProblems';
import type { Check } from './afterTurnSetting';
import { failureReport, type CheckEnd } from './failureReport';

/** The part of a session that is checked. */
export type CheckedSession = Pick<Session, 'key' | 'transcript' | 'endedTurns' | 'sendPrompt' | 'addNotice'>;

export interface AfterTurnOptions {
  readonly turns: Pick<ProblemTurns, 'current' | 'onDidBegin' | 'onDidChange' | 'onDidTouch'>;
  readonly automatic: AutomaticTurns;
  /** What runs after a turn of an agent, as the settings are now. */
  check(agentName: string): Check | undefined;
  /** Runs a check and shows it in the session. Resolves to how it ended, or to undefined if it was stopped. */
  run(session: SessionKey, check: Check, signal: AbortSignal): Promise<CheckEnd | undefined>;
  readonly report: (error: unknown) => void;
}

/**
 * Runs the user's command or task after each turn that changed files, and tells the agent how it failed if the user wants that: at most a set
 * number of times after a message of the user. A new turn ends it.
 */
export class AfterTurn extends Disposable {
  private readonly options: AfterTurnOptions;
  /** Running turns that changed files. */
  private readonly changed = new WeakSet<ProblemTurn>();
  private readonly concluded = new WeakSet<ProblemTurn>();
  /** How many failures a session's agent was told about since the user's last message. */
  private readonly sent = new Map<SessionKey, number>();
  private readonly running = new Map<SessionKey, AbortController>();

  constructor(options: AfterTurnOptions) {
    super();
    this.options = options;
    const { turns } = options;
    this.register(turns.onDidBegin(() => this.begun()));
    this.register(turns.onDidChange(() => this.sessionsChanged()));
    this.register(turns.onDidTouch(({ turn }) => void this.changed.add(turn)));
    this.register({ dispose: () => this.running.forEach((over) => over.abort()) });
  }

  private begun(): void {
    for (const turn of this.options.turns.current) {
      const { session } = turn;
      if (turn.looked !== undefined || session.transcript.view.activity.state === 'idle') continue;
      this.running.get(session.key)?.abort();
      if (!this.options.automatic.includes(turn)) this.sent.delete(session.key);
    }
  }

  private sessionsChanged(): void {
    for (const turn of this.options.turns.current) {
      const { session, looked } = turn;
      if (looked === undefined || this.concluded.has(turn) || session.transcript.view.activity.state !== 'idle')
        continue;
      this.concluded.add(turn);
      void this.conclude(turn, session as CheckedSession, looked).catch(this.options.report);
    }
  }

  private async conclude(turn: ProblemTurn, session: CheckedSession, looked: Promise<void>): Promise<void> {
    const { key } = session;
    const { count } = session.endedTurns;
    await looked;
    const check = this.options.check(session.transcript.view.agentName);
    const isSame = session.endedTurns.count === count && session.transcript.view.activity.state === 'idle';
    if (!check || !isSame || !this.changed.has(turn) || session.endedTurns.last !== 'completed') return;
    const over = new AbortController();
    this.running.get(key)?.abort();
    this.running.set(key, over);
    try {
      const end = await this.options.run(key, check, over.signal);
      if (end && end.exitCode !== 0 && !over.signal.aborted) this.failed(session, check, end);
      else if (end?.exitCode === 0) this.sent.delete(key);
    } finally {
      if (this.running.get(key) === over) this.running.delete(key);
    }
  }

  private failed(session: CheckedSession, check: Check, end: CheckEnd): void {
    const { key } = session;
    const sent = this.sent.get(key) ?? 0;
    if (check.sendFailures === 0) return;
    if (sent >= check.sendFailures) {
      session.addNotice(givenUp(check, sent));
      return;
    }
    // What the user has written in the meantime is more important.
    if (!isFree(session)) return;
    this.sent.set(key, sent + 1);
    this.options.automatic.send(key);
    session.sendPrompt(failureReport(check.name, end));
  }
}

function givenUp({ name }: Check, sent: number): NoticeText {
  return {
    severity: 'warning',
    title: l10n.t('“{0}” still fails', showHiddenOnOneLine(name)),
    description:
      sent === 1
        ? l10n.t('The agent was told once, and isn’t told again. Send a message to continue.')
        : l10n.t('The agent was told {0} times, and isn’t told again. Send a message to continue.', sent),
  };
}
