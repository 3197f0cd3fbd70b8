import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DraftComment } from '../../../review/comments/draftComment';
import { fileOfSide } from '../../../review/files/diskSide';
import type { HunkId } from '../../../review/hunks/hunk';
import { stampOf } from '../../../review/hunks/reviewHunks';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { ReviewRound, RoundNews } from '../../../review/shown/reviewRound';
import { assertNever } from '../../../shared/values/assert';
import { Disposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import { messageOf } from '../../../shared/values/messageOf';
import type { SessionKey } from '../../../shared/values/ids';
import type {
  FromReviewPage,
  PageComment,
  ReviewPageScope,
  SeenChange,
  ToReviewPage,
} from '../../../shared/changes/reviewPage';
import { agentNames, reviewTitle } from '../../../shared/changes/reviewPageWords';
import type { Act } from '../../base/actions';
import { Coalesced } from '../../base/coalesce';
import { pageHtml, pageRoots } from '../../pages/pageHtml';
import { plainTitle } from '../../ui/labels';
import { tellFailure } from '../../ui/reported';
import { traitWords } from '../shown/changeWords';
import { compareFile, openChanges, showPlace } from '../shown/showChanges';
import { lineBeside } from '../../../review/shown/changePlaces';
import { canUndoLast, reviewAgain, undoLast } from '../deciding/takeBack';
import { undoWithQuestion, type FileChanges } from '../deciding/undoWithQuestion';
import type { DiskChanges } from '../recording/diskChanges';
import type { DraftComments } from '../comments/draftComments';
import type { RedoOffers } from '../deciding/redoOffers';
import type { ReviewComments } from '../comments/reviewComments';
import { reviewContent } from './reviewContent';
import { plainTabIcon } from '../../pages/tabLook';

/** What a review page shows and changes. */
export interface ReviewPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly log: ReviewLog;
  readonly disk: DiskChanges;
  readonly redo: Pick<RedoOffers, 'offering'>;
  readonly comments: Pick<
    ReviewComments,
    'begin' | 'sendTyped' | 'addTyped' | 'sendDrafts' | 'sendOne' | 'sendTo' | 'saveEdit'
  >;
  readonly drafts: Pick<DraftComments, 'all' | 'get' | 'remove' | 'choose' | 'onDidChange'>;
  /** The turns that may be changing files now. */
  readonly turns: {
    readonly current: readonly { readonly session: { readonly key: string } }[];
    readonly onDidChange: (listener: () => void) => { dispose(): void };
  };
  /** Returns the names of the user's agents and sessions. */
  readonly knownAgents: () => readonly string[];
  /** Returns the title of a session, if it is open. */
  readonly titleOf: (scope: ReviewPageScope) => string | undefined;
  /** Returns the session in whose worktree these files are, if its changes can be brought here. */
  readonly bringable: (scope: ReviewPageScope, uris: readonly string[]) => SessionKey | undefined;
  readonly act: Act<'bringChanges' | 'commit' | 'openChat' | 'reviewWithAgent'>;
  readonly report: (error: unknown) => void;
}

/** A review page in an editor tab. Files leave it as they are decided, wherever the user does that. */
export class ReviewPanel extends Disposable {
  readonly scope: ReviewPageScope;
  private readonly services: ReviewPanelServices;
  private readonly round: ReviewRound;
  private readonly panel: vscode.WebviewPanel;
  private readonly closed = this.register(new Emitter<void>());
  private isReady = false;
  private wantsFocus = false;
  private sent = '';
  readonly onDidClose = this.closed.event;

  constructor(panel: vscode.WebviewPanel, services: ReviewPanelServices, scope: ReviewPageScope, round: ReviewRound) {
    super();
    this.services = services;
    this.scope = scope;
    this.round = round;
    this.panel = panel;
    const { extensionUri, log, turns, drafts } = services;
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    panel.iconPath = plainTabIcon(extensionUri);
    this.register(
      panel.onDidDispose(() => {
        this.closed.fire();
        this.dispose();
      }),
    );
    const soon = this.register(new Coalesced(() => this.update()));
    this.register(log.onDidChange(() => soon.request()));
    this.register(turns.onDidChange(() => soon.request()));
    this.register(drafts.onDidChange(() => this.showComments()));
    this.register(panel.webview.onDidReceiveMessage((message: FromReviewPage) => this.receive(message)));
    this.update();
    panel.webview.html = pageHtml(panel.webview, extensionUri, 'editor', 'review', JSON.stringify(scope));
  }

