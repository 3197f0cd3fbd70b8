import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentLease } from '../../agent/pool/agentLease';
import type { AgentPool } from '../../agent/pool/agentPool';
import { Disposable } from '../../shared/values/disposable';
import type { AgentId } from '../../shared/values/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import { folderToAsk, workspaceRoots } from '../base/folders';
import { AgentSessions } from './agentSessions';
import { sessionItems, type ItemButtons, type SessionChoice, type SessionItem } from './sessionItems';
import type { SessionStore } from '../sessions/stored/sessionStore';
import type { SessionFeed } from './sessionFeed';
import { SteadyPlaces } from './steadyPlaces';
import { createPicker } from '../ui/quickInput';

export interface SessionPickerServices {
  readonly pool: AgentPool;
  readonly catalog: AgentCatalog;
  readonly sessions: SessionStore;
  readonly feed: Pick<SessionFeed, 'rows'>;
}

/** The user's action on an entry. */
export type SessionAction = 'open' | 'rename' | 'export' | 'pin' | 'unpin' | 'archive' | 'unarchive' | 'delete';

/**
 * The session list. Opens immediately with Parley's own sessions and adds those of running agents. Starts no other
 * agent unless the user selects its entry. Disposes itself when closed.
 */
export class SessionPicker extends Disposable {
  private readonly services: SessionPickerServices;
  private readonly pick = this.register(createPicker<SessionItem>());
  private readonly lists: AgentSessions[] = [];
  /** The archived sessions of agents, once the user opens them. */
  private archives: AgentSessions[] | undefined;
  private showsArchived = false;
  private readonly places = new SteadyPlaces();
  /** Running agents that don't support listing sessions. */
  private readonly silent = new Set<AgentId>();
  private readonly buttons: ItemButtons = {
    pin: { iconPath: new vscode.ThemeIcon('pin'), tooltip: l10n.t('Pin') },
    unpin: { iconPath: new vscode.ThemeIcon('pinned'), tooltip: l10n.t('Unpin') },
    rename: { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename') },
    export: { iconPath: new vscode.ThemeIcon('export'), tooltip: l10n.t('Export…') },
    archive: { iconPath: new vscode.ThemeIcon('archive'), tooltip: l10n.t('Archive') },
    unarchive: { iconPath: new vscode.ThemeIcon('discard'), tooltip: l10n.t('Unarchive') },
    remove: { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete') },
  };

  /** `onWish` is called with the action on a session. Queried agents keep running until it returns. */
  constructor(services: SessionPickerServices, onWish: (wish: SessionAction, choice: SessionChoice) => void) {
    super();
    this.services = services;
    const { pick } = this;
    pick.title = l10n.t('Sessions');
    pick.placeholder = l10n.t('Select a session');
    pick.matchOnDescription = true;
    pick.keepScrollPosition = true;
    this.register(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item && this.isMeant(item) && !this.goOn(item.choice)) this.end(() => onWish('open', item.choice));
      }),
    );
    this.register(
      pick.onDidTriggerItemButton(({ button, item }) => {
        if (this.isMeant(item)) this.end(() => onWish(this.wishOf(button), item.choice));
      }),
    );
    this.register(pick.onDidHide(() => this.dispose()));
    for (const lease of services.pool.leaseRunning()) {
      if (lease.agent.can?.list) this.list(lease);
      else {
        this.silent.add(lease.spec.id);
        lease.dispose();
      }
    }
    this.show();
    pick.show();
  }

  /** Returns true if the user meant this entry, and not one that was in its place until just now. */
  private isMeant(item: SessionItem): boolean {
    return this.places.isSteady(this.pick.items.indexOf(item));
  }

  /** Runs an entry's action. Returns true if the list stays open. */
  private goOn(choice: SessionChoice): boolean {
    if (choice.does === 'more') void choice.from.more();
    else if (choice.does === 'ask') this.list(this.services.pool.lease(choice.spec, folderToAsk()));
    else if (choice.does === 'turn') this.turn();
    else return choice.does === 'nothing';
    return true;
  }

  private end(action: () => void): void {
    action();
    this.pick.hide();
  }

  private wishOf(button: vscode.QuickInputButton): SessionAction {
    const { remove, ...others } = this.buttons;
    const names = Object.keys(others) as (keyof typeof others)[];
    return button === remove ? 'delete' : (names.find((name) => others[name] === button) ?? 'open');
  }

  private turn(): void {
    this.showsArchived = !this.showsArchived;
    if (!this.archives) {
      this.archives = [];
      for (const lease of this.services.pool.leaseRunning()) {
        if (lease.agent.can?.list && lease.agent.can.archive) this.list(lease, this.archives, true);
        else lease.dispose();
      }
    }
    this.pick.value = '';
    this.show();
  }

  private list(lease: AgentLease, lists = this.lists, archived = false): void {
    const roots = workspaceRoots();
    const list = this.register(new AgentSessions(lease, roots.length > 0 ? roots : [folderToAsk()], archived));
    lists.push(list);
    this.register(list.onDidChange(() => this.show()));
    this.show();
  }

  private show(): void {
    if (this.isDisposed) return;
    const { pool, catalog, sessions, feed } = this.services;
    const { pick, showsArchived: archived } = this;
    const archives = archived ? (this.archives ?? []) : [];
    const lists = [...this.lists, ...archives];
    const listed = new Set([...this.lists.map(({ spec }) => spec.id), ...this.silent]);
    const others = catalog.all.filter(({ id, source }) => source !== 'builtin' && !listed.has(id));
    const shown = {
      rows: feed.rows(lists),
      live: pool.sessions,
      stored: sessions.stored,
      lists,
      ends: archived ? archives : this.lists,
      others,
      archived,
      trusted: vscode.workspace.isTrusted,
      now: Date.now(),
    };
    const items = sessionItems(shown, this.buttons);
    const active = pick.activeItems[0]?.id;
    pick.items = items;
    // VS Code identifies a button by its position, too.
    this.places.show(items.map(({ id, buttons = [] }) => [id, ...buttons.map(({ tooltip }) => tooltip)].join('\n')));
    const same = pick.items.find(({ id }) => id === active);
    if (same) pick.activeItems = [same];
    for (const { choice } of items) if (choice.does === 'openListed') choice.from.askStatus([choice.listed]);
    pick.busy = lists.some(({ state }) => state === 'loading');
  }
}
