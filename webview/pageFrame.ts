import { html, nothing, render, type TemplateResult } from 'lit-html';
import { Disposable } from '../src/shared/values/disposable';
import type { Aside } from '../src/shared/pages/aside';
import { compact } from '../src/shared/values/decodeValue';
import { tourAgentId, type SessionKey } from '../src/shared/values/ids';
import type { FromWebview } from '../src/shared/pages/messages';
import type { RecentRows } from '../src/shared/pages/recentRows';
import type { Transcript } from '../src/shared/transcript/transcript';
import { showHidden } from '../src/shared/text/visibleText';
import type { PageComposer } from './composer/pageComposer';
import { placeRowOf } from './composer/placeRow';
import { startRowOf } from './composer/startRowOf';
import { ownAgents } from './base/ownAgents';
import type { PageRequests } from './feed/pageRequests';
import type { TranscriptList } from './feed/transcriptList';
import { isBusy } from './feed/news/turnNews';
import { CoveredTabs } from './header/coveredTabs';
import { SessionsList } from './header/sessionsList';
import { topBar } from './header/topBar';
import type { UnreadSessions } from './header/unreadSessions';
import { UsagePopover } from './header/usagePopover';
import type { Layout } from './layout';
import type { SessionsView } from './sessions/sessionsView';
import type { SharedContext } from './sharedContext';
import { startPage } from './start/startPage';
import { untrustedSentence } from './start/startNotes';
import { holdFocus } from './tray/changedFocus';
import { wordsOfTurn } from './tray/changesScope';
import { openKey } from './tray/changesStrip';
import { EndedTurn } from './feed/news/endedTurn';
import { PlansInTray } from './tray/planStrip';
import { statusLine } from './tray/statusLine';
import { asideCard } from './tray/asideCard';
import { suggestionChips } from './tray/suggestionChips';
import { tray, type TrayProps } from './tray/tray';

/** The parts of the page that its frame belongs to. */
interface FramedPage {
  readonly input: PageComposer;
  readonly list: TranscriptList;
  readonly requests: PageRequests;
  readonly sessionsView: SessionsView;
  readonly unread: UnreadSessions;
}

/** Everything around the transcript: the header, the start page, the tray, and the composer. Drawn at most once per frame. */
export class PageFrame extends Disposable {
  readonly plans = new PlansInTray();
  private readonly ended = new EndedTurn();
  private readonly layout: Layout;
  private readonly context: SharedContext;
  private readonly page: FramedPage;
  readonly usage: UsagePopover;
  private readonly sessionsList: SessionsList;
  private readonly coveredTabs: CoveredTabs;
  /** The start page with its agents is on screen. */
  private offersAgents = false;
  /** The start page leads to sessions, so the host keeps them up to date. */
  private watchesRecent = false;
  private recent: RecentRows = { needsYou: [], recent: [] };
  private frame: number | undefined;
  /** The questions that aren't part of the conversation. */
  private readonly asides = new Map<SessionKey, Aside>();

  constructor(layout: Layout, context: SharedContext, page: FramedPage) {
    super();
    this.layout = layout;
    this.context = context;
    this.page = page;
    this.sessionsList = new SessionsList(layout.top, () => this.drawTop());
    this.coveredTabs = new CoveredTabs(layout.top);
    this.usage = new UsagePopover({
      session: () => context.session,
      view: () => context.transcript?.view,
      locale: () => context.page.locale,
      post: (message) => context.post(message),
    });
  }

  /** A question aside has changed. */
  takeAside(session: SessionKey, aside: Aside | undefined): void {
    if (aside) this.asides.set(session, aside);
    else this.asides.delete(session);
    this.drawSoon();
  }

  takeRecent(recent: RecentRows): void {
    this.recent = recent;
    this.drawSoon();
  }

  drawSoon(): void {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (this.isDisposed) return;
    this.drawTop();
    this.drawMiddle();
    this.drawTray();
    this.drawComposer();
    this.showTyped();
  }

  /** What is typed has changed: the start page says what happens with it, and a request offers to send it. */
  draftChanged(): void {
    if (this.context.session === '') this.drawSoon();
    this.showTyped();
  }

  private showTyped(): void {
    this.layout.feed.toggleAttribute('data-typed', this.page.input.hasMessage);
  }

