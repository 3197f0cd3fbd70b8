import type { RedoOffer } from '../src/shared/changes/review';
import type { AttachmentUse } from './base/attachmentUse';
import type { Attachment } from '../src/shared/transcript/content';
import { Disposable } from '../src/shared/values/disposable';
import { Emitter, type Event } from '../src/shared/values/event';
import type { SessionKey } from '../src/shared/values/ids';
import type { FromWebview, PageState } from '../src/shared/pages/messages';
import type { Prompt, Transcript } from '../src/shared/transcript/transcript';
import { Announcer } from './base/announcer';
import type { PageComposer } from './composer/pageComposer';
import { ChangedPaths } from './state/changedPaths';
import { Memory } from './state/memory';
import { Messenger } from './state/messenger';
import type { PageContext } from './state/pageContext';
import { Restores } from './state/restores';
import { RuleOffers } from './state/ruleOffers';
import { Store } from './state/store';
import { AttachmentPreview } from './viewer/attachmentPreview';
import { ImageViewer } from './viewer/imageViewer';

/** What the parts of the chat page share: the connection to the host, its state, the page's memory, and announcements. */
export class SharedContext extends Disposable implements PageContext {
  readonly messenger = this.register(new Messenger());
  readonly memory: Memory;
  readonly state: Store;
  readonly restores: Restores;
  readonly ruleOffers = new RuleOffers();
  readonly changedPaths = new ChangedPaths();
  readonly attachmentPreview: AttachmentPreview;
  private readonly announcer: Announcer;
  private readonly changesWanted = this.register(new Emitter<void>());
  private readonly input: () => PageComposer;

  /** Dialogs open in `root`, `speech` is read by screen readers, and `input` has the message being typed. */
  constructor(root: HTMLElement, speech: HTMLElement, input: () => PageComposer) {
    super();
    this.input = input;
    const post = (message: FromWebview) => this.post(message);
    this.memory = new Memory(this.messenger.readState(), (state) => this.messenger.writeState(state));
    this.state = this.register(new Store((session) => this.post({ type: 'fetchSnapshot', session })));
    this.announcer = new Announcer(speech);
    this.restores = new Restores(post, (sentence) => this.announce(sentence));
    this.attachmentPreview = new AttachmentPreview(root, new ImageViewer(root), post);
  }

  /** Fires when the user wants to see the files that wait for review. */
  get onDidWantChanges(): Event<void> {
    return this.changesWanted.event;
  }

  get session(): SessionKey | '' {
    return this.state.session;
  }

  get transcript(): Transcript | undefined {
    return this.state.transcript;
  }

  get page(): PageState {
    return this.state.page;
  }

  post(message: FromWebview): void {
    this.messenger.post(message);
  }

  /** Posts a message about the shown session, if there is one. */
  postInSession(message: (session: SessionKey) => FromWebview): void {
    const { session } = this;
    if (session !== '') this.post(message(session));
  }

  hasChanges(path: string): boolean {
    return this.changedPaths.has(path);
  }

  get isReviewPending(): boolean {
    return this.state.files.length > 0;
  }

  get redo(): RedoOffer | undefined {
    return this.state.redo;
  }

  isExpanded(key: string): boolean | undefined {
    return this.memory.isExpanded(key);
  }

  setExpanded(key: string, open: boolean): void {
    this.memory.setExpanded(key, open);
  }

  showChanges(): void {
    this.changesWanted.fire(undefined);
  }

  preview(attachment: Attachment, use?: AttachmentUse): void {
    this.attachmentPreview.open(attachment, use);
  }

  announce(sentence: string): void {
    this.announcer.announce(sentence);
  }

  alert(sentence: string): void {
    this.announcer.alert(sentence);
  }

  get hasMessage(): boolean {
    return this.input().hasMessage;
  }

  takeMessage(): Prompt | undefined {
    return this.input().composer.take();
  }

  focusMessage(): void {
    this.input().composer.focus();
  }
}