  /** Closes the tab. One that is open when Parley stops comes back after the window has reloaded. */
  close(): void {
    this.panel.dispose();
  }

  /** Shows the page and gives it the keyboard focus. */
  reveal(): void {
    this.panel.reveal();
    if (this.isReady) this.post({ type: 'focusReview' });
    else this.wantsFocus = true;
  }

  private receive(message: FromReviewPage): void {
    void this.handle(message).catch((error: unknown) => {
      this.services.report(error);
      tellFailure(messageOf(error));
    });
  }

  private async handle(message: FromReviewPage): Promise<void> {
    const { log, disk, comments, act } = this.services;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.update();
        this.send(this.round.all, true);
        this.showComments();
        if (this.wantsFocus) this.post({ type: 'focusReview' });
        this.wantsFocus = false;
        return;
      case 'readFile': {
        const { uri, wishes } = message;
        const revision = this.round.file(uri)?.revision;
        if (revision === undefined) return;
        const content = await reviewContent(log, disk.bases, uri, this.round.idsOf(uri), wishes);
        this.post({ type: 'reviewContent', uri, revision, content });
        return;
      }
      case 'decide':
        try {
          await this.decide(message.action, message.changes);
        } finally {
          this.post({ type: 'decided' });
        }
        return;
      case 'reviewAgain':
        await reviewAgain(log, disk, message.uri);
        return;
      case 'undoLast':
        await undoLast(log, disk);
        return;
      case 'beginComment':
        comments.begin(message.uri, message.id);
        return;
      case 'comment': {
        const { uri, id, text } = message;
        let isSent = false;
        try {
          isSent = await comments.sendTyped(uri, id, text);
        } finally {
          this.post({ type: 'commentSent', uri, id, isSent });
        }
        return;
      }
      case 'addDraft': {
        const { uri, id, text } = message;
        this.post({ type: 'commentSent', uri, id, isSent: comments.addTyped(uri, id, text), isDraft: true });
        return;
      }
      case 'sendDrafts':
        await comments.sendDrafts();
        return;
      case 'editComment': {
        const { comment, uri, id, text } = message;
        const isSaved = comments.saveEdit(comment, text) || comments.addTyped(uri, id, text);
        this.post({ type: 'commentEdited', comment, isSaved });
        return;
      }
      case 'deleteDraft':
        this.services.drafts.remove(message.comment);
        return;
      case 'sendComment':
        await comments.sendOne(message.comment);
        return;
      case 'sendCommentTo':
        await comments.sendTo(message.comment);
        return;
      case 'openComment':
        await this.openComment(message.comment);
        return;
      case 'chooseRemark':
        this.services.drafts.choose(message.comment, message.isChosen);
        return;
      case 'askReviewer':
        await act('reviewWithAgent', this.scope);
        return;
      case 'openFile':
        await this.open(message.uri, message.id);
        return;
      case 'openDiff':
        await compareFile(log, message.uri);
        return;
      case 'openMultiDiff':
        this.update();
        await openChanges(log, this.round.uris);
        return;
      case 'commit':
        await act('commit', this.scope.session, this.scope.turn);
        return;
      case 'bringChanges':
        await act('bringChanges', this.bringable);
        return;
      case 'returnToChat':
        await act('openChat');
        return;
      default:
        assertNever(message);
    }
  }

  /** Decides what hasn't changed since the page showed it. Shows the rest again. */
  private async decide(action: 'keep' | 'undo', seen: readonly SeenChange[]): Promise<void> {
    const { log, disk } = this.services;
    // The log may have changes that the page doesn't show yet.
    this.update();
    const asSeen = seen.flatMap((one) => this.idsAsSeen(one));
    const changed = seen.filter(({ uri }) => !asSeen.some((one) => one.uri === uri)).map(({ uri }) => uri);
    if (changed.length > 0) this.post({ type: 'reviewChanged', uris: [...new Set(changed)] });
    if (asSeen.length === 0) return;
    if (action === 'keep') log.keepEach(asSeen.map(({ uri, ids }) => [uri, ids]));
    else {
      const undo = () => undoWithQuestion(log, disk, asSeen);
      const isAll = asSeen.length === this.round.uris.length && !seen.some(({ hunk }) => hunk);
      await (isAll ? this.services.redo.offering(undo) : undo());
    }
    this.update();
  }

  private idsAsSeen({ uri, revision, hunk }: SeenChange): FileChanges[] {
    const file = this.services.log.file(uri);
    const ids = this.round.idsOf(uri);
    if (!file || ids.length === 0) return [];
    if (!hunk) return this.round.file(uri)?.revision === revision ? [{ uri, ids }] : [];
    const id = ids.find((one) => one === hunk.id);
    return id !== undefined && this.stampNow(uri, id) === hunk.stamp ? [{ uri, ids: [id] }] : [];
  }

  private stampNow(uri: string, id: HunkId): string | undefined {
    const file = this.services.log.file(uri);
    const hunk = file?.hunks.find((one) => one.id === id);
    if (file && hunk) return stampOf(file.snapshot.text, hunk);
    const trait = file?.traitChanges.find((one) => one.id === id);
    return trait && traitWords(trait);
  }

  private async open(uri: string, id: string | undefined): Promise<void> {
    const { log } = this.services;
    const hunk = log.file(uri)?.hunks.find((one) => one.id === id) ?? log.file(uri)?.hunks[0];
    await showPlace(log, { uri, line: hunk ? lineBeside(hunk) : 0, ids: hunk ? [hunk.id] : this.round.idsOf(uri) });
  }

  private async openComment(id: string): Promise<void> {
    const comment = this.services.drafts.get(id);
    if (!comment || comment.uri === '') return;
    const { uri, line } = comment;
    await showPlace(this.services.log, { uri, line, ids: this.round.idsOf(uri) });
  }

  private update(): void {
    if (this.isDisposed) return;
    const news = this.round.update();
    this.send(news, false);
    const { left, total, agents } = this.counts;
    const subject = this.services.titleOf(this.scope) ?? agentNames(agents);
    this.panel.title = plainTitle(left === 0 ? l10n.t('Review: {0}', subject) : reviewTitle(agents, left, total));
  }

  private send(news: RoundNews, isFresh: boolean): void {
    if (!this.isReady) return;
    const { log, disk } = this.services;
    const title = this.services.titleOf(this.scope);
    const head = {
      agents: this.round.agents,
      known: [...new Set(this.services.knownAgents())],
      ...(title === undefined ? {} : { title }),
      isWriting: this.isWriting,
      canUndoLast: canUndoLast(log, disk),
      ...(this.bringable === undefined ? {} : { canBring: true as const }),
    };
    const text = JSON.stringify(head);
    const isSame = text === this.sent && news.changed.length + news.decided.length + news.gone.length === 0;
    if (isSame && !isFresh) return;
    this.sent = text;
    this.post({ type: 'review', isFresh, ...head, ...news });
  }

  private showComments(): void {
    if (!this.isReady) return;
    this.post({ type: 'comments', comments: this.services.drafts.all.map(pageComment) });
  }

  private get bringable(): SessionKey | undefined {
    const { changed, decided } = this.round.all;
    const uris = [...changed, ...decided].map(({ uri }) => uri);
    return this.services.bringable(this.scope, uris);
  }

  private get counts() {
    const left = this.round.uris.length;
    return { left, total: left + this.round.all.decided.length, agents: this.round.agents };
  }

  private get isWriting(): boolean {
    const { session } = this.scope;
    return this.services.turns.current.some((turn) => session === undefined || turn.session.key === session);
  }

  private post(message: ToReviewPage): void {
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}

function pageComment(comment: DraftComment): PageComment {
  const { id, uri, hunk, line, text, sentTo, isOutdated = false, isHeld, remark, authors, replyTo } = comment;
  const target = authors.findLast((author) => author.kind === 'agent')?.agentName ?? '';
  return {
    id,
    uri,
    path:
      uri === '' ? (remark?.written ?? '') : vscode.workspace.asRelativePath(vscode.Uri.parse(fileOfSide(uri)), false),
    hunk,
    line: line + 1,
    text,
    state: sentTo === undefined ? { kind: 'draft' } : { kind: 'sent', agentName: sentTo },
    isOutdated,
    target,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(isHeld ? { isHeld } : {}),
    ...(remark && { remark: { agentName: remark.agentName, isChosen: remark.isChosen } }),
  };
}
