import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { Disposable, type IDisposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import { Coalesced } from '../base/coalesce';
import type { CommandId } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import type { Settings } from '../settings/settings';
import { plainTitle, StatusItem } from '../ui/labels';
import { showError, showInformation, showWarning } from '../ui/notifications';
import {
  AttentionModel,
  factsOf,
  isWanted,
  type AttentionEvent,
  type AttentionKind,
  type AttentionState,
} from './attentionModel';
import type { OsNotifier } from './osNotifier';
import { PageNotifier } from './pageNotifier';
import { badgeTooltip, eventSentence, eventTitle, statusText, statusTooltip } from './attentionWords';

const showCommand: CommandId = 'parley.showSession';

/** What the attention of the user is drawn with. */
export interface AttentionOptions {
  readonly pool: Pick<AgentPool, 'sessions' | 'onDidChangeSessions'>;
  readonly pages: ChatPages;
  readonly settings: Settings;
  /** Absent where the extension host runs on another computer than the window. */
  readonly osNotifier: OsNotifier | undefined;
}

/**
 * Tells the user about sessions that aren't in sight: status bar item, badge, editor tabs, notifications, and sound.
 * `AttentionModel` decides what to show.
 */
export class Attention extends Disposable {
  private readonly options: AttentionOptions;
  private readonly model = new AttentionModel();
  private readonly status = this.register(new StatusItem('parley.status', 'Parley', 90));
  private readonly updates = this.register(new Coalesced(() => this.update()));
  private readonly byPage = new PageNotifier((message) => this.options.pages.postToLastUsed(message));
  /** Per session, a listener for its number of requests, which changes without its state. */
  private readonly listeners = new Map<SessionKey, IDisposable>();
  /** Per session, its notification of the operating system, which is withdrawn when it no longer applies. */
  private readonly notices = new Map<SessionKey, { readonly kind: AttentionKind; readonly notice: IDisposable }>();

  /** The handlers of the page's messages about notifications. */
  readonly handlers = this.byPage.handlers;

  constructor(options: AttentionOptions) {
    super();
    this.options = options;
    const request = () => this.updates.request();
    this.register(options.pool.onDidChangeSessions(request));
    this.register(options.pages.onDidChange(request));
    this.register(vscode.window.onDidChangeWindowState(request));
    this.register({ dispose: () => this.forgetAll() });
    this.update();
  }

  private update(): void {
    if (this.isDisposed) return;
    const { pool, pages } = this.options;
    this.listenTo(pool.sessions);
    const inSight = pages.visiblePages.filter(({ isCovered }) => !isCovered);
    const visible = new Set(inSight.flatMap(({ session }) => (session ? [session.key] : [])));
    const isFocused = vscode.window.state.focused;
    const facts = pool.sessions.map(factsOf);
    const state = this.model.update(facts, { visible, isFocused });
    this.showStatus(state);
    pages.setBadge(
      state.requests > 0 ? { value: state.requests, tooltip: plainTitle(badgeTooltip(state.requests)) } : undefined,
    );
    pages.setTabStates(state.tabs);
    for (const [key, { kind }] of this.notices) {
      const expected = kind === 'request' ? 'waiting' : 'idle';
      const isOver = !facts.some((one) => one.key === key && one.state === expected);
      if (isOver || (isFocused && visible.has(key))) this.withdraw(key);
    }
    for (const event of state.events) void this.tell(event, { isFocused, isVisible: visible.has(event.session.key) });
  }

  private listenTo(sessions: readonly Session[]): void {
    const live = new Set(sessions.map(({ key }) => key));
    for (const [key, listener] of this.listeners) {
      if (live.has(key)) continue;
      listener.dispose();
      this.listeners.delete(key);
    }
    for (const session of sessions) {
      if (this.listeners.has(session.key)) continue;
      let known = session.openRequests;
      const listener = session.onDidApply(() => {
        const now = session.openRequests;
        if (now !== known) this.updates.request();
        known = now;
      });
      this.listeners.set(session.key, listener);
    }
  }

  private showStatus({ status }: AttentionState): void {
    const [first] = status?.sessions ?? [];
    if (!status || !first) {
      this.status.hide();
      return;
    }
    const isWaiting = status.kind === 'waiting';
    this.status.show(
      {
        icon: isWaiting ? 'bell-dot' : 'loading~spin',
        text: statusText(status.kind, status.sessions),
        tooltip: statusTooltip(status.kind, first),
        isWarning: isWaiting,
      },
      showCommand,
      [first.key],
    );
  }

  private async tell(
    event: AttentionEvent,
    { isFocused, isVisible }: { readonly isFocused: boolean; readonly isVisible: boolean },
  ): Promise<void> {
    const { settings, pages } = this.options;
    if (!isWanted(settings.get(`notifications.${event.kind}`), isFocused)) return;
    if (settings.get('notifications.sound')) pages.postToLastUsed({ type: 'playSound' });
    if (!isFocused && (await this.tellSystem(event))) return;
    // A visible page shows what happened as soon as the user returns to the window.
    if (!isVisible) await this.tellWindow(event);
  }

  private async tellSystem(event: AttentionEvent): Promise<boolean> {
    const { key, agentName, title } = event.session;
    const notice = { title: eventTitle(event.kind, agentName), body: title };
    const onClick = () => void this.show(key);
    const shown = (await this.byPage.show(notice, onClick)) ?? (await this.options.osNotifier?.show(notice, onClick));
    if (!shown) return false;
    this.withdraw(key);
    this.notices.set(key, { kind: event.kind, notice: shown });
    // The session may have changed while the notification appeared.
    this.updates.request();
    return true;
  }

  private withdraw(key: SessionKey): void {
    this.notices.get(key)?.notice.dispose();
    this.notices.delete(key);
  }

  private async tellWindow({ kind, session }: AttentionEvent): Promise<void> {
    const sentence = eventSentence(kind, session);
    const show = l10n.t('Show');
    const shown = { request: showWarning, turnEnd: showInformation, failure: showError }[kind](sentence, show);
    if ((await shown) === show) await this.show(session.key);
  }

  /** Shows a session, and its request if there is one. A notification may be older than what it reports, so the request may have its answer already. */
  async show(key: SessionKey): Promise<void> {
    const { pool, pages } = this.options;
    const session = pool.sessions.find((one) => one.key === key);
    if (!session) {
      void showInformation(l10n.t('This session is closed.'));
      return;
    }
    await pages.withSession(key, (page) => {
      page.post(session.openRequests > 0 ? { type: 'focusRequest' } : { type: 'focusComposer' });
    });
  }

  private forgetAll(): void {
    for (const listener of this.listeners.values()) listener.dispose();
    this.listeners.clear();
    for (const key of [...this.notices.keys()]) this.withdraw(key);
  }
}
