import type { Attachment } from '../../src/shared/transcript/content';
import { compact } from '../../src/shared/values/decodeValue';
import * as l10n from '@vscode/l10n';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, PageState, SessionListing, ToWebview } from '../../src/shared/pages/messages';
import { countTries, plainStart, type StartChoice } from '../../src/shared/pages/startChoice';
import type { Prompt, Transcript } from '../../src/shared/transcript/transcript';
import type { AttachmentUse } from '../base/attachmentUse';
import { Composer } from './composer';
import type { Memory } from '../state/memory';
import { sentPrompts } from './promptHistory';

/** The page functions that the composer needs. */
interface ComposerPage {
  readonly memory: Memory;
  readonly session: SessionKey | '';
  readonly transcript: Transcript | undefined;
  readonly page: PageState;
  post(message: FromWebview): void;
  announce(sentence: string): void;
  preview(attachment: Attachment, use?: AttachmentUse): void;
}

/** What the page does when something happens in the composer. */
interface ComposerEvents {
  /** Called before a message is sent. */
  sending(): void;
  /** Called after the message being typed has changed. */
  draftChanged(): void;
  /** Moves the focus to what is above the composer. */
  goUp(): void;
}

/** The composer of a page, and the session of its draft. */
export class PageComposer {
  readonly composer: Composer;
  private readonly page: ComposerPage;
  private draftOf: SessionKey | '';
  /** The session that was started with what is typed. */
  private startedWith: SessionKey | undefined;
  /** The draft with which something is being started, and what, in words. */
  private starting: { readonly draft: SessionKey | ''; readonly words: string } | undefined;
  /** The draft whose session the user is asked about. */
  private askedFor: SessionKey | '' | undefined;
  /** The session that got a draft of a session that is gone. */
  private adoptedIn: SessionKey | undefined;
  /** For each session whose draft was taken out of the queue: the waiting messages before it, so that it returns to its place. */
  private readonly places = new Map<SessionKey | '', readonly string[]>();

  constructor(container: HTMLElement, page: ComposerPage, events: ComposerEvents) {
    this.page = page;
    const { memory } = page;
    this.draftOf = memory.shownSession ?? '';
    const withSession = (message: (session: SessionKey) => FromWebview) => {
      if (page.session !== '') page.post(message(page.session));
    };
    this.composer = new Composer(container, {
      send: (text, attachments) => {
        const more = attachments.length > 0 ? { attachments } : {};
        const after = this.places.get(this.draftOf);
        this.places.delete(this.draftOf);
        events.sending();
        page.post({ type: 'sendPrompt', session: this.draftOf, text, ...more, ...compact({ after }) });
      },
      startTyped: (text, attachments, start) => this.startTyped(text, attachments, start),
      startChanged: (start) => memory.setStart(this.draftOf, start),
      findPlaces: () => page.post({ type: 'findPlaces', session: this.draftOf }),
      changeCheck: () => page.post({ type: 'changeCheck', session: this.draftOf }),
      askForWorktree: () => {
        this.askedFor = this.draftOf;
        page.post({ type: 'newSessionInWorktree', ...this.words });
      },
      tryWith: () => this.tryWith(),
      chooseSandbox: () => page.post({ type: 'chooseSandbox' }),
      useFolder: (action) => withSession((session) => ({ type: 'useFolder', session, action })),
      showSandbox: () => withSession((session) => ({ type: 'showSandbox', session })),
      reviewWorktree: () => withSession((session) => ({ type: 'reviewWorktree', session })),
      askAside: () => withSession((session) => ({ type: 'askAside', session })),
      setGoal: () => withSession((session) => ({ type: 'changeGoal', session, action: 'set' })),
      stop: () => withSession((session) => ({ type: 'cancelTurn', session })),
      setOption: (configId, value) => withSession((session) => ({ type: 'setConfigOption', session, configId, value })),
      draftChanged: (text) => {
        // What begins in an empty field is another message.
        if (memory.draft(this.draftOf) === '' && text !== '') this.places.delete(this.draftOf);
        memory.setDraft(this.draftOf, text);
        events.draftChanged();
      },
      preview: (attachment, use) => page.preview(attachment, use),
      attachmentsChanged: (all) => memory.setAttached(this.draftOf, all),
      findTextless: (uris) => page.post({ type: 'findTextless', uris }),
      ignoresEditor: () => memory.ignoresEditor,
      setIgnoresEditor: (isIgnored) => memory.setIgnoresEditor(isIgnored),
      attachUris: (uris) => page.post({ type: 'attachUris', uris }),
      findPasted: (id, text) => page.post({ type: 'findPasted', id, text }),
      longPasteLines: () => page.page.longPasteLines,
      readClipboard: () => page.post({ type: 'readClipboard' }),
      findMentions: (query) => page.post({ type: 'findMentions', query }),
      takeMention: (id) => page.post({ type: 'takeMention', id }),
      takePrompt: (id) => page.post({ type: 'takePrompt', id }),
      history: () => sentPrompts(page.transcript),
      goUp: () => events.goUp(),
      announce: (sentence) => page.announce(sentence),
    });
    this.showDraft();
  }

