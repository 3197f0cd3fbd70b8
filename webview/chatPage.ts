import * as l10n from '@vscode/l10n';
import { html, nothing, render } from 'lit-html';
import type { Attachment } from '../src/shared/content';
import { Disposable } from '../src/shared/disposable';
import { tourAgentId, type SessionKey } from '../src/shared/ids';
import type { FromWebview, PageState, ToolDetail, ToWebview } from '../src/shared/messages';
import type { TranscriptOp } from '../src/shared/ops';
import type { ErrorAction, Prompt, Transcript } from '../src/shared/transcript';
import { Announcer } from './base/announcer';
import { DropHint } from './base/dropHint';
import { distinguishAgents } from './base/monogram';
import { PageNotifications } from './base/pageNotifications';
import { playSound } from './base/sound';
import { holdFocus } from './tray/changedFocus';
import type { PageContext } from './state/pageContext';
import { loadToolkit } from './controls/controls';
import { createLayout, type Layout } from './layout';
import { Memory } from './state/memory';
import { Messenger } from './state/messenger';
import { wordsOfTurn } from './tray/changesScope';
import { OpenRequests } from './feed/openRequests';
import { PlansInTray } from './tray/planStrip';
import { Find } from './find/find';
import type { FindTarget } from './find/findWidget';
import { isReplyChord } from './entries/answerKey';
import { AnswerKeys } from './keys/answerKeys';
import { EscapeKey } from './keys/escapeKey';
import { KeyList } from './keys/keyList';
import { ModeNews } from './composer/modeNews';
import { PageComposer } from './composer/pageComposer';
import { RequestsInView } from './feed/requestsInView';
import { startPage, untrustedSentence } from './startPage';
import { statusLine } from './tray/statusLine';
import { Restores } from './state/restores';
import { RuleOffers } from './state/ruleOffers';
import { Store } from './state/store';
import { SessionsList } from './header/sessionsList';
import { SessionsView } from './sessions/sessionsView';
import { UnreadSessions } from './header/unreadSessions';
import { detailName } from './header/detailMenu';
import { CoveredTabs } from './header/coveredTabs';
import { UsagePopover } from './header/usagePopover';
import { topBar } from './header/topBar';
import { TranscriptList } from './feed/transcriptList';
import { tray } from './tray/tray';
import { AttachmentPreview } from './viewer/attachmentPreview';
import { ImageViewer } from './viewer/imageViewer';
import { isBusy, TurnNews } from './feed/turnNews';

/** With more entries than this, the oldest ones leave the page. */
const maxEntries = 800;
/** How many entries stay on the page then: as many as a reload shows. */
const keptEntries = 400;

/**
 * The chat page: passes the host's messages to the store, displays its state, and sends the user's actions back. The transcript is updated
 * op by op; everything around it is small and rendered at most once per frame.
 */
export class ChatPage extends Disposable implements PageContext {
  private readonly messenger = this.register(new Messenger());
  readonly memory: Memory;
  private readonly pageStore: Store;
  private readonly layout: Layout;
  private readonly announcer: Announcer;
  private readonly list: TranscriptList;
  private readonly input: PageComposer;
  private readonly find: Find;
  readonly restores = new Restores(
    (message) => this.post(message),
    (sentence) => this.announce(sentence),
  );
  private readonly attachmentPreview: AttachmentPreview;
  readonly ruleOffers = new RuleOffers();
  private readonly notifications = new PageNotifications((message) => this.post(message));
  private readonly requests = new OpenRequests();
  private readonly requestsInView: RequestsInView;
  private readonly plans = new PlansInTray();
  private readonly news = new TurnNews();
  private readonly modes = new ModeNews();
  private readonly unread = new UnreadSessions();
  /** The start page with its agents is on screen. */
  private offersAgents = false;
  private readonly sessionsList: SessionsList;
  private readonly coveredTabs: CoveredTabs;
  private readonly usage: UsagePopover;
  private readonly sessionsView: SessionsView;
  /** The session that the page showed last. */
  private shownKey: SessionKey | '' = '';
  /** The host has asked to focus a request that isn't on screen yet. */
  private wantsRequest = false;
  private frame: number | undefined;
  private trimming: number | undefined;
  /** The host assumes that a new page doesn't have the focus. */
  private reportedFocus = false;
  /** The files with changes that wait for review, with forward slashes. */
  private changedPaths: ReadonlySet<string> = new Set();
  /** The level of detail that the transcript shows. */
  private detail: ToolDetail | undefined;
  /** Whether the host has sent the page's state. */
  private hasState = false;
  /** Whether this page has shown a transcript since it was created. */
  private hasShown = false;

