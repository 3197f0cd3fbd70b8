import type { Attachment } from '../../src/shared/transcript/content';

/** A mention in the text, and what was attached for it. */
interface Mentioned {
  /** With the `@`. */
  readonly word: string;
  readonly attachment: Attachment;
  isIn: boolean;
}

/** What a change of the text means for the attachments. */
export interface MentionedChanges {
  readonly added: readonly Attachment[];
  readonly removed: readonly Attachment[];
}

/**
 * Connects attachments with the words that mention them. Without its word, an attachment is removed, and it returns with
 * the word, for example by Undo.
 */
export class MentionedAttachments {
  private all: Mentioned[] = [];

  /** Connects the attachments of another draft with the words in its text that have their names. */
  show(text: string, attachments: readonly Attachment[]): void {
    this.all = attachments.flatMap((attachment) => {
      const word = `@${attachment.name}`;
      return hasWord(text, word) ? [{ word, attachment, isIn: true }] : [];
    });
  }

  /** Returns whether a word mentions something else already. */
  isTaken(word: string, uri: string | undefined): boolean {
    return this.all.some((one) => one.isIn && one.word === word && one.attachment.uri !== uri);
  }

  /** Connects an attachment with its word. It's attached by the next call of `follow`, if the word is in the text. */
  add(word: string, attachment: Attachment): void {
    this.all.push({ word, attachment, isIn: false });
  }

  /** Forgets an attachment that the user has removed. Its word is now only text. */
  forget(attachment: Attachment): void {
    this.all = this.all.filter((one) => one.attachment !== attachment);
  }

  /** Returns the attachments whose words came or went since the last call. */
  follow(text: string): MentionedChanges {
    const added: Attachment[] = [];
    const removed: Attachment[] = [];
    for (const one of this.all) {
      const isIn = hasWord(text, one.word);
      if (isIn === one.isIn) continue;
      one.isIn = isIn;
      (isIn ? added : removed).push(one.attachment);
    }
    // Two words may mention the same.
    const stillIn = this.all.filter(({ isIn }) => isIn).map(({ attachment }) => attachment);
    return { added, removed: removed.filter((one) => !stillIn.includes(one)) };
  }
}

/** Returns whether a text has a word that isn't the beginning of a longer one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const rest = text.slice(at + word.length);
    if (!/^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}_])/u.test(rest)) return true;
  }
  return false;
}
