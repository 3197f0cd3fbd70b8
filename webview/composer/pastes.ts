import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../src/shared/transcript/content';
import { isComposing } from '../base/composition';
import type { Attachments } from './attachments';
import { nameWithLines } from '../base/attachmentNames';
import { fieldText, isLongPaste, mayBeCode, pastedText, type TextAttachment } from './pasted';
import { removeRange, replaceRange } from './textField';

/** What pasting needs of the composer and of its page. */
export interface PasteActions {
  /** Asks the host whether a text was copied in an editor of this window. `recognized` is the answer. */
  findPasted(id: number, text: string): void;
  /** Asks the host for the text on the clipboard. `insert` is the answer. */
  readClipboard(): void;
  announce(sentence: string): void;
  /** The most lines that a pasted text may have in the message; 0 for any number. */
  longPasteLines(): number;
}

/** A paste that the host looks up. It is in the message, or attached, in the meantime. */
interface Asked {
  readonly id: number;
  readonly text: string;
  /** Where the text begins in the message. Undefined if it is attached. */
  readonly start: number | undefined;
  readonly attachment: TextAttachment | undefined;
}

/**
 * Decides what becomes of a pasted text. A long one is attached instead of flooding the message, and code of the workspace becomes a
 * reference to its lines. The text is in the message or attached at every time, also while the host looks for it.
 */
export class Pastes {
  private readonly attachments: Attachments;
  private readonly actions: PasteActions;
  private asked: Asked | undefined;
  private count = 0;

  constructor(attachments: Attachments, actions: PasteActions) {
    this.attachments = attachments;
    this.actions = actions;
  }

  /** Handles a pasted text. Returns whether something was attached. */
  take(event: ClipboardEvent, field: HTMLTextAreaElement): boolean {
    if (event.target !== field) return false;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isLong = isLongPaste(text, this.actions.longPasteLines());
    const start = field.selectionStart;
    const attachment = isLong ? pastedText(text) : undefined;
    if (attachment) {
      event.preventDefault();
      this.attachments.add([attachment]);
      this.actions.announce(l10n.t('Attached “{0}”', attachment.name));
    }
    if (mayBeCode(text)) {
      this.asked = { id: ++this.count, text, start: isLong ? undefined : start, attachment };
      this.actions.findPasted(this.count, text);
    }
    return isLong;
  }

  /** Handles the key that pastes the clipboard as text, whatever its length. VS Code's own key for it means something else. */
  key(event: KeyboardEvent): boolean {
    const isKey = event.key.toLowerCase() === 'v' && event.shiftKey && !event.altKey && event.ctrlKey !== event.metaKey;
    if (!isKey || isComposing(event)) return false;
    this.actions.readClipboard();
    return true;
  }

  /** Inserts a text at the cursor, as it is. */
  insert(text: string, field: HTMLTextAreaElement): void {
    if (text === '') return;
    field.focus();
    replaceRange(field, field.selectionStart, field.selectionEnd, fieldText(text));
  }

  /** Puts a reference in the place of the pasted text, if the text is still where it was pasted. Returns whether it was. */
  recognized(id: number, reference: Attachment | undefined, field: HTMLTextAreaElement): boolean {
    const { asked } = this;
    if (asked?.id !== id) return false;
    this.asked = undefined;
    if (reference?.type !== 'resource') return false;
    if (asked.attachment) {
      if (!this.attachments.replace(asked.attachment, reference)) return false;
    } else {
      const start = asked.start ?? 0;
      const text = fieldText(asked.text);
      if (field.value.slice(start, start + text.length) !== text) return false;
      this.attachments.add([reference]);
      removeRange(field, start, start + text.length);
    }
    this.actions.announce(l10n.t('Attached {0} instead of its text', nameWithLines(reference)));
    return true;
  }

  /** Called when another draft is shown. */
  forget(): void {
    this.asked = undefined;
  }
}