  get hasMessage(): boolean {
    return !this.composer.isEmpty;
  }

  /** What a message that starts an agent says about the message being typed. */
  get sends(): { readonly sends?: true } {
    return this.hasMessage ? { sends: true } : {};
  }

  /** The same, and the words that a name can be made of. */
  get words(): { readonly sends?: true; readonly words?: string } {
    return this.hasMessage ? { sends: true, words: this.composer.text.slice(0, 500) } : {};
  }

  /** Starts several tries of the message that is typed. It stays here until they have started. */
  tryWith(): void {
    const attachments = this.page.memory.attached(this.draftOf);
    const more = attachments.length > 0 ? { attachments } : {};
    this.page.post({ type: 'tryWith', text: this.composer.text, ...more });
  }

  /** Puts a message of the queue back into the composer. When it is sent, it returns to its place, after the messages of these ids. */
  edit({ text, attachments }: Prompt, after: readonly string[]): void {
    this.composer.putBack(text, attachments);
    this.composer.focus();
    this.places.set(this.draftOf, after);
  }

  /** Handles a message for the composer. Returns false for all others. */
  take(message: ToWebview): boolean {
    switch (message.type) {
      case 'focusComposer':
        if (message.draft !== undefined && this.composer.text === '') this.composer.putBack(message.draft);
        this.composer.focus();
        return true;
      case 'promptReturned':
        this.composer.putBack(message.text, message.attachments);
        return true;
      case 'typedSent':
        this.sent(message.session, message.text);
        return true;
      case 'startFailed':
        if (this.starting?.draft === message.session) this.starting = undefined;
        this.followStart();
        if (message.problem === undefined) return true;
        if (this.draftOf === message.session) this.composer.refuseSending(message.problem);
        else this.page.announce(message.problem);
        return true;
      case 'startPlaces':
        if (this.draftOf === message.session) this.composer.takePlaces(message.places);
        return true;
      case 'sendTyped':
        this.moveAsked(message.session);
        this.startedWith = message.session;
        this.sendInStarted();
        return true;
      case 'triesStarted':
        if (this.composer.text === message.text) {
          this.page.memory.setDraft(this.draftOf, '');
          this.page.memory.setAttached(this.draftOf, []);
          this.showDraft();
        }
        return true;
      case 'attach':
        this.composer.attach(message.attachments);
        return true;
      case 'foundPasted':
        this.composer.takeReference(message.id, message.attachment);
        return true;
      case 'clipboardText':
        this.composer.insert(message.text);
        return true;
      case 'followedFile':
        this.composer.followFile(message.file);
        return true;
      case 'addDraft':
        this.composer.addDraft(message.text, message.attachments, message.isFromLink);
        return true;
      case 'prompts':
        this.composer.setPrompts(message.prompts);
        return true;
      case 'tookPrompt':
        this.composer.takePrompt(message.id, message.text);
        return true;
      case 'foundTextless':
        this.composer.takeTextless(message.uris);
        return true;
      case 'foundMentions':
        this.composer.takeMentions(message.query, message.mentions);
        return true;
      case 'tookMention':
        this.composer.takeMentioned(message.id, message.attachments);
        return true;
      default:
        return false;
    }
  }

