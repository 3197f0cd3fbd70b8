import { redactText } from '../../../acp/base/redactText';
import type { EntryId } from '../../../shared/values/ids';
import type { Entry } from '../../../shared/transcript/transcript';

/** What was said in one entry. */
export type Said = readonly [entry: EntryId, text: string];

/** The longest text of one entry that is searched, in UTF-16 units. */
const maxText = 20_000;
/** The longest sentence that a result shows, in UTF-16 units. */
const maxSentence = 160;

/** Returns what the user and the agent said, without secrets. */
export function saidIn(entries: Iterable<Entry>): Said[] {
  const said: Said[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'user_message' && entry.kind !== 'agent_message') continue;
    const texts = entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const text = redactText(texts.join('\n')).slice(0, maxText).trim();
    if (text !== '') said.push([entry.id, text]);
  }
  return said;
}

/** Returns the words of a search, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];
}

/**
 * Returns the newest entry with the most of these words, and the sentence there. Undefined unless each word was said
 * somewhere in the session.
 */
export function findSaid(
  said: readonly Said[],
  words: readonly string[],
): { readonly entry: EntryId; readonly sentence: string } | undefined {
  const missing = new Set(words);
  let best: { readonly said: Said; readonly count: number; readonly at: number } | undefined;
  for (const one of said) {
    const text = one[1].toLowerCase();
    const places = words.map((word) => text.indexOf(word));
    const found = places.filter((place) => place >= 0);
    for (const [at, word] of words.entries()) if ((places[at] ?? -1) >= 0) missing.delete(word);
    if (found.length > 0 && found.length >= (best?.count ?? 0)) {
      best = { said: one, count: found.length, at: Math.min(...found) };
    }
  }
  if (!best || missing.size > 0) return undefined;
  return { entry: best.said[0], sentence: sentenceAt(best.said[1], best.at) };
}

/** Returns the sentence around a position, or a part of it if it is long. */
function sentenceAt(text: string, at: number): string {
  const before = text.slice(0, at);
  const start = Math.max(before.search(/[^.!?\n]*$/), at - maxSentence / 2, 0);
  const rest = text.slice(at);
  const end = at + (/[.!?](?=\s)|\n/.exec(rest)?.index ?? rest.length) + 1;
  return text
    .slice(start, Math.min(end, start + maxSentence))
    .replace(/\s+/g, ' ')
    .trim();
}
