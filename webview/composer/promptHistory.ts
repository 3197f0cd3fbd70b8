import type { Transcript } from '../../src/shared/transcript/transcript';

/**
 * Moves through sent messages, oldest first in `entries`, with the unsent texts at the end. A text from the history that the user changes
 * becomes another unsent one, so that the first isn't lost.
 */
export class PromptHistory {
  private at: number | undefined;
  private unsent: string[] = [];

  /** Returns the text before the current one, or undefined at the oldest. */
  older(entries: readonly string[], shown: string): string | undefined {
    const at = this.position(entries, shown);
    if (at === 0) return undefined;
    this.at = at - 1;
    return this.all(entries)[this.at];
  }

  /** Returns the text after the current one and finally the unsent ones, or undefined if the last of them is shown. */
  newer(entries: readonly string[], shown: string): string | undefined {
    const at = this.position(entries, shown);
    const all = this.all(entries);
    // Without an unsent text, an empty one comes last.
    if (at >= Math.max(all.length - 1, entries.length)) return undefined;
    this.at = at + 1;
    return all[this.at] ?? '';
  }

  /** Resets the position, because a message was sent or another session is shown. */
  reset(): void {
    this.at = undefined;
    this.unsent = [];
  }

  private all(entries: readonly string[]): readonly string[] {
    return [...entries, ...this.unsent];
  }

  /** Returns the position of the shown text. If the user changed it, it becomes an unsent text. */
  private position(entries: readonly string[], shown: string): number {
    const all = this.all(entries);
    if (this.at !== undefined && all[this.at] === shown) return this.at;
    if (shown.trim() === '') return all.length;
    if (!this.unsent.includes(shown)) this.unsent.push(shown);
    return entries.length + this.unsent.indexOf(shown);
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
