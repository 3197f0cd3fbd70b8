import * as l10n from '@vscode/l10n';
import type { AgentLease } from '../../agent/pool/agentLease';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Session } from '../../session/session';
import type { WaitingChanges } from '../../review/shown/changedFiles';
import { Disposable, DisposableStore } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { AgentListEnd, SessionRow } from '../../shared/pages/sessionRows';
import { Coalesced } from '../base/coalesce';
import { copyAround } from '../../git/copyPlaces';
import type { TryGroup } from '../../tries/tryGroup';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { canBringFrom } from '../base/folders';
import type { SessionStore } from '../sessions/stored/sessionStore';
import { AgentSessions } from './agentSessions';
import type { AgentMarks } from './agentMarks';
import { RequestWatch } from './requestWatch';
import type { WindowBoard } from '../sessions/stored/windowBoard';
import { recentRows } from '../../shared/pages/recentRows';
import { agentRowId, otherRowId, ownRowId, sessionRows } from './sessionRows';
import type { KnownSession } from './knownSession';
import type { ListedSession } from '../../acp/decode/decodeSessions';

/** Who shows the list: the part of a chat page that it uses, or a quick pick. */
export interface FeedPage {
  post(message: ToWebview): void;
}

/** What the list is made of. */
export interface FeedSources {
  readonly pool: {
    readonly sessions: readonly Session[];
    readonly running: readonly { readonly spec: AgentSpec }[];
    readonly onDidChangeSessions: Event<void>;
    leaseRunning(): readonly AgentLease[];
    lease(spec: AgentSpec, cwd: string): AgentLease;
  };
  readonly catalog: { readonly all: readonly AgentSpec[]; readonly onDidChange: Event<void> };
  readonly sessions: Pick<SessionStore, 'stored' | 'look' | 'flush' | 'watchOthers' | 'onDidChange'>;
  readonly marks: Pick<AgentMarks, 'of'>;
  readonly board: Pick<WindowBoard, 'others' | 'look' | 'watch'>;
  readonly branches: { of(cwd: string): { readonly branch: string } | undefined; readonly onDidChange: Event<void> };
  readonly changes: { of(session: SessionKey): WaitingChanges | undefined; readonly onDidChange: Event<void> };
  readonly tries: { groupOf(session: SessionKey): TryGroup | undefined; readonly onDidChange: Event<void> };
  /** The absolute paths of the folders whose sessions agents list. */
  readonly folders: () => readonly string[];
  /** Whether agents can start in this window. */
  readonly isTrusted: () => boolean;
}

/** A session that a row stands for. */
export interface RowTarget extends KnownSession {
  /** Present if a window with another storage has the session. */
  readonly elsewhere?: SessionKey;
  /** Present if only its agent has the session. */
  readonly listed?: { readonly spec: AgentSpec; readonly session: ListedSession };
}

/**
 * The list of sessions on chat pages. A page that opens it gets all rows, and then those that change; a start page gets the few that it leads
 * to. While no page has either, nothing is read or watched, and no agent is kept running for it.
 */
export class SessionFeed extends Disposable {
  private readonly sources: FeedSources;
  /** The rows that each page has, as text. */
  private readonly pages = new Map<FeedPage, ReadonlyMap<string, string>>();
  /** What the start pages that lead to sessions have, as text. */
  private readonly startPages = new Map<FeedPage, string>();
  private readonly lists = new Map<AgentId, AgentSessions>();
  /** Running agents that can't list sessions. */
  private readonly silent = new Set<AgentId>();
  private readonly sendSoon = this.register(new Coalesced(() => this.send(), 50));
  private readonly lookSoon = this.register(new Coalesced(() => void this.look(), 300));
  private opened: DisposableStore | undefined;
  private readonly hidden = new Set<string>();
  private readonly looked = this.register(new Emitter<void>());
  /** Fires when the list of stored sessions was read. */
  readonly onDidLook = this.looked.event;
  private readonly closed = this.register(new Emitter<void>());
  /** Fires when no page has the list open any more. */
  readonly onDidClose = this.closed.event;

  constructor(sources: FeedSources) {
    super();
    this.sources = sources;
    this.register({
      dispose: () => {
        this.pages.clear();
        this.startPages.clear();
        this.closeList();
      },
    });
  }

  /** Rows that aren't shown, because the user is deleting their sessions. */
  get deleted(): ReadonlySet<string> {
    return this.hidden;
  }

  hide(ids: readonly string[]): void {
    for (const id of ids) this.hidden.add(id);
    this.sendSoon.request();
  }

  unhide(): void {
    this.hidden.clear();
    this.sendSoon.request();
  }

