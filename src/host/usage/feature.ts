import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore, type IDisposable } from '../../shared/disposable';
import type { Budget } from '../../shared/budget';
import type { Event } from '../../shared/event';
import { decodePrices } from '../../usage/prices';
import { lineOf } from '../../usage/usageReport';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import type { SessionStore } from '../sessions/sessionStore';
import { reported } from '../ui/reported';
import { openBudget } from './openBudget';
import { CountTurns } from './countTurns';
import { LimitNotices } from './limitNotices';
import { ScheduledMessages } from './scheduledMessages';
import { SessionBudgets } from './sessionBudgets';
import { tellScheduled } from './tellScheduled';
import { OnePage } from '../pages/onePage';
import { UsagePanel } from './usagePanel';
import type { UsageStore } from './usageStore';

export interface UsageFeatureNeeds {
  readonly extensionUri: vscode.Uri;
  readonly pool: AgentPool;
  readonly sessions: SessionStore;
  readonly store: UsageStore;
  /** The budgets of the user, the workspace, and the policy. */
  readonly budgets: () => readonly Budget[];
  readonly settings: {
    readonly usagePrices: unknown;
    readonly tellsLimits: boolean;
    readonly onDidChange: Event<void>;
  };
  /** Remembers what the user was told about limits and budgets. */
  readonly memory: vscode.Memento;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  readonly log: Log;
}

/** What agents used: counted turn by turn, shown from the ring of a chat page, and on a page of its own. */
export function usageFeature({
  extensionUri,
  pool,
  sessions,
  store,
  budgets,
  settings,
  memory,
  schedule,
  log,
}: UsageFeatureNeeds) {
  const parts = new DisposableStore();
  const now = () => Date.now();
  parts.add(new CountTurns(pool, now, (turn) => store.add(turn)));
  parts.add(new LimitNotices({ pool, isOn: () => settings.tellsLimits, now, memory }));
  parts.add(new ScheduledMessages({ pool, now, schedule, tell: tellScheduled }));
  parts.add(
    new SessionBudgets({
      pool,
      budgets,
      onDidChangeBudgets: settings.onDidChange,
      store,
      now,
      memory,
      reported: (work) => reported(log, work),
    }),
  );
  reported(log, store.prune());
  const prices = () => decodePrices(settings.usagePrices);
  const titleOf = (key: string) =>
    pool.sessions.find((session) => session.key === key)?.transcript.view.title ??
    sessions.stored.find((listing) => listing.key === key)?.title;
  const page = parts.add(
    new OnePage(
      'parley.usage',
      (restored) => new UsagePanel({ extensionUri, store, prices, budgets, titleOf, log }, restored),
    ),
  );
  parts.add(settings.onDidChange(() => page.opened?.update()));
  const show = () => page.open().reveal();
  const messages: Handlers<'showUsage' | 'fetchUsage' | 'sendAnyway' | 'openBudget'> = {
    showUsage: show,
    sendAnyway: inSession((session) => session.sendAnyway()),
    openBudget: () => openBudget(),
    fetchUsage: inSession((session, _message, page) => {
      const answer = async () => {
        const { agentId } = session.transcript.view;
        const days = await store.days();
        const all = days.flatMap(({ rows }) => rows.filter((row) => row.session === session.key));
        const today = (await store.today()).filter((row) => row.agentId === agentId);
        const lines = { session: lineOf('', all, prices()), today: lineOf('', today, prices()) };
        page.post({ type: 'usageOf', session: session.key, lines });
      };
      reported(log, answer());
    }),
  };
  return {
    messages,
    commands: commandTable({ 'parley.showUsage': show }),
    flushNow: () => store.flushNow(),
    dispose: () => parts.dispose(),
  };
}