  private drawTop(): void {
    const { page, state } = this.context;
    const bar = topBar({
      page,
      view: state.transcript?.view,
      unread: this.page.unread.all,
      list: this.sessionsList,
      follow: state.follow,
      usage: this.usage,
      toggleSessions: () => this.page.sessionsView.toggle(),
      post: (message) => this.context.post(message),
    });
    this.layout.top.hidden = bar === nothing;
    render(bar, this.layout.top);
    this.coveredTabs.rendered([page.active, ...page.sessions.map(({ session }) => session)].join('\n'));
    this.usage.update();
  }

  private drawMiddle(): void {
    const { feed, start } = this.layout;
    const { page, state } = this.context;
    const { input } = this.page;
    const view = state.transcript?.view;
    const isStart = state.hasPage && state.session === '';
    feed.hidden = isStart || !view;
    feed.setAttribute('aria-busy', String(view !== undefined && isBusy(view.activity)));
    start.hidden = !isStart;
    const offersAgents = isStart && page.trusted;
    const post = (message: FromWebview) => this.context.post(message);
    if (offersAgents && !this.offersAgents) {
      post({ type: 'findAgents' });
      post({ type: 'checkSandbox' });
    }
    this.offersAgents = offersAgents;
    this.watchRecent(offersAgents && ownAgents(page).length > 0);
    const content = startPage({
      page,
      hasMessage: input.hasMessage,
      recent: this.recent,
      unread: this.page.unread.all,
      now: Date.now(),
      start: (agent) => post({ type: 'startAgent', agent, ...input.sends }),
      startPreset: (preset) => post({ type: 'startPreset', preset, ...input.words }),
      add: (id) => post({ type: 'addOffered', id, ...input.sends }),
      showSessions: () => this.page.sessionsView.show(),
      post,
      act: (action) => post({ type: 'errorAction', session: '', entry: '', action }),
    });
    render(isStart ? content : nothing, start);
  }

  private watchRecent(isOn: boolean): void {
    if (isOn === this.watchesRecent) return;
    this.watchesRecent = isOn;
    this.recent = { needsYou: [], recent: [] };
    this.context.post({ type: 'watchRecent', isOn });
  }

  /** Unfolds the changed files in the tray, and moves the focus there. */
  showChanges(): void {
    this.context.setExpanded(openKey, true);
    this.drawTray();
    this.layout.tray.querySelector<HTMLElement>('.pl-changes .tw')?.focus();
  }

  private drawTray(): void {
    const { context } = this;
    const { transcript } = context.state;
    const { composer } = this.page.input;
    const content = transcript
      ? html`${statusLine(transcript.view, () => context.postInSession((session) => ({ type: 'cancelStart', session })))}
        ${this.asideOf(transcript)} ${this.suggestionsOf(transcript)} ${tray(this.trayOf(transcript))}`
      : nothing;
    const giveFocusBack = holdFocus(this.layout.tray, () => composer.focus());
    render(content, this.layout.tray);
    giveFocusBack();
  }

  private asideOf({ view }: Transcript): TemplateResult | typeof nothing {
    const { context } = this;
    const aside = context.session === '' ? undefined : this.asides.get(context.session);
    if (!aside) return nothing;
    const dismiss = () => context.postInSession((session) => ({ type: 'dismissAside', session }));
    return asideCard(aside, {
      agentName: view.agentName,
      dismiss,
      insert: (text) => {
        this.page.input.composer.addDraft(text, []);
        dismiss();
      },
    });
  }

  private suggestionsOf({ view }: Transcript): TemplateResult | typeof nothing {
    return suggestionChips(this.suggested(view), view.agentName, (text) => {
      this.page.input.composer.addDraft(text, []);
    });
  }

  private suggested(view: Transcript['view']): readonly string[] {
    const isHidden = this.context.page.hidesSuggestions === true || isBusy(view.activity);
    return isHidden ? [] : (view.suggestions ?? []).map(showHidden);
  }