  constructor(root: HTMLElement) {
    super();
    this.memory = new Memory(this.messenger.readState(), (state) => this.messenger.writeState(state));
    this.layout = createLayout(root);
    this.sessionsList = new SessionsList(this.layout.top, () => this.renderTop());
    this.coveredTabs = new CoveredTabs(this.layout.top);
    this.sessionsView = this.createSessionsView();
    this.attachmentPreview = new AttachmentPreview(root, new ImageViewer(root), (message) => this.post(message));
    this.announcer = new Announcer(this.layout.speech);
    this.pageStore = this.register(new Store((session) => this.post({ type: 'fetchSnapshot', session })));
    this.usage = new UsagePopover({
      session: () => this.pageStore.session,
      view: () => this.pageStore.transcript?.view,
      locale: () => this.page.locale,
      post: (message) => this.post(message),
    });
    this.input = new PageComposer(this.layout.composer, this);
    this.list = new TranscriptList(this.layout.feed, this);
    this.requestsInView = this.register(new RequestsInView(this.layout.feed, () => this.renderSoon()));
    const toMessage = () => this.input.composer.focus();
    this.find = this.register(
      new Find(this.layout.middle, this.findTarget(toMessage), () => this.pageStore.transcript !== undefined),
    );
    this.register(new EscapeKey(this.layout.composer, toMessage, () => this.stopTurn()));
    this.register(
      new AnswerKeys({
        isFree: (event, field) => {
          const { composer } = this.input;
          return composer.isIdle(field) || (isReplyChord(event) && composer.isText(field));
        },
        answer: (event, isInMessage) => this.list.answerByKey(event, isInMessage),
      }),
    );
    this.register(new KeyList(root, () => this.post({ type: 'showKeys' })));
    this.register(new DropHint(root));
    this.listen();
  }

  get session(): SessionKey | '' {
    return this.pageStore.session;
  }

  get transcript(): Transcript | undefined {
    return this.pageStore.transcript;
  }

  get page(): PageState {
    return this.pageStore.page;
  }

  /** Tells the host that the page is ready. A recreated page has no transcript, whatever it showed before. */
  start(): void {
    const session = this.memory.shownSession;
    this.post({ type: 'ready', ...(session === undefined ? {} : { session }), rev: 0 });
    // What was reported before counted for the document that this one replaces.
    this.reportedFocus = false;
    this.reportFocus(document.hasFocus());
    void loadToolkit((reason) =>
      this.post({ type: 'pageError', message: `Toolkit not loaded: ${String(reason)}` }),
    ).then(() => {
      this.input.composer.reform();
      this.renderSoon();
    });
  }

  post(message: FromWebview): void {
    this.messenger.post(message);
  }

  sending(): void {
    const view = this.pageStore.transcript?.view;
    // During a turn, it is queued unless the agent takes it at once.
    if (view && (view.sendsAtOnce === true || !isBusy(view.activity))) this.list.own.expectMessage();
  }

  hasChanges(path: string): boolean {
    return this.changedPaths.has(forward(path));
  }

  isExpanded(key: string): boolean | undefined {
    return this.memory.isExpanded(key);
  }

  setExpanded(key: string, open: boolean): void {
    this.memory.setExpanded(key, open);
  }

  preview(attachment: Attachment, insert?: () => void): void {
    this.attachmentPreview.open(attachment, insert);
  }

  announce(sentence: string): void {
    this.announcer.announce(sentence);
  }

