import type { Transcript } from '../../shared/transcript/transcript';

/** Approximate maximum length of a title made from a prompt. */
const longest = 60;

/** Returns the text on one line, with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the first words of a prompt as the session's title. */
export function titleOf(prompt: string): string {
  const line = oneLine(prompt);
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const end = cut.lastIndexOf(' ');
  // Cuts a very long first word, but never inside a surrogate pair.
  const words = end > longest / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${words}…`;
}

/** Returns the title of a session whose agent sent none; empty before the first prompt. */
export function fallbackTitle(transcript: Transcript): string {
  for (const id of transcript.order) {
    const entry = transcript.entries.get(id);
    if (entry?.kind !== 'user_message') continue;
    return titleOf(entry.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
  }
  return '';
}
