import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type {
  FromReviewPage,
  HunkWish,
  PageComment,
  ReviewPageFile,
  SeenChange,
  ToReviewPage,
} from '../../src/shared/changes/reviewPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { Announcer } from '../base/announcer';
import { icon } from '../base/icon';
import { openMenu } from '../base/menu';
import { distinguishAgents, monogram } from '../base/monogram';
import { Viewport } from '../base/viewport';
import { CommentBox } from './commentBox';
import { CommentThreads } from './commentThreads';
import { commentStrip } from './commentStrip';
import { replyWords } from './commentThread';
import { FileList } from './fileList';
import { counts, FileView, headHeight, type FileMemory, type FileOwner } from './fileView';
import { FileWindow } from './fileWindow';
import { nameAndFolder } from './nameAndFolder';
import { HeldPresses, type DecisionKey } from './heldPresses';
import { showKeys } from './keyHelp';
import { decidedFiles, reviewEnd } from './reviewEnd';
import { reviewFoot } from './reviewFoot';
import { actionOf, keyRows } from './reviewKeys';
import { ReviewModel, type Place } from './reviewModel';

/** How changes are shown: as the width suggests, or as the user chose. */
export type ReviewView = 'auto' | 'inline' | 'sideBySide';

/** What the page remembers between loads. */
export interface PageMemory {
  view: ReviewView;
  showsDecided: boolean;
}

type Contents = Extract<ToReviewPage, { type: 'reviewContent' }>;

/** How long files are shown within one frame, in milliseconds. */
const contentMs = 8;
/** From this width of the feed, both sides fit beside each other, in px. */
const wideEnough = 1200;

/** The review page: files that leave as they are decided. */
export class ReviewPage implements FileOwner {
  private readonly model = new ReviewModel();
  private readonly post: (message: FromReviewPage) => void;
  private readonly memory: PageMemory;
  private readonly remember: () => void;
  private readonly page = document.createElement('div');
  private readonly top = document.createElement('div');
  private readonly feed = document.createElement('main');
  private readonly column = document.createElement('div');
  private readonly end = document.createElement('div');
  private readonly foot = document.createElement('footer');
  private readonly window: FileWindow<FileView>;
  private readonly list: FileList;
  private readonly comments: CommentBox;
  private readonly threads: CommentThreads;
  /** The comment or remark that the user went to last. */
  private currentThread: string | undefined;
  /** One that gets the focus as soon as its file is here. */
  private wantedThread: string | undefined;
  private readonly announcer: Announcer;
  private readonly files = new Map<string, FileMemory>();
  readonly viewport: Viewport;
  /** The decision that the host hasn't answered yet. */
  private sent: Place | undefined;
  private readonly held: HeldPresses;
  /** The key that counts as soon as what it decides is in sight. */
  private nextHeld: DecisionKey | undefined;
  /** What the user decided, until the host has done it. */
  private deciding: { readonly place: Place; readonly words: string } | undefined;
  /** The user took a decision back, and the host hasn't done it yet. */
  private isTakingBack = false;
  /** The last decision was to undo everything that was left. */
  private hasUndoneAll = false;
  private isShown = false;
  /** What arrived since the last frame. */
  private readonly contents: Contents[] = [];
  private isAskedForContents = false;
  /** Whether both sides fit beside each other. Known before lines are drawn, because to measure then would lay out the page for each change. */
  private isWide = false;
  private wantsFocus = false;

