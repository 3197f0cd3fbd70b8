import type { Transcript } from '../../shared/transcript';

/** A title made of a prompt is at most about this long. */
const longest = 60;

/** The text on one line, with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The first words of a prompt, as a session's title. */
export function titleOf(prompt: string): string {
  const line = oneLine(prompt);
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const end = cut.lastIndexOf(' ');
  // A very long first word is cut, though never inside a pair of surrogates.
  const words = end > longest / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${words}…`;
}

/** The title a session has when its agent gives none; empty before the first prompt. */
export function fallbackTitle(transcript: Transcript): string {
  for (const id of transcript.order) {
    const entry = transcript.entries.get(id);
    if (entry?.kind !== 'user_message') continue;
    return titleOf(entry.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
  }
  return '';
}
