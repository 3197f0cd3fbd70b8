import { wordMarks } from '../../src/shared/diff/wordMarks';
import { tokensToDom } from '../code/codeBlock';
import { highlight, highlightLimit, isLanguageLoaded, tokensByLine, type CodeToken } from '../code/highlight';

/** A line of a diff: unchanged, added, or removed. */
interface CodeRow {
  readonly kind: 'same' | 'add' | 'del';
  readonly text: string;
}

/**
 * Returns the colors of the rows. Each side is highlighted as one text, so that strings and comments over several lines are colored
 * correctly.
 */
export function rowColors(
  rows: readonly (CodeRow | { readonly kind: 'gap' })[],
  language: string,
): Map<number, CodeToken[]> {
  const found = new Map<number, CodeToken[]>();
  if (!isLanguageLoaded(language)) return found;
  for (const side of ['del', 'add'] as const) {
    const own = rows.flatMap((row, at) => (row.kind === 'same' || row.kind === side ? [{ text: row.text, at }] : []));
    if (side === 'del' && !rows.some((row) => row.kind === 'del')) continue;
    const text = own.map((row) => row.text).join('\n');
    if (text.length > highlightLimit) continue;
    const lines = tokensByLine(highlight(text, language));
    own.forEach((row, index) => found.set(row.at, lines[index] ?? []));
  }
  return found;
}

/** Creates the code of a line. Words that aren't in `pair`, the line on the other side, are marked. */
export function codeElement(
  text: string,
  pair: string | undefined,
  tokens: readonly CodeToken[] | undefined,
): HTMLElement {
  const code = document.createElement('span');
  code.append(tokens ? tokensToDom(tokens) : text);
  const marks = pair === undefined ? undefined : wordMarks(text, pair);
  if (marks) markRanges(code, marks);
  return code;
}

/** Wraps ranges of the text in `parent` in `mark` elements, across its color spans. */
function markRanges(parent: HTMLElement, ranges: readonly (readonly [number, number])[]): void {
  let at = 0;
  let range = 0;
  const walker = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    let node = text;
    let from = at;
    at += text.length;
    while (range < ranges.length) {
      const [start, end] = ranges[range] ?? [0, 0];
      if (start >= at) break;
      const head = Math.max(start, from);
      const tail = Math.min(end, at);
      if (tail > head) {
        const marked = head > from ? node.splitText(head - from) : node;
        const rest = tail < at ? marked.splitText(tail - head) : undefined;
        const mark = document.createElement('mark');
        marked.replaceWith(mark);
        mark.append(marked);
        if (rest) node = rest;
        from = tail;
      }
      if (end > at) break;
      range++;
    }
  }
}