  constructor(root: HTMLElement, post: (message: FromReviewPage) => void, memory: PageMemory, remember: () => void) {
    this.post = post;
    this.memory = memory;
    this.remember = remember;
    this.page.className = 'pl-in pl-review';
    this.top.className = 'pl-top';
    this.feed.className = 'pl-rfeed';
    this.feed.tabIndex = -1;
    this.feed.setAttribute('role', 'feed');
    this.feed.setAttribute('aria-label', l10n.t('Files to review'));
    this.column.className = 'in';
    this.end.className = 'end';
    this.foot.className = 'pl-rfoot';
    this.feed.append(this.column, this.end);
    this.list = new FileList((uri) => this.go({ uri }, true));
    this.comments = new CommentBox({
      send: ({ uri, id }, text) => this.post({ type: 'comment', uri, id, text }),
      addDraft: ({ uri, id }, text) => this.post({ type: 'addDraft', uri, id, text }),
      closed: (subject) => {
        const answered = this.threads.all.find(({ id }) => subject.isReply && id === subject.id);
        if (answered) this.goToThread(answered);
        else this.focusCurrent();
      },
    });
    this.threads = new CommentThreads({
      beginEdit: (comment) => this.post({ type: 'beginComment', ...subjectOf(comment) }),
      saveEdit: (comment, text) => this.post({ type: 'editComment', comment: comment.id, ...subjectOf(comment), text }),
      endedEdit: (comment, hadFocus) => this.endedEdit(comment, hadFocus),
      remove: ({ id }) => this.post({ type: 'deleteDraft', comment: id }),
      choose: ({ id }, isChosen) => this.post({ type: 'chooseRemark', comment: id, isChosen }),
      send: ({ id }) => this.post({ type: 'sendComment', comment: id }),
      sendTo: ({ id }) => this.post({ type: 'sendCommentTo', comment: id }),
      reply: (comment) => this.replyTo(comment),
      open: ({ id }) => this.post({ type: 'openComment', comment: id }),
    });
    this.held = new HeldPresses(
      () => this.mayDecide,
      (key) => this.decideByKey(key),
      (next) => this.showHeld(next),
    );
    const bottom = document.createElement('div');
    bottom.className = 'pl-rbottom';
    bottom.append(this.threads.list, this.comments.element, this.foot);
    const head = document.createElement('div');
    head.className = 'pl-rtop';
    head.append(this.top, this.threads.placeless);
    this.page.append(head, this.list.element, this.feed, bottom);
    root.append(this.page);
    this.announcer = new Announcer(root);
    this.viewport = new Viewport(this.feed);
    this.window = new FileWindow(this.feed, this.column, {
      create: (uri, height) => this.create(uri, height),
      remove: (view) => view.dispose(),
      arranged: (view, at, count, isPassing) => {
        view.place(at, count);
        if (!isPassing) view.load();
      },
    });
    // Also while nothing has the focus.
    document.addEventListener('keydown', (event) => this.pressed(event));
    window.addEventListener('focus', () => {
      if (this.wantsFocus) this.focusCurrent();
      else this.focusThread();
    });
    // A click brings the focus to where it is.
    window.addEventListener(
      'pointerdown',
      () => {
        this.wantsFocus = false;
        this.wantedThread = undefined;
      },
      true,
    );
    new ResizeObserver(() => this.resized()).observe(this.feed);
    this.isWide = this.feed.clientWidth >= wideEnough;
    this.draw();
  }

  get current(): Place | undefined {
    return this.model.current;
  }

  get isSideBySide(): boolean {
    const { view } = this.memory;
    return view === 'sideBySide' || (view === 'auto' && this.isWide);
  }

  receive(message: ToReviewPage): void {
    if (this.contents.length > 0 && message.type !== 'reviewContent') this.takeContents(Infinity);
    switch (message.type) {
      case 'review':
        this.take(message);
        return;
      case 'reviewContent':
        this.contents.push(message);
        this.soonTakeContents();
        return;
      case 'decided':
        this.sent = undefined;
        this.held.look();
        return;
      case 'reviewChanged':
        this.deciding = undefined;
        this.held.drop();
        this.announcer.announce(l10n.t('Changed a moment ago'));
        for (const uri of message.uris) this.window.view(uri)?.calm();
        return;
      case 'comments':
        this.takeComments(message.comments);
        return;
      case 'commentSent':
        this.comments.sent(message.uri, message.id, message.isSent);
        if (message.isSent)
          this.announcer.announce(message.isDraft ? l10n.t('Added to drafts') : l10n.t('Comment sent'));
        return;
      case 'commentEdited':
        this.threads.edited(message.comment, message.isSaved);
        if (message.isSaved) this.announcer.announce(l10n.t('Comment saved'));
        return;
      case 'focusReview':
        this.wantsFocus = true;
        this.refocus();
    }
  }