  /** Sends the list to a page, and then its changes. */
  watch(page: FeedPage): void {
    this.pages.set(page, new Map());
    this.open();
    this.listRunning();
    const rows = this.rows();
    this.pages.set(page, textsOf(rows));
    page.post({ type: 'sessions', rows, ...this.rest() });
    void this.look();
  }

  /** Stops sending changes to a page. */
  unwatch(page: FeedPage): void {
    if (this.pages.delete(page) && this.pages.size === 0) this.closeList();
  }

  /** Sends a start page the sessions that it leads to, and then their changes. No agent is asked for its own. */
  watchRecent(page: FeedPage): void {
    this.startPages.set(page, '');
    this.open();
    this.sendRecent(this.rows());
    void this.look();
  }

  unwatchRecent(page: FeedPage): void {
    if (this.startPages.delete(page)) this.closeIfUnused();
  }

  /** Forgets the pages that no longer exist. */
  keep(exists: (page: FeedPage) => boolean): void {
    for (const page of this.pages.keys()) if (!exists(page)) this.unwatch(page);
    for (const page of this.startPages.keys()) if (!exists(page)) this.unwatchRecent(page);
  }

  /** Requests the first sessions of an agent, which may start it, or more of them. */
  ask(agentId: AgentId): void {
    const list = this.lists.get(agentId);
    if (list) {
      if (list.hasMore) void list.more();
      return;
    }
    const spec = this.sources.catalog.all.find(({ id }) => id === agentId);
    const [folder] = this.sources.folders();
    if (this.pages.size === 0 || !spec || folder === undefined || !this.sources.isTrusted()) return;
    this.list(this.sources.pool.lease(spec, folder));
  }

  /** A session was changed, although none of the sources may say so. The agent of one that only it stores is asked again. */
  changed(session?: KnownSession): void {
    if (session && session.key === undefined) this.askAgain(session.agentId);
    this.sendSoon.request();
  }

  /** Requests the sessions of an agent anew, if they are listed. */
  askAgain(agentId: AgentId): void {
    this.lists.get(agentId)?.dispose();
    if (!this.lists.delete(agentId)) return;
    this.listRunning();
  }

  /** Returns the session of a row. */
  find(id: string): RowTarget | undefined {
    const { pool, sessions, board } = this.sources;
    const live = pool.sessions.find(({ key }) => ownRowId(key) === id);
    if (live) {
      const { agentId, agentName, sessionId, title } = live.transcript.view;
      return { key: live.key, agentId, agentName, sessionId, title };
    }
    const listing = sessions.stored.find(({ key }) => ownRowId(key) === id);
    if (listing) {
      const { key, agentId, agentName, sessionId = '', title } = listing;
      return { key, agentId, agentName, sessionId, title };
    }
    for (const { id: windowId, rows } of board.others) {
      const row = rows.find((one) => otherRowId(windowId, one.id) === id);
      if (row?.session === undefined) continue;
      const { session, agentId, agentName, title } = row;
      return { elsewhere: session, agentId, agentName, sessionId: '', title };
    }
    for (const { spec, sessions: all } of this.lists.values()) {
      const session = all.find(({ sessionId }) => agentRowId(spec.id, sessionId) === id);
      if (!session) continue;
      const { sessionId, title } = session;
      const names = { agentId: spec.id, agentName: spec.name, sessionId, title: title === '' ? sessionId : title };
      return { ...names, listed: { spec, session } };
    }
    return undefined;
  }

  private open(): void {
    if (this.opened || this.isDisposed) return;
    const { pool, catalog, sessions, board, branches, changes, tries } = this.sources;
    const opened = new DisposableStore();
    this.opened = opened;
    const soon = () => this.sendSoon.request();
    opened.add(pool.onDidChangeSessions(() => this.listRunning()));
    opened.add(catalog.onDidChange(() => this.dropRemoved()));
    opened.add(new RequestWatch(pool, soon));
    opened.add(sessions.onDidChange(soon));
    opened.add(branches.onDidChange(soon));
    opened.add(changes.onDidChange(soon));
    opened.add(tries.onDidChange(soon));
    opened.add(sessions.watchOthers(() => this.lookSoon.request()));
    opened.add(board.watch(() => this.lookSoon.request()));
  }

  /** No page has the list open any more. */
  private closeList(): void {
    for (const list of this.lists.values()) list.dispose();
    this.lists.clear();
    this.silent.clear();
    this.closed.fire();
    this.closeIfUnused();
  }

  private closeIfUnused(): void {
    if (this.pages.size + this.startPages.size > 0) return;
    this.opened?.dispose();
    this.opened = undefined;
  }

