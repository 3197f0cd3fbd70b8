import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../shared/assert';
import { Disposable } from '../../shared/disposable';
import { Emitter, type Event } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import { messageOf } from '../../shared/messageOf';
import type { HunkWish } from '../../shared/reviewPage';
import type { FromTriesPage, PageDifferences, PagePair, PageSide, PageTry, ToTriesPage } from '../../shared/triesPage';
import { pageDifferences, type ComparedSide } from '../../tries/pageDifferences';
import { sideOfBase, sideOfTry } from '../../tries/triedFiles';
import { filesOfTries, triesReport, tryNames } from '../../tries/triesReport';
import type { Try, TryGroup } from '../../tries/tryGroup';
import { Coalesced } from '../base/coalesce';
import { pageHtml, pageRoots } from '../pages/pageHtml';
import { plainTabIcon } from '../pages/tabLook';
import { plainTitle } from '../ui/labels';
import { tellFailure } from '../ui/reported';
import type { TryStore } from './tryStore';

/** The type of comparison pages. `package.json` uses it, too. */
export const triesPanelType = 'parley.triesPage';

/** How long after a change the worktrees are compared again, in milliseconds. */
const settleMs = 500;

/** What a comparison page shows and does. */
export interface TriesPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly store: TryStore;
  /** Fires when tries change files, work, or are checked. */
  readonly onDidChangeTries: Event<void>;
  readonly stateOf: (session: SessionKey) => PageTry['state'];
  readonly isChecking: (session: SessionKey) => boolean;
  readonly check: (session: SessionKey) => void;
  readonly report: (error: unknown) => void;
}

/** The comparison of several tries, in an editor tab. */
export class TriesPanel extends Disposable {
  private readonly services: TriesPanelServices;
  private readonly id: string;
  private readonly panel: vscode.WebviewPanel;
  private readonly closed = this.register(new Emitter<void>());
  private isReady = false;
  private wantsFocus = false;
  /** The comparison of the worktrees that is under way, and whether it has to be done again. */
  private reading = false;
  private isStale = false;
  private sent = '';
  readonly onDidClose = this.closed.event;

  constructor(panel: vscode.WebviewPanel, services: TriesPanelServices, id: string) {
    super();
    this.services = services;
    this.id = id;
    this.panel = this.register(panel);
    const { extensionUri, store } = services;
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    panel.iconPath = plainTabIcon(extensionUri);
    panel.title = this.title;
    this.register(
      panel.onDidDispose(() => {
        this.closed.fire();
        this.dispose();
      }),
    );
    const soon = this.register(new Coalesced(() => this.update(), settleMs));
    this.register(store.onDidChange(() => soon.request()));
    this.register(services.onDidChangeTries(() => soon.request()));
    this.register(panel.onDidChangeViewState(() => panel.visible && this.isStale && soon.request()));
    this.register(panel.webview.onDidReceiveMessage((message: FromTriesPage) => this.receive(message)));
    panel.webview.html = pageHtml(panel.webview, extensionUri, 'editor', 'tries', JSON.stringify({ group: id }));
  }

  /** Shows the page and gives it the keyboard focus. */
  reveal(): void {
    this.panel.reveal();
    if (this.isReady) this.post({ type: 'focusTries' });
    else this.wantsFocus = true;
  }

  private get group(): TryGroup | undefined {
    return this.services.store.get(this.id);
  }

  private get title(): string {
    const { message = '' } = this.group ?? {};
    return plainTitle(l10n.t('Compare: {0}', message.trim().split('\n', 1)[0] ?? ''));
  }

  private receive(message: FromTriesPage): void {
    void this.handle(message).catch((error: unknown) => {
      this.services.report(error);
      tellFailure(messageOf(error));
    });
  }

  private async handle(message: FromTriesPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        await this.services.store.ready;
        this.panel.title = this.title;
        this.sent = '';
        this.update();
        return;
      case 'compare':
        this.post({
          type: 'differences',
          pair: message.pair,
          content: await this.compare(message.pair, message.wishes),
        });
        return;
      case 'openBoth':
        await this.openBoth(message.pair);
        return;
      case 'openSession':
        await vscode.commands.executeCommand('parley.showSession', message.session);
        return;
      case 'check':
        for (const { session } of this.group?.tries ?? []) this.services.check(session);
        return;
      case 'returnToChat':
        await vscode.commands.executeCommand('parley.openChat');
        return;
      default:
        assertNever(message);
    }
  }

  /** Reads all worktrees, one reading at a time, and shows what changed. */
  private update(): void {
    if (this.isDisposed || !this.isReady) return;
    this.isStale = true;
    if (this.reading || !this.panel.visible) return;
    this.reading = true;
    void this.read()
      .catch(this.services.report)
      .finally(() => {
        this.reading = false;
        if (this.isStale) this.update();
      });
  }

  private async read(): Promise<void> {
    this.isStale = false;
    const before = this.group;
    const files = before ? await filesOfTries(before) : [];
    const { group } = this;
    const isSame = group && group.tries.length === before?.tries.length;
    const { stateOf, isChecking } = this.services;
    const report = isSame
      ? triesReport(group, files, (session) => ({ state: stateOf(session), isChecking: isChecking(session) }))
      : undefined;
    const message: ToTriesPage = { type: 'tries', locale: vscode.env.language, ...(report ? { report } : {}) };
    const text = JSON.stringify(message);
    if (text !== this.sent) this.post(message);
    this.sent = text;
    if (this.wantsFocus) this.post({ type: 'focusTries' });
    this.wantsFocus = false;
  }

  private async compare({ path, left, right }: PagePair, wishes: readonly HunkWish[]): Promise<PageDifferences> {
    const [from, to] = [this.tryOf(left), this.tryOf(right)];
    const start = from ?? to;
    if (!start) return { kind: 'words', words: l10n.t('The two sides don’t differ.') };
    const base = await sideOfBase(start, path);
    if (from && to && from.base !== to.base) {
      const other = await sideOfBase(to, path);
      if (JSON.stringify(base) !== JSON.stringify(other)) {
        return {
          kind: 'words',
          words: l10n.t('The tries started from different versions of this file. Compare each with its start.'),
        };
      }
    }
    const sideOf = async (one: Try | undefined): Promise<ComparedSide> => {
      if (!one) return { side: base, taken: new Set() };
      const taken = one.taken.find((file) => file.path === path);
      return { side: await sideOfTry(one, path), taken: taken && !taken.changes ? 'all' : new Set(taken?.changes) };
    };
    return pageDifferences(base, await sideOf(from), await sideOf(to), wishes);
  }

  private async openBoth({ path, left, right }: PagePair): Promise<void> {
    const [from, to] = [this.tryOf(left), this.tryOf(right)];
    const uriOf = (one: Try) => vscode.Uri.file(join(one.path, path));
    if (from && to) {
      const title = plainTitle(`${path} (${this.nameOf(from)} ↔ ${this.nameOf(to)})`);
      await vscode.commands.executeCommand('vscode.diff', uriOf(from), uriOf(to), title);
      return;
    }
    const one = from ?? to;
    if (one) await vscode.window.showTextDocument(uriOf(one));
  }

  private nameOf(one: Try): string {
    const { group } = this;
    return group ? (tryNames(group)[group.tries.indexOf(one)] ?? one.agentName) : one.agentName;
  }

  private tryOf(side: PageSide): Try | undefined {
    return this.group?.tries.find(({ session }) => session === side);
  }

  private post(message: ToTriesPage): void {
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}