  decide(action: 'keep' | 'undo', place: Place): void {
    const view = this.window.view(place.uri);
    const file = this.model.file(place.uri);
    const hunk = view?.hunk(place.id);
    // The second click of two.
    if (this.sent?.uri === place.uri && this.sent.id === place.id) return;
    if (!file || view?.isCalm(place.id) === false || (action === 'undo' && file.unread !== undefined)) return;
    const [name] = nameAndFolder(file.path);
    const hunks = this.model.hunksOf(place.uri);
    const at = hunks.findIndex(({ id }) => id === place.id) + 1;
    const isKept = action === 'keep';
    const words = hunk
      ? isKept
        ? l10n.t('Kept change {0} of {1} in {2}', at, hunks.length, name)
        : l10n.t('Undid change {0} of {1} in {2}', at, hunks.length, name)
      : isKept
        ? l10n.t('Kept {0}', name)
        : l10n.t('Undid {0}', name);
    this.deciding = { place, words };
    this.hasUndoneAll = false;
    const seen: SeenChange = {
      uri: place.uri,
      revision: file.revision,
      ...(hunk ? { hunk: { id: hunk.shown.id, stamp: hunk.shown.stamp } } : {}),
    };
    this.sent = place;
    this.post({ type: 'decide', action, changes: [seen] });
  }

  comment({ uri, id }: Place): void {
    const file = this.model.file(uri);
    const hunks = this.model.hunksOf(uri);
    const at = hunks.findIndex((hunk) => hunk.id === id) + 1;
    if (id === undefined || !file || at === 0) return;
    this.post({ type: 'beginComment', uri, id });
    const [name] = nameAndFolder(file.path);
    const words = l10n.t('Comment on change {0} of {1} in {2}', at, hunks.length, showHiddenOnOneLine(name));
    this.comments.open({ uri, id, words, agentName: this.model.names });
  }

  private replyTo(comment: PageComment): void {
    const { uri, id, target } = comment;
    this.currentThread = id;
    this.post({ type: 'beginComment', uri, id });
    const agentName = target === '' ? this.model.names : target;
    this.comments.open({
      uri,
      id,
      words: replyWords(comment),
      agentName: showHiddenOnOneLine(agentName),
      isReply: true,
    });
  }

  open({ uri, id }: Place): void {
    this.post({ type: 'openFile', uri, ...(id === undefined ? {} : { id }) });
  }

  openDiff(uri: string): void {
    this.post({ type: 'openDiff', uri });
  }

  read(uri: string, wishes: readonly HunkWish[]): void {
    this.post({ type: 'readFile', uri, wishes });
  }

  chosen(place: Place): void {
    const { current } = this.model;
    if (current?.uri === place.uri && current.id === place.id) return;
    this.model.current = place;
    this.mark();
  }

  fold(uri: string): void {
    this.window.keepInPlace(() => this.window.view(uri)?.toggle());
  }

  isInView(element: Element): boolean {
    const [box, feed] = [element.getBoundingClientRect(), this.feed.getBoundingClientRect()];
    return box.bottom > feed.top && box.top < feed.bottom;
  }

  commentsIn(uri: string): readonly PageComment[] {
    return this.threads.in(uri);
  }

  threadFor(comment: PageComment): HTMLElement {
    return this.threads.elementFor(comment);
  }

  private endedEdit(comment: PageComment, hadFocus: boolean): void {
    const root = this.threads.rootOf(comment);
    if (root && hadFocus) this.threads.focus(root);
    // One that was deleted while it was edited leaves the page now.
    this.takeComments(this.threads.told);
  }

