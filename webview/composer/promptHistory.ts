import type { Transcript } from '../../src/shared/transcript';

/**
 * Walks through what was sent before, oldest first in `entries`, with the unsent text at the end. Changing a text that was
 * fetched makes it the unsent one.
 */
export class PromptHistory {
  private at: number | undefined;
  private unsent = '';

  /** The text before the one shown; undefined at the oldest. */
  older(entries: readonly string[], shown: string): string | undefined {
    const at = this.position(entries, shown);
    if (at === 0) return undefined;
    this.at = at - 1;
    return entries[this.at];
  }

  /** The text after the one shown, at last the unsent one; undefined when that is what is shown. */
  newer(entries: readonly string[], shown: string): string | undefined {
    const at = this.position(entries, shown);
    if (at === entries.length) return undefined;
    this.at = at + 1;
    return this.at === entries.length ? this.unsent : entries[this.at];
  }

  /** The walk is over: something was sent, or another session is shown. */
  reset(): void {
    this.at = undefined;
    this.unsent = '';
  }

  /** What is shown but not what was fetched has been changed since, and is the unsent text from then on. */
  private position(entries: readonly string[], shown: string): number {
    if (this.at !== undefined && this.at < entries.length && entries[this.at] === shown) return this.at;
    this.unsent = shown;
    return entries.length;
  }
}

/**
 * What the user sent in a session, oldest first, without neighbours that are the same. The transcript itself is the
 * record, so the history outlives every reload with it.
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
