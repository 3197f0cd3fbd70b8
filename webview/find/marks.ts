import type { LineMatcher } from '../../src/shared/pages/findQuery';

/** Maximum number of matches to mark on the page at a time. */
const mostMarks = 2000;

/** Elements whose texts are lines of their own. */
const blocks = 'p, li, h1, h2, h3, h4, h5, h6, pre, td, th, div, tr, summary, button, figcaption, dt, dd';
/** Texts that are only for screen readers, that belong to controls, or that are about a turn and not in it. */
const skipped = '.sr, .acts, .pl-turn-end, [aria-hidden="true"], textarea, select, [hidden]';

/** A visible line, and the pieces of text nodes that it consists of. */
interface Line {
  text: string;
  readonly pieces: Piece[];
}

/** A piece of a text node: its place in the line, and its place in the node. */
interface Piece {
  readonly node: Text;
  readonly at: number;
  readonly from: number;
  readonly length: number;
}

/** Returns the ranges of the matches that can be seen in an element, in order. */
export function rangesIn(element: HTMLElement, match: LineMatcher): Range[] {
  const ranges: Range[] = [];
  for (const line of linesOf(element)) {
    for (const [start, end] of match(line.text)) {
      const range = rangeOf(line, start, end);
      if (range) ranges.push(range);
      if (ranges.length >= mostMarks) return ranges;
    }
  }
  return ranges;
}

/** Collects the visible texts of an element as lines: a text ends where its block ends, or at a line break in it. */
function linesOf(element: HTMLElement): readonly Line[] {
  const lines: Line[] = [];
  let line: Line = { text: '', pieces: [] };
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(skipped) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const end = () => {
    if (line.pieces.length > 0) lines.push(line);
    line = { text: '', pieces: [] };
  };
  const add = (node: Text, from: number, to: number) => {
    if (to <= from) return;
    line.pieces.push({ node, at: line.text.length, from, length: to - from });
    line.text += node.data.slice(from, to);
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLBRElement) end();
    if (!(node instanceof Text)) continue;
    const own: Element | null = node.parentElement?.closest(blocks) ?? null;
    if (own !== block) end();
    block = own;
    let from = 0;
    for (let at = node.data.indexOf('\n'); at >= 0; at = node.data.indexOf('\n', from)) {
      add(node, from, at);
      end();
      from = at + 1;
    }
    add(node, from, node.data.length);
  }
  end();
  return lines;
}

function rangeOf({ pieces }: Line, start: number, end: number): Range | undefined {
  const first = pieces.find(({ at, length }) => start < at + length);
  const last = pieces.find(({ at, length }) => end <= at + length);
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, first.from + start - first.at);
  range.setEnd(last.node, last.from + end - last.at);
  return range;
}

/** The marks of the matches. The browser draws them, so the page's elements stay as they are. */
export class Marks {
  private readonly all = new Highlight();
  private readonly current = new Highlight();

  constructor() {
    this.current.priority = 1;
    CSS.highlights.set('pl-find', this.all);
    CSS.highlights.set('pl-find-current', this.current);
  }

  set(ranges: readonly Range[], current: Range | undefined): void {
    this.all.clear();
    for (const range of ranges.slice(0, mostMarks)) this.all.add(range);
    this.current.clear();
    if (current) this.current.add(current);
  }

  clear(): void {
    this.set([], undefined);
  }
}
