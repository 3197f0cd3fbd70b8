import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore, type IDisposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import { decodePrices } from '../../usage/prices';
import { lineOf } from '../../usage/usageReport';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import type { SessionStore } from '../sessions/sessionStore';
import { reported } from '../ui/reported';
import { CountTurns } from './countTurns';
import { LimitNotices } from './limitNotices';
import { ScheduledMessages } from './scheduledMessages';
import { tellScheduled } from './tellScheduled';
import { UsagePanel } from './usagePanel';
import type { UsageStore } from './usageStore';

export interface UsageFeatureNeeds {
  readonly extensionUri: vscode.Uri;
  readonly pool: AgentPool;
  readonly sessions: SessionStore;
  readonly store: UsageStore;
  readonly settings: {
    readonly usagePrices: unknown;
    readonly tellsLimits: boolean;
    readonly onDidChange: Event<void>;
  };
  /** Remembers which limits the user was told about. */
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
  settings,
  memory,
  schedule,
  log,
}: UsageFeatureNeeds) {
  const parts = new DisposableStore();
  parts.add(
    new CountTurns(
      pool,
      () => Date.now(),
      (turn) => store.add(turn),
    ),
  );
  parts.add(new LimitNotices({ pool, isOn: () => settings.tellsLimits, now: () => Date.now(), memory }));
  parts.add(new ScheduledMessages({ pool, now: () => Date.now(), schedule, tell: tellScheduled }));
  reported(log, store.prune());
  const prices = () => decodePrices(settings.usagePrices);
  const titleOf = (key: string) =>
    pool.sessions.find((session) => session.key === key)?.transcript.view.title ??
    sessions.stored.find((listing) => listing.key === key)?.title;
  let panel: UsagePanel | undefined;
  parts.add({ dispose: () => panel?.dispose() });
  parts.add(settings.onDidChange(() => panel?.update()));
  const show = () => {
    if (!panel) {
      panel = new UsagePanel({ extensionUri, store, prices, titleOf, log });
      panel.onDidClose(() => (panel = undefined));
    }
    panel.reveal();
  };
  const messages: Handlers<'showUsage' | 'fetchUsage'> = {
    showUsage: show,
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
  return { messages, commands: commandTable({ 'parley.showUsage': show }), dispose: () => parts.dispose() };
}
