import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { budgetLevel, budgetName, budgetPercent, type Budget, type BudgetUse } from '../../shared/amounts/budget';
import { compact } from '../../shared/values/decodeValue';
import { Disposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import { tourAgentId } from '../../shared/values/ids';
import { budgetUses, endOfDay } from '../../usage/budgets';
import { dayOf, type UsageRow } from '../../usage/usageDays';
import { eachSession, type SessionPool } from '../base/eachSession';
import { ToldOnce, type ToldMemory } from './toldOnce';

/** The parts of a session that are needed to compare it with budgets. */
export type BudgetedSession = Pick<Session, 'key' | 'transcript' | 'onDidApply' | 'addNotice' | 'setBudgets'>;

export interface SessionBudgetsOptions {
  readonly pool: SessionPool<BudgetedSession>;
  /** The budgets of the user, the workspace, and the policy. */
  readonly budgets: () => readonly Budget[];
  readonly onDidChangeBudgets: Event<void>;
  readonly store: {
    readonly onDidChange: Event<void>;
    /** What this window counted today. */
    readonly ownToday: readonly UsageRow[];
    /** What other windows counted today. */
    othersToday(): Promise<readonly UsageRow[]>;
  };
  readonly now: () => number;
  readonly memory: ToldMemory;
  readonly reported: (work: Promise<void>) => void;
}

/** How long the user isn't told again that most of a session's budget is used, in milliseconds. */
const sessionMs = 60 * 24 * 60 * 60_000;

/**
 * Compares sessions with the user's budgets. Says once in a session that most of a budget is used. When it is used up, the session asks before it
 * sends the next message.
 */
export class SessionBudgets extends Disposable {
  private readonly options: SessionBudgetsOptions;
  private readonly told: ToldOnce;
  /** What other windows counted on a day, as read last. */
  private others: { readonly day: string; readonly rows: readonly UsageRow[] } = { day: '', rows: [] };

  constructor(options: SessionBudgetsOptions) {
    super();
    this.options = options;
    this.told = new ToldOnce(options.memory, 'parley.usage.toldBudgets', options.now);
    this.register(
      eachSession(options.pool, (session) => {
        this.compare(session);
        return session.onDidApply((ops) => {
          const fields = ops.flatMap((op) => (op.op === 'view' ? [op.fields] : []));
          const hasEnded = ops.some(({ op }) => op === 'summarize');
          if (hasEnded || fields.some(({ spent, usage }) => spent ?? usage)) {
            const uses = this.compare(session);
            if (hasEnded) for (const use of uses) this.tell(session, use);
          }
          // Other windows may have used something since.
          if (fields.some(({ activity }) => activity?.state === 'running')) this.readOthers();
        });
      }),
    );
    this.register(options.store.onDidChange(() => this.compareAll()));
    this.register(options.onDidChangeBudgets(() => this.readOthers()));
    this.readOthers();
  }

  /** What was used today, as far as it is known without reading files. */
  get today(): readonly UsageRow[] {
    const { store, now } = this.options;
    return [...(this.others.day === dayOf(now()) ? this.others.rows : []), ...store.ownToday];
  }

  private readOthers(): void {
    const { budgets, store, now, reported } = this.options;
    this.compareAll();
    if (!budgets().some(({ per }) => per === 'day')) return;
    const day = dayOf(now());
    const read = async () => {
      const rows = await store.othersToday();
      if (this.isDisposed) return;
      this.others = { day, rows };
      this.compareAll();
    };
    reported(read());
  }

  private compareAll(): void {
    for (const session of this.options.pool.sessions) this.compare(session);
  }

  private compare(session: BudgetedSession): readonly BudgetUse[] {
    const { budgets, now } = this.options;
    const { agentId, agentName, spent, usage } = session.transcript.view;
    if (agentId === tourAgentId) return [];
    const cost = usage.state === 'known' ? usage.cost : undefined;
    const uses = budgetUses(budgets(), {
      agentName,
      session: compact({ tokens: spent?.total, cost }),
      today: this.today,
      todayEnds: endOfDay(now()),
    });
    session.setBudgets(uses);
    return uses;
  }

  private tell(session: BudgetedSession, use: BudgetUse): void {
    const { now } = this.options;
    const level = budgetLevel(use, now());
    if (level === 'ok') return;
    const { per, agentName, currency, most, until } = use;
    const key = JSON.stringify([per === 'session' ? session.key : '', per, agentName, currency, most]);
    if (!this.told.isNews(key, until ?? now() + sessionMs)) return;
    const name = budgetName(use);
    session.addNotice({
      severity: 'info',
      title: level === 'usedUp' ? l10n.t('{0} is used up', name) : l10n.t('{0}: {1}% used', name, budgetPercent(use)),
      description: level === 'usedUp' ? l10n.t('Parley asks before it sends the next message.') : '',
    });
  }
}
