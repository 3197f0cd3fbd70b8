import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { FromUsagePage, ToUsagePage } from '../../shared/pages/usagePage';
import { DisposableStore, type IDisposable } from '../../shared/values/disposable';
import type { Budget } from '../../shared/amounts/budget';
import type { Event } from '../../shared/values/event';
import { decodePrices } from '../../usage/prices';
import { lineOf } from '../../usage/usageReport';
import type { Act } from '../base/actions';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import type { MakeTab } from '../pages/pageTab';
import type { SessionStore } from '../sessions/stored/sessionStore';
import { reported } from '../ui/reported';
import { openBudget } from './openBudget';
import { CountTurns } from './countTurns';
import { LimitNotices } from './limitNotices';
import { ScheduledMessages, type SchedulingSession } from './scheduledMessages';
import { SessionBudgets } from './sessionBudgets';
import type { UsageTab } from './usageTab';
import type { UsageStore } from './usageStore';
import * as l10n from '@vscode/l10n';
import { showInformation } from '../ui/notifications';

export interface UsageFeatureNeeds {
  readonly act: Act<'showParley'>;
  readonly pool: AgentPool;
  readonly sessions: SessionStore;
  readonly store: UsageStore;
  /** The budgets of the user, the workspace, and the policy. */
  readonly budgets: () => readonly Budget[];
  readonly settings: {
    get(key: 'usage.prices'): unknown;
    get(key: 'usage.limitNotices'): boolean;
    readonly onDidChange: Event<void>;
  };
  /** Remembers what the user was told about limits and budgets. */
  readonly memory: vscode.Memento;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  readonly log: Log;
}

/** What agents used: counted turn by turn, shown from the ring of a chat page, and in a tab of the page “Parley”. */
export function usageFeature({
  act,
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
  parts.add(new LimitNotices({ pool, isOn: () => settings.get('usage.limitNotices'), now, memory }));
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
  const prices = () => decodePrices(settings.get('usage.prices'));
  const titleOf = (key: string) =>
    pool.sessions.find((session) => session.key === key)?.transcript.view.title ??
    sessions.stored.find((listing) => listing.key === key)?.title;
  let opened: UsageTab | undefined;
  const tab: MakeTab<FromUsagePage, ToUsagePage> = async (post) => {
    const { UsageTab } = await import('./usageTab');
    opened = new UsageTab({ store, prices, budgets, titleOf, log }, post);
    return opened;
  };
  parts.add(settings.onDidChange(() => opened?.show()));
  const messages: Handlers<'showUsage' | 'fetchUsage' | 'sendAnyway' | 'openBudget'> = {
    showUsage: () => reported(log, act('showParley', 'usage')),
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
    tab,
    flushNow: () => store.flushNow(),
    dispose: () => parts.dispose(),
  };
}

const maxText = 60;

/** Tells the user that a scheduled message is sent in a minute. */
async function tellScheduled({ transcript }: SchedulingSession, text: string): Promise<'send' | 'cancel' | undefined> {
  const line = text.trim().split('\n')[0] ?? '';
  const short = line.length > maxText ? `${line.slice(0, maxText - 1)}…` : line;
  const [send, cancel] = [l10n.t('Send Now'), l10n.t('Don’t Send')];
  const words = l10n.t('Your message to {0} will be sent in 1 min: “{1}”', transcript.view.agentName, short);
  const answer = await showInformation(words, send, cancel);
  return answer === send ? 'send' : answer === cancel ? 'cancel' : undefined;
}
