import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToWebview } from '../../shared/pages/messages';
import type { AgentListEnd } from '../../shared/pages/sessionRows';
import { Disposable } from '../../shared/values/disposable';
import { manageTrust } from '../agents/trust';
import { createPicker } from '../ui/quickInput';
import type { FeedPage, SessionFeed } from './sessionFeed';
import { sessionItems, type SessionChoice, type SessionItem } from './sessionItems';
import { SteadyPlaces } from './steadyPlaces';

/** What the user can do in the quick pick of sessions. */
export interface PickerActions {
  /** Opens the session of a row. */
  open(id: string): void;
  /** Asks an agent for its sessions, for more of them, or for a login. */
  ask(end: AgentListEnd): void;
}

/**
 * The quick pick of sessions, which only opens them. It shows what the list on the page shows, and starts no agent unless the user selects
 * its entry. Disposes itself when closed.
 */
export class SessionPicker extends Disposable implements FeedPage {
  private readonly feed: SessionFeed;
  private readonly actions: PickerActions;
  private readonly pick = this.register(createPicker<SessionItem>());
  private readonly places = new SteadyPlaces();

  constructor(feed: SessionFeed, actions: PickerActions) {
    super();
    this.feed = feed;
    this.actions = actions;
    const { pick } = this;
    pick.title = l10n.t('Sessions');
    pick.placeholder = l10n.t('Select a session');
    pick.matchOnDescription = true;
    pick.keepScrollPosition = true;
    this.register(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        // The user may have meant the entry that was in its place until just now.
        if (item && this.places.isSteady(pick.items.indexOf(item)) && this.carryOut(item.choice)) pick.hide();
      }),
    );
    this.register(pick.onDidHide(() => this.dispose()));
    this.register({ dispose: () => feed.unwatch(this) });
    feed.watch(this);
    pick.show();
  }

  post(message: ToWebview): void {
    if (message.type !== 'sessions' && message.type !== 'sessionsChanged') return;
    const { pick } = this;
    const { ends } = message;
    const items = sessionItems({
      rows: this.feed.rows(),
      ends,
      isTrusted: vscode.workspace.isTrusted,
      now: Date.now(),
    });
    const active = pick.activeItems[0]?.id;
    pick.items = items;
    this.places.show(items.map(({ id }) => id));
    const same = pick.items.find(({ id }) => id === active);
    if (same) pick.activeItems = [same];
    pick.busy = ends.some(({ state }) => state === 'loading');
  }

  /** Returns true if the list closes. */
  private carryOut(choice: SessionChoice): boolean {
    if (choice.does === 'open') this.actions.open(choice.id);
    else if (choice.does === 'trust') void manageTrust();
    else if (choice.does === 'ask') {
      this.actions.ask(choice.end);
      return choice.end.state === 'login';
    } else return false;
    return true;
  }
}