  private trayOf(transcript: Transcript): TrayProps {
    const { context, page } = this;
    const { state, session } = context;
    const freedom = context.page.sessions.find((one) => one.session === session)?.freedom;
    const post = (message: (session: SessionKey) => FromWebview) => context.postInSession(message);
    const recordedOf = (turn: number) => (session === '' ? undefined : context.restores.filesOf(session, turn));
    const hasChanges = (path: string) => context.hasChanges(path);
    return {
      view: transcript.view,
      transcript,
      stopLateWork: () => post((session) => ({ type: 'stopLateWork', session })),
      stopWork: ({ terminal, toolCall }) =>
        post((session) => ({ type: 'stopWork', session, ...compact({ terminal, toolCall }) })),
      endProcess: () => post((session) => ({ type: 'errorAction', session, entry: '', action: 'endProcess' })),
      freedom,
      stopAllowing: () => post((session) => ({ type: 'allowEverything', session, isOn: false })),
      plans: this.plans.visible(transcript),
      requests: page.requests.outOfSight,
      isOpen: (key, byDefault) => context.isExpanded(key) ?? byDefault,
      setOpen: (key, open) => {
        context.setExpanded(key, open);
        this.draw();
      },
      showRequest: () => page.list.navigation.focusOldestRequest(),
      onQueue: (id, change) => post((session) => ({ type: 'changeQueue', session, id, change })),
      locale: context.page.locale,
      onGoal: (action) => post((session) => ({ type: 'changeGoal', session, action })),
      onScheduled: (action) => post((session) => ({ type: 'changeScheduled', session, action })),
      sendAnyway: () => post((session) => ({ type: 'sendAnyway', session })),
      openBudget: () => post(() => ({ type: 'openBudget' })),
      resumeQueue: () => post((session) => ({ type: 'resumeQueue', session })),
      editQueued: (prompt) => {
        const ids = transcript.view.queue.map(({ id }) => id);
        post((session) => ({ type: 'changeQueue', session, id: prompt.id, change: { kind: 'remove' } }));
        page.input.edit(prompt, ids.slice(0, ids.indexOf(prompt.id)));
      },
      files: state.files,
      areShown: this.ended.shows(transcript, state.files, recordedOf, hasChanges),
      redo: state.redo && !this.ended.redoes(transcript, state.redo, recordedOf, hasChanges) ? state.redo : undefined,
      onRedo: () => post((session) => ({ type: 'reviewChanges', session, action: 'redo', scope: 'session' })),
      recordedFrom: state.recordedFrom,
      wordsOfTurn: (turn) => wordsOfTurn(transcript, turn),
      onChanges: (action, scope) => post((session) => ({ type: 'reviewChanges', session, action, scope })),
      onFile: (action, { uri }, scope) => post((session) => ({ type: 'reviewFile', session, action, uri, scope })),
      unprotected: state.unprotected,
      onUnprotected: (action) => post((session) => ({ type: 'unprotectedAction', session, action })),
      newProblems: state.newProblems,
      onProblems: (action) => post((session) => ({ type: 'newProblemsAction', session, action })),
      openPath: (path) => post((session) => ({ type: 'openLocation', session, path })),
    };
  }

  private drawComposer(): void {
    const { page, transcript } = this.context;
    const view = transcript?.view;
    const byDefault = page.agents.find(({ agentId }) => agentId === page.defaultAgent);
    this.page.input.composer.update({
      agentName: view?.agentName ?? byDefault?.name ?? '',
      isBusy: view !== undefined && isBusy(view.activity),
      sendsAtOnce: view?.sendsAtOnce === true,
      commands: view?.availableCommands ?? [],
      options: view?.configOptions ?? [],
      canSetOptions: view?.connection.state === 'ready',
      obstacle: page.trusted ? '' : untrustedSentence(),
      startsTour: (view?.agentId ?? byDefault?.agentId) === tourAgentId && (transcript?.order.length ?? 0) === 0,
      takesLinks: page.sessions.find(({ session }) => session === page.active)?.takesLinks === true,
      canSetGoal: view?.canSetGoal === true && view.connection.state === 'ready',
      canReview:
        this.context.page.trusted &&
        page.sessions.find(({ session }) => session === page.active)?.folder?.canReview === true,
      canTry: page.isInRepository === true && page.trusted && ownAgents(page).length > 0,
      suggestion: (view && this.suggested(view)[0]) ?? '',
      canAskAside: view?.canAskAside === true && view.connection.state === 'ready',
      start: startRowOf(page, this.context.session, transcript),
      place: placeRowOf(page, this.context.session, transcript),
    });
  }
}
