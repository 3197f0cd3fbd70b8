import type { Transcript } from '../../src/shared/transcript';

/**
 * Moves through sent messages, oldest first in `entries`, with the unsent text at the end. Changing a text from the history makes it the
 * unsent one.
 */
export class PromptHistory {
  private at: number | undefined;
  private unsent = '';

  /** Returns the text before the current one, or undefined at the oldest. */
  older(entries: readonly string[], shown: string): string | undefined {
    const at = this.position(entries, shown);
    if (at === 0) return undefined;
    this.at = at - 1;
    return entries[this.at];
  }

  /** Returns the text after the current one and finally the unsent text, or undefined if that is shown. */
  newer(entries: readonly string[], shown: string): string | undefined {
    const at = this.position(entries, shown);
    if (at === entries.length) return undefined;
    this.at = at + 1;
    return this.at === entries.length ? this.unsent : entries[this.at];
  }

  /** Resets the position, because a message was sent or another session is shown. */
  reset(): void {
    this.at = undefined;
    this.unsent = '';
  }

  /** Returns the position of the shown text. If the user changed it, it becomes the unsent text. */
  private position(entries: readonly string[], shown: string): number {
    if (this.at !== undefined && this.at < entries.length && entries[this.at] === shown) return this.at;
    this.unsent = shown;
    return entries.length;
  }
}

/**
 * Returns the user's messages in a session, oldest first, without consecutive duplicates. The transcript is the record, so the history
 * survives reloads with it.
 */
export function sentPrompts(transcript: Transcript | undefined): readonly string[] {
  const texts: string[] = [];
  const add = (text: string) => {
    if (text.trim() !== '' && texts.at(-1) !== text) texts.push(text);
  };
  for (const id of transcript?.order ?? []) {
    const entry = transcript?.entries.get(id);
    if (entry?.kind !== 'user_message') continue;
    add(entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''));
  }
  for (const { text } of transcript?.view.queue ?? []) add(text);
  return texts;
}