  /** Continues in the field in which the user types, which may have moved. */
  private keepField(field: HTMLElement): void {
    if (document.activeElement === field) return;
    const thread = field.closest<HTMLElement>('[data-comment]')?.dataset['comment'];
    const root = this.threads.roots.find(({ id }) => id === thread);
    if (root && document.hasFocus()) this.goToThread(root);
    else this.wantedThread = thread;
  }

  private takeComments(comments: readonly PageComment[]): void {
    const { focusedField: field } = this.threads;
    const focused = document.activeElement?.closest<HTMLElement>('[data-comment]')?.dataset['comment'];
    const order = this.order.map(({ id }) => id);
    this.window.keepInPlace(() => {
      this.threads.take(comments);
      this.placeThreads();
    });
    this.draw();
    if (field?.closest('[data-comment]')) {
      this.keepField(field);
      return;
    }
    if (focused === undefined || document.activeElement?.closest('[data-comment]')) return;
    // Its button, or all of it, is gone: it or what follows it has the focus then.
    const isLeft = (id: string) => comments.some((one) => one.id === id);
    const after = order.slice(order.indexOf(focused)).find(isLeft) ?? order.findLast(isLeft);
    const next = comments.find(({ id }) => id === after);
    if (!next) this.refocus();
    else if (document.hasFocus()) this.goToThread(next);
    else this.wantedThread = next.id;
  }

  private get order(): readonly PageComment[] {
    return this.threads.inOrder(this.uris, (uri) => this.model.hunksOf(uri));
  }

  private get uris(): readonly string[] {
    return this.model.files.map(({ uri }) => uri);
  }

  private placeThreads(): void {
    for (const view of this.window.all) view.placeThreads();
    this.threads.drawList((uri) => this.model.file(uri) !== undefined);
  }

  /** Goes to the comment or remark after or before the one that the user went to last, and around the end. */
  private stepThread(by: 1 | -1): void {
    const { order } = this;
    const at = order.findIndex(({ id }) => id === this.currentThread);
    const next = at < 0 && by < 0 ? order.at(-1) : order[(at + by + order.length) % order.length];
    if (next) this.goToThread(next);
  }

  private goToThread(comment: PageComment): void {
    this.currentThread = comment.id;
    this.wantedThread = comment.id;
    const view = this.model.file(comment.uri) && this.window.reach(comment.uri);
    view?.reachThread(comment);
    this.focusThread();
  }

  /** Gives the thread that the user wants to go to the focus, if it is on the page by now. */
  private focusThread(): void {
    const comment = this.threads.roots.find(({ id }) => id === this.wantedThread);
    const element = comment && this.threads.element(comment);
    if (!comment || !element?.isConnected) return;
    const view = this.window.view(comment.uri);
    // It moves to its line as soon as the changes are here.
    if (view?.hasContent !== false) this.wantedThread = undefined;
    this.threads.focus(comment);
    if (this.feed.contains(element)) this.scrollTo(element, false);
    else element.scrollIntoView({ block: 'nearest' });
  }

  private soonTakeContents(): void {
    if (this.isAskedForContents) return;
    this.isAskedForContents = true;
    requestAnimationFrame(() => {
      this.isAskedForContents = false;
      this.takeContents(performance.now() + contentMs);
      if (this.contents.length > 0) this.soonTakeContents();
    });
  }

  /** Shows the files that arrived, at least one of them, until a time. What is in view keeps its place once for all of them. */
  private takeContents(until: number): void {
    const taken: string[] = [];
    const { focusedField: field } = this.threads;
    const leaving = this.decidingView?.element;
    let focused: FileView | undefined;
    this.window.keepInPlace(
      () => {
        while (this.contents.length > 0 && (taken.length === 0 || performance.now() < until)) {
          const { uri, revision, content } = this.contents.shift() as Contents;
          const view = this.window.view(uri);
          if (!view) continue;
          taken.push(uri);
          if (view.element.contains(document.activeElement)) focused = view;
          this.model.takeHunks(uri, content.kind === 'lines' ? content.hunks : []);
          view.takeContent(content, revision);
        }
      },
      leaving,
      () => this.window.view(this.current?.uri)?.hunk(this.current?.id)?.element,
    );
    this.mark();
    for (const uri of taken) this.tell(uri);
    if (this.hasJustChanged) this.held.drop();
    this.held.look();
    if (field) {
      this.keepField(field);
      return;
    }
    const wanted = this.threads.all.find(({ id }) => id === this.wantedThread);
    if (wanted && taken.includes(wanted.uri)) {
      this.goToThread(wanted);
      return;
    }
    const hasLostFocus = focused?.element.contains(document.activeElement) === false;
    if (this.wantsFocus || hasLostFocus) this.refocus();
  }

