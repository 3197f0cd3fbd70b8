import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import { decodePrices } from '../../usage/prices';
import { lineOf } from '../../usage/usageReport';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import type { SessionStore } from '../sessions/sessionStore';
import { reported } from '../ui/reported';
import { CountTurns } from './countTurns';
import { UsagePanel } from './usagePanel';
import type { UsageStore } from './usageStore';

export interface UsageFeatureNeeds {
  readonly extensionUri: vscode.Uri;
  readonly pool: AgentPool;
  readonly sessions: SessionStore;
  readonly store: UsageStore;
  readonly settings: { readonly usagePrices: unknown; readonly onDidChange: Event<void> };
  readonly log: Log;
}

/** What agents used: counted turn by turn, shown from the ring of a chat page, and on a page of its own. */
export function usageFeature({ extensionUri, pool, sessions, store, settings, log }: UsageFeatureNeeds) {
  const parts = new DisposableStore();
  parts.add(
    new CountTurns(
      pool,
      () => Date.now(),
      (turn) => store.add(turn),
    ),
  );
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