  alert(sentence: string): void {
    this.announcer.alert(sentence);
  }

  get hasMessage(): boolean {
    return this.input.hasMessage;
  }

  takeMessage(): Prompt | undefined {
    return this.input.composer.take();
  }

  focusMessage(): void {
    this.input.composer.focus();
  }

  /** The start page says what happens with a message that is typed there, and a request offers to send it. */
  draftChanged(): void {
    if (this.pageStore.session === '') this.renderSoon();
    this.showTyped();
  }

  private showTyped(): void {
    this.layout.feed.toggleAttribute('data-typed', this.hasMessage);
  }

  /** Moves the focus to the newest entry, or on the start page to its last button. */
  focusAboveComposer(): void {
    if (this.list.navigation.focusNewest()) return;
    [...this.layout.start.querySelectorAll('button')].at(-1)?.focus();
  }

  private findTarget(focusComposer: () => void): FindTarget {
    const { list } = this;
    const order = () => this.pageStore.transcript?.order ?? [];
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
      search: (id, query) => this.withSession((session) => this.post({ type: 'findInSession', session, id, query })),
      announce: (sentence) => this.announce(sentence),
      focusComposer,
    };
  }

  private createSessionsView(): SessionsView {
    const { sessions, top, middle, dock } = this.layout;
    const page = () => this.page;
    return new SessionsView(sessions, [top, middle, dock], {
      get page() {
        return page();
      },
      unread: this.unread.all,
      post: (message) => this.post(message),
      announce: (sentence) => this.announce(sentence),
      focusComposer: () => this.input.composer.focus(),
      changed: (isOpen) => {
        this.memory.setShowsSessions(isOpen);
        this.renderSoon();
      },
    });
  }

  private get allowsEverything(): boolean {
    const { session } = this;
    return this.page.sessions.some((listed) => listed.session === session && listed.allowsEverything === true);
  }

  private stopTurn(): void {
    const { session, transcript } = this;
    if (session === '' || !transcript || !isBusy(transcript.view.activity)) return;
    this.post({ type: 'cancelTurn', session });
  }

  private reportFocus(hasFocus: boolean): void {
    if (this.reportedFocus === hasFocus) return;
    this.reportedFocus = hasFocus;
    this.post({ type: 'focusChanged', hasFocus });
  }

  private listen(): void {
    this.register(this.messenger.onDidReceive((message) => this.take(message)));
    this.register(this.pageStore.onDidChangePage((page) => this.onPage(page)));
    this.register(this.pageStore.onDidShow(() => this.onShow()));
    this.register(this.pageStore.onDidApply((ops) => this.onOps(ops)));
    this.register(this.pageStore.onDidChangeFiles(() => this.onFiles()));
    this.register(
      this.restores.onDidChange(({ session, entry }) => {
        if (entry === undefined && session === this.session) this.list.redrawTurnEnds();
      }),
    );
    this.register(
      this.pageStore.onDidGetOlder(({ entries, omitted }) => {
        this.list.older(entries, omitted);
        this.requests.reset(this.pageStore.transcript);
        this.lookForRequests();
      }),
    );
    const readPlace = () => this.list.place.now;
    this.register(
      this.list.onDidPlace(({ atEnd }) => {
        if (!atEnd || !this.memory.scrollPlace.atEnd) this.memory.noteScroll(readPlace);
        if (atEnd) this.trimSoon();
      }),
    );
    // A drop on a link or a text must not open it in the page.
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => this.input.composer.drop(event));
    // The last chance to save typed text, because a hidden page may be discarded at any time.
    window.addEventListener('pagehide', () => this.memory.flush());
    window.addEventListener('focus', () => this.reportFocus(true));
    window.addEventListener('blur', () => this.reportFocus(false));
    document.addEventListener('visibilitychange', () => this.memory.flush());
    // From here on, the user decides where the focus is.
    for (const event of ['pointerdown', 'keydown'] as const) {
      document.addEventListener(event, () => (this.wantsRequest = false), { capture: true });
    }
  }

  private take(message: ToWebview): void {
    switch (message.type) {
      case 'focusRequest':
        this.wantsRequest = true;
        this.focusRequest();
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
        if (message.session !== this.pageStore.session) return;
        if (message.isPreview) this.list.navigation.preview(message.entry);
        else this.list.navigation.goTo(message.entry);
        return;
      case 'endPreview':
        if (message.session === this.pageStore.session) this.list.navigation.endPreview();
        return;
      case 'openRestore':
        if (message.session === this.pageStore.session) {
          this.list.navigation.openForm(message.entry, message.mode, message.keepsFiles === true);
        }
        return;
      case 'openFind':
        this.find.open();
        return;
      case 'foundInSession':
        if (message.session === this.pageStore.session) this.find.take(message.id, message.found);
        return;
      case 'stepTurn':
        this.list.navigation.stepTurn(message.by);
        return;
      case 'foundPaths':
        if (message.session === this.pageStore.session) this.list.paths.answer(message.asked, message.found);
        return;
      case 'slept':
        this.list.slept(message.ms);
        return;
      case 'usageOf':
        this.usage.receive(message);
        return;
      case 'filesAppeared':
        this.list.paths.lookAgain(message.names);
        return;
      default:
        if (this.sessionsView.take(message)) return;
        if (this.input.take(message) || this.restores.take(message) || this.ruleOffers.take(message)) return;
        if (!this.attachmentPreview.take(message)) this.pageStore.take(message);
    }
  }

  /** Focuses the oldest request. In a page that was hidden, it may not be drawn yet, or still be on its way. */
  private focusRequest(): void {
    void this.list.flush().then(() => {
      if (this.wantsRequest && this.list.navigation.focusOldestRequest()) this.wantsRequest = false;
    });
  }

  private onPage(page: PageState): void {
    document.documentElement.lang = page.locale;
    if (this.detail !== undefined && this.detail !== page.toolDetail) {
      this.list.detailChanged();
      this.announce(l10n.t('Tool detail: {0}', detailName(page.toolDetail)));
    }
    this.detail = page.toolDetail;
    const own = [...page.agents.map(({ name }) => name), ...page.sessions.map(({ agentName }) => agentName)];
    const offered = (page.offers ?? []).map(({ name }) => name);
    this.memory.setMonograms(distinguishAgents(own, offered, this.memory.monograms));
    this.unread.follow(page.sessions, page.active);
    const isFirst = !this.hasState;
    this.hasState = true;
    this.sessionsView.pageChanged(!isFirst && page.active !== this.shownKey);
    this.shownKey = page.active;
    if (isFirst && this.memory.showsSessions) this.sessionsView.show(false);
    this.input.switchTo(page.active, page.sessions);
    this.render();
  }

  private onFiles(): void {
    const cwd = forward(this.pageStore.transcript?.view.cwd ?? '').replace(/\/$/, '');
    const paths = this.pageStore.files.map(({ path }) => path);
    this.changedPaths = new Set([...paths, ...paths.map((path) => `${cwd}/${path}`)]);
    this.list.changesReviewed();
    this.renderSoon();
  }

  private onShow(): void {
    const shown = this.pageStore.transcript;
    const session = this.pageStore.session;
    const isSame = this.memory.show(session, shown?.view.sessionId ?? '', this.page.sessions.length > 0);
    const place = this.memory.scrollPlace;
    this.input.switchTo(session, this.page.sessions);
    this.requests.reset(shown);
    this.plans.reset();
    this.news.reset(shown);
    this.modes.reset(shown);
    this.render();
    if (shown && session !== '') {
      const isFirst = !this.hasShown;
      this.hasShown = true;
      this.list.show(session, shown, this.pageStore.omitted);
      // Later, the list itself tracks the reader's place.
      if (isSame && isFirst) this.list.place.restore(place);
    } else {
      this.list.clear();
    }
    this.find.reset();
    this.lookForRequests();
  }

  private onOps(ops: readonly TranscriptOp[]): void {
    const { transcript } = this.pageStore;
    if (!transcript) return;
    // The feed must be busy before anything is drawn in it; the rest of the page updates only with the next frame.
    if (isBusy(transcript.view.activity)) this.layout.feed.setAttribute('aria-busy', 'true');
    this.list.changed(ops);
    this.find.changed();
    this.trimSoon();
    const sentence = this.news.follow(transcript, ops);
    if (sentence !== undefined) this.announce(sentence);
    const mode = this.modes.follow(transcript);
    if (mode !== undefined && !isPicking()) this.announce(mode);
    if (this.requests.follow(transcript, ops)) this.lookForRequests();
    if (!ops.some((op) => op.op === 'view' || op.op === 'insert')) return;
    this.memory.noteSessionId(transcript.view.sessionId);
    this.renderSoon();
  }

  /** Drops the oldest entries of a long session while the reader is at its end, so that a session stays as fast all day. */
  private trimSoon(): void {
    const isLong = () => (this.pageStore.transcript?.order.length ?? 0) > maxEntries;
    if (this.trimming !== undefined || !isLong()) return;
    this.trimming = requestAnimationFrame(() => {
      this.trimming = undefined;
      if (!isLong() || !this.list.mayTrim) return;
      const dropped = this.pageStore.trim(keptEntries);
      if (dropped.length > 0) this.list.trim(dropped, this.pageStore.omitted);
    });
  }

  /** Watches the open requests. A request counts as out of sight only after its card had a chance to be on screen. */
  private lookForRequests(): void {
    void this.list.flush().then(() => this.requestsInView.refresh());
    if (this.wantsRequest) this.focusRequest();
  }

  private renderSoon(): void {
    this.frame ??= requestAnimationFrame(() => this.render());
  }

  private render(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (this.isDisposed) return;
    this.renderTop();
    this.renderMiddle();
    this.renderTray();
    this.renderComposer();
    this.showTyped();
  }

  private renderTop(): void {
    const bar = topBar({
      page: this.page,
      view: this.pageStore.transcript?.view,
      unread: this.unread.all,
      list: this.sessionsList,
      follow: this.pageStore.follow,
      usage: this.usage,
      toggleSessions: () => this.sessionsView.toggle(),
      post: (message) => this.post(message),
    });
    this.layout.top.hidden = bar === nothing;
    render(bar, this.layout.top);
    this.coveredTabs.rendered([this.page.active, ...this.page.sessions.map(({ session }) => session)].join('\n'));
    this.usage.update();
  }

  private renderMiddle(): void {
    const { feed, start } = this.layout;
    const view = this.pageStore.transcript?.view;
    const isStart = this.pageStore.hasPage && this.pageStore.session === '';
    feed.hidden = isStart || !view;
    feed.setAttribute('aria-busy', String(view !== undefined && isBusy(view.activity)));
    start.hidden = !isStart;
    const offersAgents = isStart && this.page.trusted;
    if (offersAgents && !this.offersAgents) this.post({ type: 'findAgents' });
    this.offersAgents = offersAgents;
    const content = startPage({
      page: this.page,
      hasMessage: this.input.hasMessage,
      start: (agent) => this.post({ type: 'startAgent', agent, ...this.input.sends }),
      startPreset: (preset) => this.post({ type: 'startPreset', preset, ...this.input.sends }),
      add: (id) => this.post({ type: 'addOffered', id, ...this.input.sends }),
      addAgent: () => this.pageAction('addAgent'),
      getStarted: () => this.pageAction('getStarted'),
      openSettings: () => this.pageAction('openSettings'),
      manageTrust: () => this.pageAction('manageTrust'),
      openFolder: () => this.pageAction('openFolder'),
    });
    render(isStart ? content : nothing, start);
  }

  private renderTray(): void {
    const { transcript } = this.pageStore;
    const parts = transcript
      ? html`${statusLine(transcript.view, () => this.withSession((session) => this.post({ type: 'cancelStart', session })))}
        ${tray({
          view: transcript.view,
          transcript,
          stopLateWork: () => this.withSession((session) => this.post({ type: 'stopLateWork', session })),
          stopWork: ({ terminal, toolCall }) =>
            this.withSession((session) =>
              this.post({
                type: 'stopWork',
                session,
                ...(terminal === undefined ? {} : { terminal }),
                ...(toolCall === undefined ? {} : { toolCall }),
              }),
            ),
          endProcess: () =>
            this.withSession((session) => this.post({ type: 'errorAction', session, entry: '', action: 'endProcess' })),
          allowsEverything: this.allowsEverything,
          stopAllowing: () =>
            this.withSession((session) => this.post({ type: 'allowEverything', session, isOn: false })),
          plans: this.plans.visible(transcript),
          requests: Math.max(0, this.requests.count - this.requestsInView.count),
          isOpen: (key, byDefault) => this.isExpanded(key) ?? byDefault,
          setOpen: (key, open) => {
            this.setExpanded(key, open);
            this.render();
          },
          showRequest: () => this.list.navigation.focusOldestRequest(),
          onQueue: (id, change) =>
            this.withSession((session) => this.post({ type: 'changeQueue', session, id, change })),
          locale: this.page.locale,
          onScheduled: (action) =>
            this.withSession((session) => this.post({ type: 'changeScheduled', session, action })),
          resumeQueue: () => this.withSession((session) => this.post({ type: 'resumeQueue', session })),
          editQueued: ({ id, text, attachments }) => {
            this.withSession((session) => this.post({ type: 'changeQueue', session, id, change: { kind: 'remove' } }));
            this.input.composer.putBack(text, attachments);
            this.input.composer.focus();
          },
          files: this.pageStore.files,
          recordedFrom: this.pageStore.recordedFrom,
          wordsOfTurn: (turn) => wordsOfTurn(transcript, turn),
          onChanges: (action, scope) =>
            this.withSession((session) => this.post({ type: 'reviewChanges', session, action, scope })),
          onFile: (action, { uri }, scope) =>
            this.withSession((session) => this.post({ type: 'reviewFile', session, action, uri, scope })),
          unprotected: this.pageStore.unprotected,
          onUnprotected: (action) =>
            this.withSession((session) => this.post({ type: 'unprotectedAction', session, action })),
          newProblems: this.pageStore.newProblems,
          onProblems: (action) =>
            this.withSession((session) => this.post({ type: 'newProblemsAction', session, action })),
          openPath: (path) => this.withSession((session) => this.post({ type: 'openLocation', session, path })),
        })}`
      : nothing;
    const giveFocusBack = holdFocus(this.layout.tray, () => this.input.composer.focus());
    render(parts, this.layout.tray);
    giveFocusBack();
  }

  private renderComposer(): void {
    const { page } = this;
    const { transcript } = this.pageStore;
    const view = transcript?.view;
    const byDefault = page.agents.find(({ agentId }) => agentId === page.defaultAgent);
    this.input.composer.update({
      agentName: view?.agentName ?? byDefault?.name ?? '',
      isBusy: view !== undefined && isBusy(view.activity),
      sendsAtOnce: view?.sendsAtOnce === true,
      commands: view?.availableCommands ?? [],
      options: view?.configOptions ?? [],
      canSetOptions: view?.connection.state === 'ready',
      obstacle: page.trusted ? '' : untrustedSentence(),
      startsTour: (view?.agentId ?? byDefault?.agentId) === tourAgentId && (transcript?.order.length ?? 0) === 0,
      takesLinks: page.sessions.find(({ session }) => session === page.active)?.takesLinks === true,
      newSessionIn: view === undefined && page.active === '' ? page.folder : '',
    });
  }

  private withSession(action: (session: SessionKey) => void): void {
    const { session } = this.pageStore;
    if (session !== '') action(session);
  }

  private pageAction(action: ErrorAction): void {
    this.post({ type: 'errorAction', session: '', entry: '', action });
  }
}

function forward(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Returns whether the focus is in a picker, which says its value itself. */
function isPicking(): boolean {
  return document.activeElement?.matches('select, vscode-dropdown, pl-picker *') === true;
}