  private get decidingView(): { readonly element: Element } | undefined {
    const { deciding } = this;
    const view = deciding && this.window.view(deciding.place.uri);
    return deciding && (view?.hunk(deciding.place.id) ?? view);
  }

  private take(news: Extract<ToReviewPage, { type: 'review' }>): void {
    const { focusedField: field } = this.threads;
    const before = this.current?.uri;
    const back = this.isTakingBack ? news.changed.find(({ uri }) => this.model.isDecided(uri)) : undefined;
    const leavingFile = this.window.view(this.deciding?.place.uri ?? before);
    const hadFocus = this.page.contains(document.activeElement);
    const wasInFeed = this.feed.contains(document.activeElement);
    distinguishAgents([...news.known, ...news.agents], []);
    this.window.keepInPlace(
      () => {
        const touched = this.model.take(news);
        for (const { uri, path } of news.changed) {
          this.memoryOf(uri);
          if (touched.has(uri)) this.refresh(uri, path);
        }
        this.window.show(this.uris, (uri) => this.estimate(uri));
        this.placeThreads();
      },
      leavingFile?.element,
      () => this.window.view(this.current?.uri)?.element,
    );
    const { current } = this;
    const isMoved = this.isShown && before !== undefined && current?.uri !== before;
    // What was pressed was meant for the file that left by itself.
    if (isMoved && !this.sent && this.deciding?.place.uri !== before) this.held.drop();
    // The user may be about to decide the file that was here.
    if (isMoved && leavingFile?.element.isConnected === false) this.window.view(current?.uri)?.calm();
    this.isShown = true;
    this.draw();
    for (const uri of news.decided.map((file) => file.uri)) this.tell(uri);
    const hasLostFocus = hadFocus && !this.page.contains(document.activeElement);
    if (back) this.isTakingBack = false;
    if (field) this.keepField(field);
    else if (back) this.go({ uri: back.uri });
    else if ((isMoved && wasInFeed) || hasLostFocus || this.wantsFocus) this.refocus();
  }

  private refresh(uri: string, _path: string): void {
    const file = this.model.file(uri);
    const view = this.window.view(uri);
    if (!file || !view) return;
    view.take(file);
    view.load();
  }

  private create(uri: string, height: number): FileView {
    const file = this.model.file(uri);
    if (!file) throw new Error('Only files of the model are shown.');
    return new FileView(file, this, this.memoryOf(uri), height);
  }

  private memoryOf(uri: string): FileMemory {
    const known = this.files.get(uri);
    if (known) return known;
    const file = this.model.file(uri);
    const isFolded = file?.status === 'deleted' || (file?.status === 'renamed' && file.added + file.removed === 0);
    const memory: FileMemory = { isFolded, wishes: new Map() };
    this.files.set(uri, memory);
    return memory;
  }

  private estimate(uri: string): number {
    const file = this.model.file(uri);
    if (!file || this.memoryOf(uri).isFolded) return headHeight;
    const lines = Math.min(file.added + file.removed, 400 * Math.max(1, file.left));
    return headHeight + file.left * (28 + 6 * 18) + lines * 18;
  }

  /** Announces a decision once the host has carried it out. */
  private tell(uri: string): void {
    const { deciding } = this;
    if (deciding?.place.uri !== uri) return;
    this.deciding = undefined;
    const left = this.model.files.length;
    const rest =
      left === 0 ? l10n.t('No files left') : left === 1 ? l10n.t('1 file left') : l10n.t('{0} files left', left);
    this.announcer.announce(`${deciding.words}. ${rest}`);
  }

