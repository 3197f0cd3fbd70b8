import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../shared/values/assert';
import { Disposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import type { HunkWish } from '../../shared/changes/reviewPage';
import type {
  FromTriesPage,
  PageDifferences,
  PagePair,
  PageSide,
  PageTry,
  ToTriesPage,
  TriesReport,
} from '../../shared/changes/triesPage';
import { differenceWith, pageDifferences, unrelatedDifferences, type ComparedSide } from '../../tries/pageDifferences';
import { sideOfBase, sideOfTry } from '../../tries/triedFiles';
import { filesOfTries, triesReport, type TryFiles } from '../../tries/triesReport';
import { startOf, tryNames, type Try, type TryGroup } from '../../tries/tryGroup';
import type { Act } from '../base/actions';
import { Coalesced } from '../base/coalesce';
import { pageHtml, pageRoots } from '../pages/pageHtml';
import { plainTabIcon } from '../pages/tabLook';
import { plainTitle } from '../ui/labels';
import { tellFailure } from '../ui/reported';
import { cleanUpTries, listTries, type CleanUpList } from './cleanUpTries';
import type { TryStore } from './tryStore';
import type { TryTaker } from './tryTaker';

/** How long after a change the worktrees are compared again, in milliseconds. */
const settleMs = 500;

/** What a comparison page shows and does. */
export interface TriesPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly store: TryStore;
  /** Returns the names of the user's agents and sessions. */
  readonly knownAgents: () => readonly string[];
  /** Fires when tries change files, work, or are checked. */
  readonly onDidChangeTries: Event<void>;
  readonly stateOf: (session: SessionKey) => PageTry['state'];
  readonly isChecking: (session: SessionKey) => boolean;
  readonly check: (session: SessionKey) => void;
  /** Loads what takes changes of tries. */
  readonly taker: () => Promise<TryTaker>;
  /** Shows a session, which is opened if it isn't. */
  readonly openSession: (session: SessionKey) => Promise<void>;
  /** Closes a session whose worktree is removed. */
  readonly end: (session: SessionKey) => void;
  readonly act: Act<'openChat' | 'openReview'>;
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
  /** What each try changed when the worktrees were compared last, and the task as it was then. */
  private files: readonly TryFiles[] = [];
  private shown: TryGroup | undefined;
  /** The list of what would be lost that the page has. */
  private listed: CleanUpList | undefined;
  private listStamp = 0;
  readonly onDidClose = this.closed.event;

  constructor(panel: vscode.WebviewPanel, services: TriesPanelServices, id: string) {
    super();
    this.services = services;
    this.id = id;
    this.panel = panel;
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

  /** Closes the tab. One that is open when Parley stops comes back after the window has reloaded. */
  close(): void {
    this.panel.dispose();
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
      case 'take':
      case 'takeDifference':
      case 'undoFile':
      case 'cleanUp':
      case 'removeTries': {
        let words = '';
        try {
          words = await this.act(message);
        } finally {
          this.post({ type: 'done', words });
        }
        return;
      }
      case 'review':
        await this.services.act('openReview', {});
        return;
      case 'openBoth':
        await this.openBoth(message.pair);
        return;
      case 'openSession':
        await this.services.openSession(message.session);
        return;
      case 'check':
        for (const { session } of this.group?.tries ?? []) this.services.check(session);
        return;
      case 'returnToChat':
        await this.services.act('openChat');
        return;
      default:
        assertNever(message);
    }
  }

  /** Takes, undoes, or cleans up. Resolves to what happened, in words. */
  private async act(
    message: Extract<FromTriesPage, { type: 'take' | 'takeDifference' | 'undoFile' | 'cleanUp' | 'removeTries' }>,
  ): Promise<string> {
    const taker = await this.services.taker();
    const { group } = this;
    if (!group) return '';
    if (message.type === 'cleanUp') {
      await this.listToCleanUp(group);
      return '';
    }
    if (message.type === 'removeTries') return this.removeTries(group, message);
    if (message.type === 'takeDifference') return this.takeDifference(message);
    const one = this.tryOf(message.session);
    if (!one) return '';
    const name = this.nameOf(one);
    if (message.type === 'undoFile') {
      await taker.undo(one, group.from, message.path);
      return l10n.t('Undid {0} from {1}', message.path, name);
    }
    const files = await filesOfTries({ ...group, tries: [one] });
    const found = files.flatMap((list) => ('problem' in list ? [] : list));
    const wanted = message.path === undefined ? found : found.filter(({ path }) => path === message.path);
    const count = await taker.take(
      one,
      wanted.map(({ path }) => ({ path })),
    );
    return this.tookWords(count, name);
  }

  /** Shows what would be lost. A task without worktrees is forgotten: the user has removed them elsewhere. */
  private async listToCleanUp(group: TryGroup, problems?: ReadonlyMap<SessionKey, string>): Promise<void> {
    const list = await listTries(group, await this.reportNow(group), problems);
    if (list.tries.length === 0) this.forget(group);
    else this.postList(list);
  }

  private postList(list: CleanUpList | undefined): void {
    this.listed = list;
    this.listStamp++;
    this.post({ type: 'cleanUpList', stamp: this.listStamp, tries: list?.tries ?? [] });
  }

  private forget({ id }: TryGroup): void {
    this.services.store.remove(id);
    this.close();
  }

  private async removeTries(
    group: TryGroup,
    { stamp, tries, way }: Extract<FromTriesPage, { type: 'removeTries' }>,
  ): Promise<string> {
    const { store, end } = this.services;
    if (!this.listed || stamp !== this.listStamp) {
      await this.listToCleanUp(group);
      return l10n.t('The list has just changed. Look at it again.');
    }
    const { tries: now } = await this.reportNow(group);
    const choice = { tries, keepsBranches: way === 'keepBranches', now, end };
    const problems = await cleanUpTries(group, this.listed, choice);
    const list = await listTries(group, await this.reportNow(group), problems);
    const isLeft = (key: SessionKey) => list.tries.some(({ session }) => session === key);
    // The page can't say it of a worktree that is gone.
    for (const [session, words] of problems) if (!isLeft(session)) tellFailure(words);
    if (list.tries.length === 0) {
      this.forget(group);
      return '';
    }
    const latest = store.get(group.id) ?? group;
    store.put({ ...latest, tries: latest.tries.filter(({ session }) => isLeft(session)) });
    this.postList(list.tries.some(({ problem }) => problem !== undefined) ? list : undefined);
    return [...problems.values()].join(' ');
  }

  private async takeDifference({
    pair,
    side,
    id,
    stamp,
  }: Extract<FromTriesPage, { type: 'takeDifference' }>): Promise<string> {
    const one = this.tryOf(pair[side]);
    if (!one) return '';
    const { base, left, right, from } = await this.sidesOf(pair);
    const difference = differenceWith(base, left.side, right.side, stamp, id);
    if (!difference) {
      this.update();
      return l10n.t('The file has just changed. Look at it again.');
    }
    // The other side may have renamed it.
    const isMoved = from === undefined || this.fromOf(one, pair.path) !== undefined;
    const part = {
      path: isMoved ? pair.path : from,
      changes: difference[side].changes,
      ...(from !== undefined && isMoved ? { from } : {}),
    };
    return this.tookWords(await (await this.services.taker()).take(one, [part]), this.nameOf(one));
  }

  private tookWords(count: number, name: string): string {
    if (count === 0) return l10n.t('Nothing was taken');
    return count === 1 ? l10n.t('Took 1 file from {0}', name) : l10n.t('Took {0} files from {1}', count, name);
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
    const { group } = this;
    const report = group && (await this.reportNow(group));
    const known = [...new Set(this.services.knownAgents())];
    const message: ToTriesPage = { type: 'tries', locale: vscode.env.language, known, ...(report ? { report } : {}) };
    const text = JSON.stringify(message);
    if (text !== this.sent) this.post(message);
    this.sent = text;
    if (this.wantsFocus) this.post({ type: 'focusTries' });
    this.wantsFocus = false;
  }

  /** Compares the worktrees as they are now. */
  private async reportNow(group: TryGroup): Promise<TriesReport> {
    const { stateOf, isChecking } = this.services;
    const taker = await this.services.taker();
    this.files = await filesOfTries(group);
    const tries: Try[] = [];
    for (const one of group.tries) {
      tries.push({ ...one, taken: await taker.stillTaken(one, group.from, (path) => this.fromOf(one, path)) });
    }
    this.shown = { ...group, tries };
    const state = (session: SessionKey) => ({ state: stateOf(session), isChecking: isChecking(session) });
    return triesReport(this.shown, this.files, state);
  }

  /** Returns the path of a file before a try renamed it. */
  private fromOf(one: Try, path: string): string | undefined {
    const at = this.group?.tries.findIndex(({ session }) => session === one.session) ?? -1;
    const files = this.files[at] ?? [];
    return 'problem' in files ? undefined : files.find((file) => file.path === path)?.from;
  }

  /** Reads a file of both sides, and what they started from. A side that renamed nothing has it under its old path. */
  private async sidesOf({ path, left, right }: PagePair) {
    const [one, other] = [this.tryOf(left), this.tryOf(right)];
    const from = [one, other].map((side) => side && this.fromOf(side, path)).find((old) => old !== undefined);
    const start = one ?? other;
    const base = start ? await sideOfBase(start, from ?? path) : ({ kind: 'absent' } as const);
    const sideOf = async (side: Try | undefined): Promise<ComparedSide> => {
      if (!side) return { side: base, taken: new Set() };
      const taken = side.taken.find((file) => file.path === path);
      const isMoved = from === undefined || this.fromOf(side, path) !== undefined;
      const read = await sideOfTry(side, isMoved ? path : from);
      return { side: read, taken: taken && !taken.changes ? 'all' : new Set(taken?.changes) };
    };
    return { base, from, left: await sideOf(one), right: await sideOf(other) };
  }

  private async compare(pair: PagePair, wishes: readonly HunkWish[]): Promise<PageDifferences> {
    const sides = await this.sidesOf(pair);
    const [one, other] = [this.tryOf(pair.left), this.tryOf(pair.right)];
    if (one && other && startOf(one) !== startOf(other)) {
      const start = await sideOfBase(other, sides.from ?? pair.path);
      if (JSON.stringify(start) !== JSON.stringify(sides.base)) {
        return unrelatedDifferences(sides.left.side, sides.right.side, wishes);
      }
    }
    return pageDifferences(sides.base, sides.left, sides.right, wishes);
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
    const at = group?.tries.findIndex(({ session }) => session === one.session) ?? -1;
    return (group && tryNames(group)[at]) ?? one.agentName;
  }

  private tryOf(side: PageSide): Try | undefined {
    const { group } = this;
    // What the user has undone in the meantime isn't taken.
    const { tries = [] } = (this.shown?.id === group?.id ? this.shown : undefined) ?? group ?? {};
    return tries.find(({ session }) => session === side);
  }

  private post(message: ToTriesPage): void {
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}
