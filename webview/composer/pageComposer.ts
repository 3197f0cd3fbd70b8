import type { Attachment } from '../../src/shared/content';
import { compact } from '../../src/shared/decodeValue';
import type { SessionKey } from '../../src/shared/ids';
import type { FromWebview, PageState, SessionListing, ToWebview } from '../../src/shared/messages';
import type { Prompt, Transcript } from '../../src/shared/transcript';
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
      tryWith: () => this.tryWith(),
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
      case 'sendTyped':
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

  private showDraft(): void {
    const { memory } = this.page;
    this.composer.show(memory.draft(this.draftOf), memory.attached(this.draftOf));
  }
}