  private pressed(event: KeyboardEvent): void {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    const { current } = this.model;
    switch (action) {
      case 'next':
      case 'previous':
        this.go(this.stepFrom(action === 'next' ? 1 : -1));
        return;
      case 'nextFile':
      case 'previousFile':
        this.go(this.model.stepFile(action === 'nextFile' ? 1 : -1));
        return;
      case 'keep':
      case 'undo':
      case 'keepFile':
      case 'undoFile':
        // A key that is held down is one press, and one for what was there before is none.
        if (!event.repeat && !this.hasJustChanged) this.held.press(action);
        return;
      case 'comment':
        if (current) this.comment(current);
        return;
      case 'nextRemark':
      case 'previousRemark':
        this.stepThread(action === 'nextRemark' ? 1 : -1);
        return;
      case 'open':
        if (current) this.open(current);
        return;
      case 'openDiff':
        if (current) this.openDiff(current.uri);
        return;
      case 'undoLast':
        this.undoLast();
        return;
      case 'keys':
        showKeys(this.page, keyRows.all);
        return;
      case 'return':
        if (!this.held.drop()) this.post({ type: 'returnToChat' });
    }
  }

  /** Whether what keys decide is in sight, and the decision before is carried out. */
  private get mayDecide(): boolean {
    const { current } = this.model;
    const view = this.window.view(current?.uri);
    if (this.sent || this.contents.length > 0) return false;
    return current === undefined || (view?.isUpToDate === true && view.isCalm(current.id));
  }

  private get hasJustChanged(): boolean {
    const { current } = this.model;
    return this.window.view(current?.uri)?.hunk(current?.id)?.hasJustChanged === true;
  }

  private decideByKey(key: DecisionKey): void {
    const { current } = this.model;
    if (!current) return;
    const isOfFile = key === 'keepFile' || key === 'undoFile';
    const action = key === 'keep' || key === 'keepFile' ? 'keep' : 'undo';
    this.decide(action, isOfFile ? { uri: current.uri } : current);
  }

  private showHeld(next: DecisionKey | undefined): void {
    if (next === this.nextHeld) return;
    this.nextHeld = next;
    this.page.classList.toggle('is-holding', next !== undefined);
    this.drawFoot();
  }

  private undoLast(): void {
    this.isTakingBack = true;
    this.hasUndoneAll = false;
    this.post({ type: 'undoLast' });
  }

  /** The first key only goes to the current change, wherever the page is scrolled. */
  private stepFrom(by: 1 | -1): Place | undefined {
    const view = this.window.view(this.current?.uri);
    const isHere = view?.element.contains(document.activeElement) === true;
    return isHere ? this.model.step(by) : this.current;
  }

  /** Makes a change current, with the keyboard focus, and scrolls to it. */
  private go(place: Place | undefined, isToTop = false): void {
    if (!place) return;
    this.wantedThread = undefined;
    const hunk = place.id === undefined ? this.model.hunksOf(place.uri)[0] : undefined;
    this.model.current = hunk ? { uri: place.uri, id: hunk.id } : place;
    this.window.reach(place.uri);
    this.mark();
    this.focusCurrent(isToTop);
  }

  /** Without the focus in the page, the user is elsewhere by now: focusing a part of it would close their Quick Open. */
  private refocus(): void {
    if (document.hasFocus()) this.focusCurrent();
    else this.wantsFocus = true;
  }

  private focusCurrent(isToTop = false): void {
    const { current } = this.model;
    const view = this.window.view(current?.uri);
    if (!current || !view) {
      if (this.model.files.length > 0) return;
      this.wantsFocus = false;
      this.end.querySelector<HTMLElement>('button')?.focus();
      return;
    }
    this.wantsFocus = !view.hasContent;
    view.focus(current.id);
    this.scrollTo(view.hunk(current.id)?.element ?? view.element, isToTop);
  }