  /** Requests the sessions of running agents that weren't asked yet. */
  private listRunning(): void {
    const ids = this.agentIds();
    const isNew = ({ spec: { id } }: { readonly spec: AgentSpec }) =>
      ids.has(id) && !this.lists.has(id) && !this.silent.has(id);
    if (this.pages.size === 0 || !this.sources.pool.running.some(isNew)) return;
    for (const lease of this.sources.pool.leaseRunning()) {
      const { can } = lease.agent;
      if (isNew(lease) && can?.list && (can.loadSession || can.resume)) {
        this.list(lease);
        continue;
      }
      if (isNew(lease) && can) this.silent.add(lease.spec.id);
      lease.dispose();
    }
  }

  /** Drops the lists of agents that the user no longer has. */
  private dropRemoved(): void {
    const ids = this.agentIds();
    for (const [id, list] of this.lists) {
      if (ids.has(id)) continue;
      list.dispose();
      this.lists.delete(id);
    }
    this.sendSoon.request();
  }

  private agentIds(): ReadonlySet<AgentId> {
    return new Set(this.sources.catalog.all.map(({ id }) => id));
  }

  private list(lease: AgentLease): void {
    const list = new AgentSessions(lease, this.sources.folders());
    this.lists.set(lease.spec.id, list);
    list.onDidChange(() => this.sendSoon.request());
    this.sendSoon.request();
  }

  private async look(): Promise<void> {
    await this.sources.sessions.flush();
    if (!this.opened) return;
    await Promise.all([this.sources.sessions.look(), this.sources.board.look()]);
    this.sendSoon.request();
    this.looked.fire();
  }

  rows(): SessionRow[] {
    const { pool, sessions, board, marks, branches, changes, tries } = this.sources;
    const folders = this.sources.folders();
    return sessionRows({
      live: pool.sessions,
      stored: sessions.stored,
      lists: [...this.lists.values()],
      others: board.others,
      deleted: this.hidden,
      markOf: (mark) => marks.of(mark),
      branchOf: (cwd) => branches.of(cwd)?.branch,
      canBringFrom,
      hasWorktree: (cwd) => worktreeOf(cwd) !== undefined,
      isCopy: (cwd) => copyAround(cwd) !== undefined,
      changesOf: (session) => changes.of(session),
      isThisFolder: (cwd) => folders.length === 1 && folders[0] === cwd,
      taskOf: (session) => tries.groupOf(session),
    });
  }

  private rest(): { readonly ends: readonly AgentListEnd[]; readonly deleted: number } {
    return { ends: this.ends(), deleted: this.hidden.size };
  }

  private ends(): AgentListEnd[] {
    const ends = [...this.lists.values()].flatMap((list): AgentListEnd[] => {
      const names = { agentId: list.spec.id, agentName: list.spec.name };
      const { state } = list;
      if (state === 'loading') return [{ ...names, state: 'loading' }];
      if (state === 'ready') {
        const problem = l10n.t('Log in to {0} to see which sessions are open', names.agentName);
        return [
          ...(list.wantsLogin ? [{ ...names, state: 'login', problem } as const] : []),
          ...(list.hasMore ? [{ ...names, state: 'more' } as const] : []),
        ];
      }
      return [{ ...names, state: state.wantsLogin ? 'login' : 'problem', problem: state.problem }];
    });
    if (!this.sources.isTrusted()) return ends;
    const others = this.sources.catalog.all.filter(
      ({ id, source }) => source !== 'builtin' && !this.lists.has(id) && !this.silent.has(id),
    );
    return [...ends, ...others.map(({ id, name }): AgentListEnd => ({ agentId: id, agentName: name, state: 'ask' }))];
  }

  private sendRecent(rows: readonly SessionRow[]): void {
    const recent = recentRows(rows);
    const text = JSON.stringify(recent);
    for (const [page, before] of this.startPages) {
      if (before === text) continue;
      this.startPages.set(page, text);
      page.post({ type: 'recentSessions', ...recent });
    }
  }

  private send(): void {
    if (this.pages.size + this.startPages.size === 0) return;
    const rows = this.rows();
    this.sendRecent(rows);
    if (this.pages.size === 0) return;
    const shown = new Set(rows.map(({ id }) => id));
    for (const list of this.lists.values()) {
      list.askStatus(list.sessions.filter(({ sessionId }) => shown.has(agentRowId(list.spec.id, sessionId))));
    }
    const texts = textsOf(rows);
    const rest = this.rest();
    for (const [page, before] of this.pages) {
      const changed = rows.filter(({ id }) => before.get(id) !== texts.get(id));
      const removed = [...before.keys()].filter((id) => !texts.has(id));
      this.pages.set(page, texts);
      page.post({ type: 'sessionsChanged', rows: changed, removed, ...rest });
    }
  }
}

function textsOf(rows: readonly SessionRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
}
