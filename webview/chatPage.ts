import * as l10n from '@vscode/l10n';
import { Disposable } from '../src/shared/values/disposable';
import type { PageState, ToolDetail, ToWebview } from '../src/shared/pages/messages';
import type { TranscriptOp } from '../src/shared/transcript/ops';
import type { RedoOffer } from '../src/shared/changes/review';
import { undidWords } from '../src/shared/changes/reviewWords';
import { DropHint } from './base/dropHint';
import { FocusReport } from './state/focusReport';
import { distinguishAgents } from './base/monogram';
import { PageNotifications } from './base/pageNotifications';
import { playSound } from './base/sound';
import { loadToolkit } from './controls/controls';
import { chordOf, isReplyChord } from './entries/request/answerKey';
import { createLayout, type Layout } from './layout';
import { Find } from './find/find';
import type { FindTarget } from './find/findWidget';
import { AnswerKeys } from './keys/answerKeys';
import { EscapeKey } from './keys/escapeKey';
import { KeyList } from './keys/keyList';
import { ModeNews } from './composer/modeNews';
import { PageComposer } from './composer/pageComposer';
import { PageRequests } from './feed/pageRequests';
import { PageFrame } from './pageFrame';
import { SessionsView } from './sessions/sessionsView';
import { SharedContext } from './sharedContext';
import { UnreadSessions } from './header/unreadSessions';
import { detailName } from './header/detailMenu';
import { TranscriptList } from './feed/transcriptList';
import { Trimmer } from './feed/trimmer';
import { isBusy, TurnNews } from './feed/news/turnNews';

/**
 * The chat page: passes the host's messages to its parts, displays its state, and sends the user's actions back. The transcript is updated
 * op by op; everything around it is small and rendered at most once per frame.
 */
export class ChatPage extends Disposable {
  readonly input: PageComposer;
  readonly list: TranscriptList;
  readonly requests: PageRequests;
  readonly sessionsView: SessionsView;
  readonly unread = new UnreadSessions();
  private readonly context: SharedContext;
  private readonly layout: Layout;
  private readonly frame: PageFrame;
  private readonly find: Find;
  private readonly notifications: PageNotifications;
  private readonly focus: FocusReport;
  private readonly trimmer: Trimmer;
  private readonly news = new TurnNews();
  private readonly modes = new ModeNews();
  /** The level of detail that the transcript shows. */
  private detail: ToolDetail | undefined;
  /** Whether the changes of the active session can be brought here. */
  private canBring = false;
  private redo: RedoOffer | undefined;
  /** Whether the host has sent the page's state. */
  private hasState = false;
  /** Whether this page has shown a transcript since it was created. */
  private hasShown = false;

  constructor(root: HTMLElement) {
    super();
    this.layout = createLayout(root);
    const { layout } = this;
    this.context = this.register(new SharedContext(root, layout.speech, () => this.input));
    const { context } = this;
    this.notifications = new PageNotifications((message) => context.post(message));
    this.frame = this.register(new PageFrame(layout, context, this));
    this.register(context.onDidWantChanges(() => this.frame.showChanges()));
    this.sessionsView = this.createSessionsView();
    this.input = new PageComposer(layout.composer, context, {
      sending: () => this.sending(),
      draftChanged: () => this.frame.draftChanged(),
      goUp: () => this.focusAboveComposer(),
    });
    this.list = new TranscriptList(layout.feed, context);
    this.requests = this.register(new PageRequests(layout.feed, this.list, () => this.frame.drawSoon()));
    this.trimmer = new Trimmer(context.state, this.list);
    const toMessage = () => this.input.composer.focus();
    this.find = this.register(
      new Find(
        layout.middle,
        this.findTarget(toMessage),
        () => context.transcript !== undefined && !this.sessionsView.coversSession,
      ),
    );
    this.register(new EscapeKey(layout.composer, toMessage, () => this.stopTurn()));
    this.register(
      new AnswerKeys({
        isFree: (event, field) => {
          const { composer } = this.input;
          // In an empty message, the key that allows can mean nothing else, however short ago the last one was sent.
          if (chordOf(event) === 'allow') return composer.isBlank(field);
          return composer.isIdle(field) || (isReplyChord(event) && composer.isText(field));
        },
        answer: (event, isInMessage) => {
          if (!this.sessionsView.coversSession) this.list.answerByKey(event, isInMessage);
        },
      }),
    );
    this.register(new KeyList(root, () => context.post({ type: 'showKeys' })));
    this.register(new DropHint(root));
    this.focus = new FocusReport((message) => context.post(message));
    this.listen();
  }

  /** Tells the host that the page is ready. A recreated page has no transcript, whatever it showed before. */
  start(): void {
    const session = this.context.memory.shownSession;
    this.context.post({ type: 'ready', ...(session === undefined ? {} : { session }), rev: 0 });
    this.focus.restart();
    void loadToolkit((reason) => this.reportError(`Toolkit not loaded: ${String(reason)}`)).then(() => {
      this.input.composer.reform();
      this.frame.drawSoon();
    });
  }