  /** Scrolls as little as shows a change, or its beginning if it's long. */
  private scrollTo(element: Element, isToTop: boolean): void {
    const feed = this.feed.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    // Below the header of its file.
    const top = feed.top + (element.matches('.pl-hunk, .pl-thread') ? headHeight : 0);
    if (box.top < top || isToTop) this.feed.scrollTop += box.top - top;
    else if (box.bottom > feed.bottom && box.top > top + feed.height / 3)
      this.feed.scrollTop += Math.min(box.bottom - feed.bottom, box.top - top);
  }

  private mark(): void {
    for (const view of this.window.all) view.mark();
    this.list.mark(this.model);
  }

  private resized(): void {
    this.isWide = this.feed.clientWidth >= wideEnough;
    const view = this.isSideBySide ? 'sd' : 'in';
    if (this.page.dataset['view'] === view) return;
    this.draw();
    this.window.keepInPlace(() => {
      for (const file of this.window.all) file.redraw();
    });
  }

  private choose(view: ReviewView): void {
    this.memory.view = view;
    this.remember();
    this.resized();
    this.draw();
  }

  private toggleDecided(): void {
    this.memory.showsDecided = !this.memory.showsDecided;
    this.remember();
    this.draw();
  }

  private all(action: 'keep' | 'undo'): void {
    const changes = this.model.files.map(({ uri, revision }: ReviewPageFile): SeenChange => ({ uri, revision }));
    this.hasUndoneAll = action === 'undo';
    this.held.drop();
    if (changes.length > 0) this.post({ type: 'decide', action, changes });
  }

  private draw(): void {
    const { model } = this;
    document.title = model.title;
    this.page.dataset['view'] = this.isSideBySide ? 'sd' : 'in';
    const done = model.decided.length;
    render(
      html`<header class="pl-header">
          ${model.marked.map((name) => monogram(name))}
          <h1 class="clip" aria-label=${model.title}>
            <span class="w-t">${this.isShown ? model.title : ''}</span
            ><span class="w-n" aria-hidden="true">${this.isShown ? model.shortTitle : ''}</span>
          </h1>
          ${model.files.length === 0 ? nothing : html`<span class="w-xl">${counts(model.counts)}</span>`}
          ${
            model.isWriting
              ? html`<span class="live w-xl" role="status"
                  >${icon('loading', 'spin s12')}${l10n.t('still writing')}</span
                >`
              : nothing
          }
          <span class="grow"></span>
          ${model.files.length === 0 ? this.redo() : this.actions()}
          <button
            type="button"
            class="ib"
            aria-label=${l10n.t('More')}
            title=${l10n.t('More')}
            aria-haspopup="menu"
            @click=${(event: Event) => this.more(event)}
          >
            ${icon('ellipsis')}
          </button>
        </header>
        <div
          class="pl-bar"
          role="progressbar"
          aria-label=${l10n.t('Reviewed {0} of {1} files', done, model.total)}
          aria-valuemin="0"
          aria-valuenow=${done}
          aria-valuemax=${Math.max(1, model.total)}
        >
          <i></i>
        </div>
        ${commentStrip(this.threads.all, { step: (by) => this.stepThread(by) })}`,
      this.top,
    );
    const bar = this.top.querySelector<HTMLElement>('.pl-bar > i');
    if (bar) bar.style.width = `${(100 * done) / Math.max(1, model.total)}%`;
    render(this.ending(), this.end);
    this.drawFoot();
    this.list.draw(this.model);
    this.mark();
  }

  private drawFoot(): void {
    const keys = this.model.files.length === 0 ? keyRows.end : keyRows.foot;
    const { chosen } = this.threads;
    this.foot.classList.toggle('has-words', chosen.length > 0 || this.nextHeld !== undefined);
    render(
      reviewFoot(keys, this.nextHeld, chosen, () => this.post({ type: 'sendDrafts' })),
      this.foot,
    );
  }

