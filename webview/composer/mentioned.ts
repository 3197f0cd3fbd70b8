import type { Attachment } from '../../src/shared/content';

/** The attachments that the user mentioned in the message, which go and come back with their names in its text. */
export class Mentioned {
  private readonly all = new Map<Attachment, string>();
  private readonly gone = new Set<Attachment>();

  /** Records an attachment that was mentioned by inserting `word` into the text. */
  add(attachment: Attachment, word: string): void {
    this.all.set(attachment, word);
    this.gone.delete(attachment);
  }

  /** Returns what the text no longer mentions of these attachments, and what it mentions again. */
  follow(text: string, attached: readonly Attachment[]): { readonly lost: Attachment[]; readonly back: Attachment[] } {
    const lost: Attachment[] = [];
    const back: Attachment[] = [];
    for (const [attachment, word] of this.all) {
      const isMentioned = contains(text, word);
      if (attached.includes(attachment)) {
        if (isMentioned) continue;
        this.gone.add(attachment);
        lost.push(attachment);
      } else if (isMentioned && this.gone.delete(attachment)) {
        back.push(attachment);
      }
    }
    return { lost, back };
  }

  /** Forgets everything, because another message is being typed. */
  clear(): void {
    this.all.clear();
    this.gone.clear();
  }
}

/** Returns whether a word is in the text, and not only the beginning of a longer one. */
function contains(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const next = text[at + word.length];
    const after = text[at + word.length + 1] ?? '';
    // A dot at the end of a sentence isn't part of a name.
    const goesOn = next === '.' ? isPartOfName(after) : next !== undefined && isPartOfName(next);
    if (!goesOn) return true;
  }
  return false;
}

function isPartOfName(character: string): boolean {
  return /[\p{L}\p{N}_/-]/u.test(character);
}