  /** Reports an error of the page, which nobody handled. */
  reportError(message: string): void {
    this.context.post({ type: 'pageError', message });
  }

  private sending(): void {
    const view = this.context.transcript?.view;
    // During a turn, it is queued unless the agent takes it at once.
    if (view && (view.sendsAtOnce === true || !isBusy(view.activity))) this.list.own.expectMessage();
  }

  /** Moves the focus to the newest entry, or on the start page to its last button. */
  private focusAboveComposer(): void {
    if (this.list.navigation.focusNewest()) return;
    [...this.layout.start.querySelectorAll('button')].at(-1)?.focus();
  }

  private findTarget(focusComposer: () => void): FindTarget {
    const { list } = this;
    const order = () => this.context.state.transcript?.order ?? [];
    return {
      feed: this.layout.feed,
      get order() {
        return order();
      },
      get current() {
        return list.navigation.current;
      },
      elementOf: (id) => list.elementOf(id),
      reveal: (id) => list.navigation.reveal(id),
      stay: () => list.stay(),
      search: (id, query) => this.context.postInSession((session) => ({ type: 'findInSession', session, id, query })),
      announce: (sentence) => this.context.announce(sentence),
      focusComposer,
    };
  }

  private createSessionsView(): SessionsView {
    const { sessions, top, middle, dock } = this.layout;
    const page = () => this.context.page;
    return new SessionsView(sessions, [top, middle, dock], {
      get page() {
        return page();
      },
      unread: this.unread.all,
      post: (message) => this.context.post(message),
      announce: (sentence) => this.context.announce(sentence),
      focusComposer: () => this.input.composer.focus(),
      changed: (isOpen) => {
        this.context.memory.setShowsSessions(isOpen);
        this.frame.drawSoon();
      },
    });
  }

  private stopTurn(): void {
    if (this.sessionsView.coversSession) {
      this.sessionsView.close();
      return;
    }
    const { session, transcript } = this.context;
    if (session === '' || !transcript || !isBusy(transcript.view.activity)) return;
    this.context.post({ type: 'cancelTurn', session });
  }