  private actions(): TemplateResult {
    const view = (name: ReviewView, label: string, glyph: string) => {
      const isChecked = this.isSideBySide === (name === 'sideBySide');
      return html`<button
        type="button"
        class="ib"
        role="radio"
        aria-checked=${String(isChecked)}
        aria-label=${label}
        title=${label}
        @click=${() => this.choose(name)}
      >
        ${icon(glyph)}
      </button>`;
    };
    const { showsDecided } = this.memory;
    const shows = l10n.t('Show decided');
    return html`<span class="pl-view" role="radiogroup" aria-label=${l10n.t('View')}
        >${view('inline', l10n.t('Inline'), 'diff-single')}${view('sideBySide', l10n.t('Side by side'), 'diff')}</span
      >
      <button
        type="button"
        class="ib w-md2"
        aria-pressed=${String(showsDecided)}
        aria-label=${shows}
        title=${shows}
        @click=${() => this.toggleDecided()}
      >
        ${icon('eye')}
      </button>
      ${this.allButton('keep', l10n.t('Keep all'), 'check-all')} ${this.allButton('undo', l10n.t('Undo all'), 'reply')}`;
  }

  /** In a page that is too narrow for its words and the title, the button is an icon. */
  private allButton(action: 'keep' | 'undo', label: string, glyph: string): TemplateResult {
    return html`<button
      type="button"
      class="btn sm all"
      aria-label=${label}
      title=${label}
      @click=${() => this.all(action)}
    >
      <span class="word">${label}</span>${icon(glyph, 'glyph')}
    </button>`;
  }

  /** Where Undo all was. */
  private redo(): TemplateResult | typeof nothing {
    if (!this.hasUndoneAll || !this.model.canUndoLast) return nothing;
    return html`<button type="button" class="btn sm" @click=${() => this.undoLast()}>${l10n.t('Redo')}</button>`;
  }

  private more(event: Event): void {
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLElement)) return;
    const { model, memory } = this;
    openMenu(currentTarget, l10n.t('More'), [
      ...(model.canUndoLast ? [{ label: l10n.t('Undo last'), run: () => this.undoLast() }] : []),
      {
        label: memory.showsDecided ? l10n.t('Hide decided') : l10n.t('Show decided'),
        run: () => this.toggleDecided(),
      },
      ...(model.files.length > 0
        ? [
            { label: l10n.t('Open as Multi-File Diff'), run: () => this.post({ type: 'openMultiDiff' }) },
            { label: l10n.t('Ask another agent to review…'), run: () => this.post({ type: 'askReviewer' }) },
          ]
        : []),
      ...(model.canBring
        ? [{ label: l10n.t('Bring changes here'), run: () => this.post({ type: 'bringChanges' }) }]
        : []),
      { label: l10n.t('All keys'), run: () => showKeys(this.page, keyRows.all) },
      { label: l10n.t('Return to chat'), run: () => this.post({ type: 'returnToChat' }) },
    ]);
  }

  /** What follows the files that are left: the decided ones, and the end of the review. */
  private ending(): TemplateResult | typeof nothing {
    if (!this.isShown) return nothing;
    const { model, memory } = this;
    const reviewAgain = (uri: string) => this.post({ type: 'reviewAgain', uri });
    const decided = memory.showsDecided ? decidedFiles(model.decided, reviewAgain) : nothing;
    if (model.files.length > 0) return html`${decided}`;
    const mayTakeBack = model.canUndoLast && !this.hasUndoneAll;
    return html`${reviewEnd(model, this.threads.unsent, memory.showsDecided, {
      commit: () => this.post({ type: 'commit' }),
      bring: () => this.post({ type: 'bringChanges' }),
      returnToChat: () => this.post({ type: 'returnToChat' }),
      undoLast: mayTakeBack ? () => this.undoLast() : undefined,
      toggleDecided: () => this.toggleDecided(),
    })}
    ${decided}`;
  }
}

/** What an edited comment is about, for the host: a reply's is what it answers. */
function subjectOf({ uri, hunk, replyTo }: PageComment): { readonly uri: string; readonly id: string } {
  return { uri, id: replyTo ?? hunk };
}