  /**
   * Switches to the draft of another session. Text typed on the start page moves to the session created from it, and text typed in a
   * session that no longer exists stays in the composer.
   */
  switchTo(session: SessionKey | '', sessions: readonly SessionListing[]): void {
    const from = this.draftOf;
    if (session === from) return;
    const isGone = !sessions.some((other) => other.session === from);
    // A session that was started on the start page is where and with whom the user wants it.
    if (from === '') this.page.memory.setStart(from, plainStart);
    if (from === '' || isGone) this.page.memory.moveDraft(from, session);
    this.draftOf = session;
    this.showDraft();
    this.sendInStarted();
  }

  /** Shows a draft whose session is gone, and which no other session has, in a session that has just begun. */
  adopt(transcript: Transcript, sessions: readonly SessionListing[]): void {
    const { draftOf } = this;
    const { order, view } = transcript;
    const hasBegun = order.length + view.queue.length > 0 || view.title !== '';
    if (draftOf === '' || hasBegun || this.startedWith !== undefined || this.hasMessage) return;
    const open = new Set(sessions.map(({ session }) => session));
    if (!open.has(draftOf) || !this.page.memory.adoptDraft(draftOf, open)) return;
    this.adoptedIn = draftOf;
    this.showDraft();
  }

  private sendInStarted(): void {
    if (this.startedWith === undefined || this.startedWith !== this.draftOf) return;
    this.startedWith = undefined;
    // What the user wrote elsewhere must not be sent because a session started with another message.
    if (this.adoptedIn !== this.draftOf) this.composer.send();
  }

  /** Asks the host for what the row says. The message stays here until it is sent, so that nothing typed is lost. */
  private startTyped(text: string, attachments: readonly Attachment[], start: StartChoice): void {
    const session = this.draftOf;
    this.starting = { draft: session, words: startingWords(start) };
    this.followStart();
    const more = attachments.length > 0 ? { attachments } : {};
    this.page.post({ type: 'startTyped', session, text, ...more, start });
  }

  /** Removes a draft that was sent, and what it said about its session. After a reload, only the message that is still the same. */
  private sent(session: SessionKey | '', text: string): void {
    const { memory } = this.page;
    const isWaiting = this.starting?.draft === session;
    if (isWaiting) this.starting = undefined;
    if (isWaiting || memory.draft(session) === text) {
      memory.setDraft(session, '');
      memory.setAttached(session, []);
      memory.setStart(session, plainStart);
      if (this.draftOf === session) this.showDraft();
    }
    this.followStart();
  }

  /** Moves the draft whose session the user was asked about to that session. */
  private moveAsked(session: SessionKey): void {
    const from = this.askedFor;
    this.askedFor = undefined;
    if (from === undefined || from === '' || from === session) return;
    const { memory } = this.page;
    memory.setStart(from, plainStart);
    memory.moveDraft(from, session);
    if (this.draftOf === session) this.showDraft();
  }

  private followStart(): void {
    const isHere = this.starting?.draft === this.draftOf;
    this.composer.setStarting(isHere ? (this.starting?.words ?? '') : '');
  }

  private showDraft(): void {
    const { memory } = this.page;
    this.composer.show(memory.draft(this.draftOf), memory.attached(this.draftOf), memory.start(this.draftOf));
    this.followStart();
  }
}

function startingWords(start: StartChoice): string {
  if (countTries(start) > 1) return l10n.t('Setting up the tries…');
  return start.place.kind === 'worktree' ? l10n.t('Creating the worktree…') : l10n.t('Starting the session…');
}