  private listen(): void {
    this.register(this.context.messenger.onDidReceive((message) => this.take(message)));
    this.register(this.context.state.onDidChangePage((page) => this.onPage(page)));
    this.register(this.context.state.onDidShow(() => this.onShow()));
    this.register(this.context.state.onDidApply((ops) => this.onOps(ops)));
    this.register(this.context.state.onDidChangeFiles(() => this.onFiles()));
    this.register(
      this.context.restores.onDidChange(({ session, entry }) => {
        if (entry === undefined && session === this.context.session) this.list.redrawTurnEnds();
      }),
    );
    this.register(
      this.context.state.onDidGetOlder(({ entries, omitted }) => {
        this.list.older(entries, omitted);
        this.requests.reset(this.context.transcript);
        this.requests.look();
      }),
    );
    const readPlace = () => this.list.place.now;
    this.register(
      this.list.onDidPlace(({ atEnd }) => {
        if (!atEnd || !this.context.memory.scrollPlace.atEnd) this.context.memory.noteScroll(readPlace);
        if (atEnd) this.trimmer.lookSoon();
      }),
    );
    // A drop on a link or a text must not open it in the page.
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      this.sessionsView.uncover();
      this.input.composer.drop(event);
    });
    // The last chance to save typed text, because a hidden page may be discarded at any time.
    window.addEventListener('pagehide', () => this.context.memory.flush());
    document.addEventListener('visibilitychange', () => this.context.memory.flush());
  }

  private take(message: ToWebview): void {
    if (isForSight(message)) this.uncover();
    switch (message.type) {
      case 'focusRequest':
        this.requests.focus();
        return;
      case 'playSound':
        void playSound();
        return;
      case 'notify':
        this.notifications.show(message.id, message.title, message.body);
        return;
      case 'withdrawNotification':
        this.notifications.withdraw(message.id);
        return;
      case 'revealEntry':
        if (message.session !== this.context.state.session) return;
        if (message.isPreview) this.list.navigation.preview(message.entry);
        else this.list.navigation.goTo(message.entry);
        return;
      case 'endPreview':
        if (message.session === this.context.state.session) this.list.navigation.endPreview();
        return;
      case 'openRestore':
        if (message.session === this.context.state.session) {
          this.list.navigation.openForm(message.entry, message.mode, message.keepsFiles === true);
        }
        return;
      case 'openFind':
        this.find.open();
        return;
      case 'foundInSession':
        if (message.session === this.context.state.session) this.find.take(message.id, message.found);
        return;
      case 'stepTurn':
        this.list.navigation.stepTurn(message.by);
        return;
      case 'foundPaths':
        if (message.session === this.context.state.session) this.list.paths.answer(message.asked, message.found);
        return;
      case 'slept':
        this.list.slept(message.ms);
        return;
      case 'usageOf':
        this.frame.usage.receive(message);
        return;
      case 'recentSessions':
        this.frame.takeRecent(message);
        return;
      case 'asideOf':
        this.frame.takeAside(message.session, message.aside);
        return;
      case 'contextOf':
        this.frame.usage.receiveContext(message);
        return;
      case 'filesAppeared':
        this.list.paths.lookAgain(message.names);
        return;
      default:
        if (this.sessionsView.take(message)) return;
        if (this.input.take(message) || this.context.restores.take(message) || this.context.ruleOffers.take(message))
          return;
        if (!this.context.attachmentPreview.take(message)) this.context.state.take(message);
    }
  }

  /** Closes the list of sessions and dialogs that cover the session. */
  private uncover(): void {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
    this.sessionsView.uncover();
  }

  private onPage(page: PageState): void {
    document.documentElement.lang = page.locale;
    if (this.detail !== undefined && this.detail !== page.toolDetail) {
      this.list.detailChanged();
      this.context.announce(l10n.t('Tool detail: {0}', detailName(page.toolDetail)));
    }
    this.detail = page.toolDetail;
    const canBring = page.sessions.find(({ session }) => session === page.active)?.folder?.canBring === true;
    if (this.canBring !== canBring) this.list.redrawTurnEnds();
    this.canBring = canBring;
    const own = [...page.agents.map(({ name }) => name), ...page.sessions.map(({ agentName }) => agentName)];
    const offered = (page.offers ?? []).map(({ name }) => name);
    this.context.memory.setMonograms(distinguishAgents(own, offered, this.context.memory.monograms));
    this.unread.follow(page.sessions, page.active);
    const isFirst = !this.hasState;
    this.hasState = true;
    this.sessionsView.pageChanged();
    if (isFirst && this.context.memory.showsSessions) this.sessionsView.show(false);
    this.input.switchTo(page.active, page.sessions);
    this.frame.draw();
  }

  private onFiles(): void {
    const { changedPaths, state } = this.context;
    const paths = state.files.map(({ path }) => path);
    changedPaths.set(paths, state.transcript?.view.cwd ?? '');
    const { redo } = state;
    if (redo && (redo.turn !== this.redo?.turn || redo.files !== this.redo.files))
      this.context.announce(undidWords(redo.files));
    this.redo = redo;
    this.list.changesReviewed();
    this.frame.drawSoon();
  }

  private onShow(): void {
    const shown = this.context.state.transcript;
    const session = this.context.state.session;
    const isSame = this.context.memory.show(
      session,
      shown?.view.sessionId ?? '',
      this.context.page.sessions.length > 0,
    );
    const place = this.context.memory.scrollPlace;
    this.input.switchTo(session, this.context.page.sessions);
    if (shown) this.input.adopt(shown, this.context.page.sessions);
    this.requests.reset(shown);
    this.frame.plans.reset();
    this.news.reset(shown);
    this.modes.reset(shown);
    this.frame.draw();
    if (shown && session !== '') {
      if (shown.view.canAskAside) this.context.post({ type: 'fetchAside', session });
      const isFirst = !this.hasShown;
      this.hasShown = true;
      this.list.show(session, shown, this.context.state.omitted);
      // Later, the list itself tracks the reader's place.
      if (isSame && isFirst) this.list.place.restore(place);
    } else {
      this.list.clear();
    }
    this.find.reset();
    this.requests.look();
  }

  private onOps(ops: readonly TranscriptOp[]): void {
    const { transcript } = this.context.state;
    if (!transcript) return;
    // The feed must be busy before anything is drawn in it; the rest of the page updates only with the next frame.
    if (isBusy(transcript.view.activity)) this.layout.feed.setAttribute('aria-busy', 'true');
    this.list.changed(ops);
    this.find.changed();
    this.trimmer.lookSoon();
    const sentence = this.news.follow(transcript, ops);
    if (sentence !== undefined) this.context.announce(sentence);
    const mode = this.modes.follow(transcript);
    if (mode !== undefined && !isPicking()) this.context.announce(mode);
    this.requests.follow(transcript, ops);
    if (!ops.some((op) => op.op === 'view' || op.op === 'insert')) return;
    this.context.memory.noteSessionId(transcript.view.sessionId);
    this.frame.drawSoon();
  }
}

/** Returns whether the focus is in a picker, which says its value itself. */
function isPicking(): boolean {
  return document.activeElement?.matches('select, vscode-dropdown, pl-picker *') === true;
}

/** Returns whether the user asked for what a message shows in the session. */
function isForSight(message: ToWebview): boolean {
  switch (message.type) {
    case 'addDraft':
    case 'attach':
    case 'focusComposer':
    case 'focusRequest':
    case 'openFind':
    case 'openRestore':
    case 'revealEntry':
    case 'stepTurn':
    case 'uncoverSession':
      return true;
    case 'tookPrompt':
      // With an id, it is an answer to the page.
      return message.id === undefined;
    default:
      return false;
  }
}
