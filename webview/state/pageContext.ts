import type { Attachment } from '../../src/shared/transcript/content';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, PageState } from '../../src/shared/pages/messages';
import type { RedoOffer } from '../../src/shared/changes/review';
import type { Prompt } from '../../src/shared/transcript/transcript';
import type { FormMemory } from './memory';
import type { Restores } from './restores';
import type { RuleOffers } from './ruleOffers';

/** The context shared by the parts of the page: the connection to the host, the shown session, memory, and announcements. */
export interface PageContext {
  post(message: FromWebview): void;
  /** The shown session. Empty on the start page. */
  readonly session: SessionKey | '';
  readonly page: PageState;
  /** The messages whose files can be restored, and the open previews. */
  readonly restores: Restores;
  /** The host's responses about rules for open requests. */
  readonly ruleOffers: RuleOffers;
  /** The values typed into unanswered forms. */
  readonly memory: FormMemory;
  /** Returns whether a file has changes in this session that wait for review. `path` is as the agent wrote it. */
  hasChanges(path: string): boolean;
  /** Whether any change of the shown session waits for review. */
  readonly isReviewPending: boolean;
  /** What the user undid at once and can redo. */
  readonly redo: RedoOffer | undefined;
  /** Returns whether the user opened (true) or closed (false) something foldable in this session. Undefined if neither. */
  isExpanded(key: string): boolean | undefined;
  setExpanded(key: string, open: boolean): void;
  /** Unfolds the files that wait for review, above the message, and moves the focus there. */
  showChanges(): void;
  /** Shows an attachment in a dialog. `insert` puts its text into the message instead. */
  preview(attachment: Attachment): void;
  /** Whether something is typed that can be sent. */
  readonly hasMessage: boolean;
  /** Takes what is typed out of the composer, to send it with an answer. Returns undefined if it can't be sent; the composer says why. */
  takeMessage(): Prompt | undefined;
  /** Moves the focus to the composer. */
  focusMessage(): void;
  /** Announces a sentence politely to screen readers, at most one per 2 s. */
  announce(sentence: string): void;
  /** Announces a sentence to screen readers immediately, as `role=alert` text outside every group. */
  alert(sentence: string): void;
}
