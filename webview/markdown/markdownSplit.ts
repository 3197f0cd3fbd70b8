import { fenceEnd, holdsFences, innerFence } from './markdownFence';
import { markdownIt, type MarkdownEnv } from './markdownIt';

/** A piece of a growing markdown text, in order: finished blocks, or text of an open code fence as it arrives. */
export type MarkdownPiece =
  /** Blocks that won't change. `continues` means that they continue the previous block, which was cut because of its length. */
  | { readonly type: 'blocks'; readonly source: string; readonly continues: boolean }
  | { readonly type: 'fenceOpen'; readonly info: string }
  | { readonly type: 'fenceText'; readonly text: string }
  | { readonly type: 'fenceClose' };

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly indent: number;
  /** Whether the next character starts a line. The start of a line is held back while it may close the fence. */
  lineStart: boolean;
  /** How many fences are open inside it, if it is one of Markdown. */
  inner: number | undefined;
}

interface Block {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** The start lines of a list's direct items. */
  readonly items: readonly number[];
  readonly info: string;
  readonly markup: string;
}

/** Maximum lengths of an unfinished block in UTF-16 units. Longer ones are cut, so that the cost of rendering stays bounded. */
const limits: Readonly<Record<string, number>> = {
  paragraph_open: 4096,
  bullet_list_open: 2048,
  ordered_list_open: 2048,
  blockquote_open: 4096,
  table_open: 8192,
};
const hardLimit = 16_384;

/**
 * Cuts a streaming markdown text into finished blocks and an unfinished tail. The result doesn't depend on how the text was split. The
 * length of the tail is bounded, so the total work is linear in the text.
 */
export class MarkdownSplitter {
  /** The link definitions so far, for the renderer. */
  readonly env: MarkdownEnv = {};
  private text = '';
  private fence: Fence | undefined;
  private continues = false;
  /** Number of characters at the start of the tail that repeat a table's header and don't belong to the text. */
  private repeated = 0;
  private parsedUpTo = -1;

  /** The unfinished blocks, which may still change. Empty inside a fence. */
  get tail(): { readonly source: string; readonly continues: boolean } {
    const source = this.fence ? '' : this.text;
    return { source: source.length === this.repeated ? '' : source, continues: this.continues };
  }

  get isInFence(): boolean {
    return this.fence !== undefined;
  }

  push(text: string): MarkdownPiece[] {
    const out: MarkdownPiece[] = [];
    this.text += text.includes('\r') ? text.replaceAll('\r', '') : text;
    while (this.fence ? this.takeFence(out) : this.takeBlocks(out));
    return out;
  }

  /** Declares the text complete, which finishes the tail. */
  end(): MarkdownPiece[] {
    const out: MarkdownPiece[] = [];
    if (this.fence) {
      const closes = closing(this.fence).test(this.text);
      if (this.text !== '' && !closes) out.push({ type: 'fenceText', text: this.text });
      out.push({ type: 'fenceClose' });
    } else {
      this.emit(out, this.text.length, false);
    }
    this.text = '';
    this.fence = undefined;
    this.continues = false;
    this.repeated = 0;
    this.parsedUpTo = -1;
    return out;
  }

  /** Emits the first `length` characters of the tail as finished. */
  private emit(out: MarkdownPiece[], length: number, nextContinues: boolean): void {
    const source = this.text.slice(0, length);
    if (length > this.repeated && source.trim() !== '') {
      out.push({ type: 'blocks', source, continues: this.continues });
      this.continues = nextContinues;
    }
    this.text = this.text.slice(length);
    this.repeated = 0;
    this.parsedUpTo = -1;
  }

  private takeBlocks(out: MarkdownPiece[]): boolean {
    // Only whole lines count, because half a line may look like another kind of block.
    const complete = this.text.lastIndexOf('\n') + 1;
    if (complete === this.parsedUpTo) return this.cutLongLine(out, complete);
    this.parsedUpTo = complete;
    const source = this.text.slice(0, complete);
    const blocks = topLevelBlocks(source, this.env);
    const last = blocks.at(-1);
    if (!last) {
      // Blank lines before a block have no effect, and definitions are already recorded. Parsing them again with each piece would take
      // quadratic time.
      if (source.trim() === '' || complete > hardLimit) this.emit(out, complete, this.continues);
      return this.cutLongLine(out, this.text.lastIndexOf('\n') + 1);
    }
    const lines = lineOffsets(source);
    const start = lines[last.start] ?? 0;
    if (last.type === 'fence' && !isClosed(source.slice(start), last)) {
      this.openFence(out, last, start);
      return true;
    }
    if (start > 0) {
      this.emit(out, start, false);
      return true;
    }
    return this.cutLongBlock(out, last, lines, complete) || this.cutLongLine(out, complete);
  }

  /** Emits the text before a fence as finished. The fence's own text is emitted as it arrives. */
  private openFence(out: MarkdownPiece[], { info, markup }: Block, start: number): void {
    this.emit(out, start, false);
    this.continues = false;
    out.push({ type: 'fenceOpen', info });
    const indent = this.text.length - this.text.trimStart().length;
    this.fence = {
      char: markup.charAt(0),
      length: markup.length,
      indent,
      lineStart: true,
      inner: holdsFences(info) ? 0 : undefined,
    };
    this.text = this.text.slice(this.text.indexOf('\n') + 1);
  }

  /** Cuts a tail that is a single long block where that shows least, and emits its beginning as finished. */
  private cutLongBlock(out: MarkdownPiece[], block: Block, lines: readonly number[], complete: number): boolean {
    if (complete <= (limits[block.type] ?? hardLimit)) return false;
    // Keeps the block's last line, so that later text continues the block, or not, as it would have without a cut.
    const lastLine = lines[block.end - 1] ?? 0;
    const lastItem = lines[block.items.at(-1) ?? 0] ?? 0;
    if (block.type === 'paragraph_open') this.emit(out, safeCut(this.text, lines[block.end] ?? complete), true);
    else if (lastItem > 0) this.emit(out, lastItem, true);
    else if (block.type === 'table_open' && block.end > block.start + 3) this.cutTable(out, lines[2] ?? 0, lastLine);
    // This many blank lines end any block.
    else if (complete - (lines[block.end] ?? complete) > hardLimit) this.emit(out, complete, false);
    else if ((block.type === 'blockquote_open' || complete > hardLimit) && lastLine > 0) this.emit(out, lastLine, true);
    else return false;
    return true;
  }

  private cutTable(out: MarkdownPiece[], headLength: number, lastLine: number): void {
    const head = this.text.slice(0, headLength);
    this.emit(out, lastLine, true);
    // The next rows need the header to be parsed as table rows. The page shows it once.
    this.text = head + this.text;
    this.repeated = head.length;
  }

  /** Cuts an endless line between words once it reaches the maximum length of a block. */
  private cutLongLine(out: MarkdownPiece[], complete: number): boolean {
    if (this.text.length - complete <= 2 * 4096) return false;
    this.emit(out, safeCut(this.text, this.text.length), true);
    return true;
  }

  private takeFence(out: MarkdownPiece[]): boolean {
    const fence = this.fence;
    if (!fence || this.text === '') return false;
    const isEnd = closing(fence);
    let shown = '';
    let at = 0;
    while (at < this.text.length) {
      const newline = this.text.indexOf('\n', at);
      if (!fence.lineStart) {
        const end = newline < 0 ? this.text.length : newline + 1;
        shown += this.text.slice(at, end);
        at = end;
        fence.lineStart = newline >= 0;
        continue;
      }
      const line = this.text.slice(at, newline < 0 ? undefined : newline);
      if (newline < 0 && mayStillClose(line, fence)) break;
      const change =
        fence.inner === undefined || newline < 0 ? 0 : innerFence(line, fence.char, fence.length, fence.inner);
      if (change !== 0) fence.inner = (fence.inner ?? 0) + change;
      else if (newline >= 0 && isEnd.test(line)) {
        this.text = this.text.slice(newline + 1);
        this.fence = undefined;
        if (shown !== '') out.push({ type: 'fenceText', text: shown });
        out.push({ type: 'fenceClose' });
        return true;
      }
      at += Math.min(fence.indent, line.length - line.trimStart().length);
      fence.lineStart = false;
      if (at === this.text.length) fence.lineStart = true;
    }
    this.text = this.text.slice(at);
    if (shown !== '') out.push({ type: 'fenceText', text: shown });
    return false;
  }
}

function topLevelBlocks(source: string, env: MarkdownEnv): Block[] {
  const tokens: ReturnType<typeof markdownIt.parse> = [];
  markdownIt.block.parse(source, markdownIt, env as Record<string, never>, tokens);
  const blocks: (Block & { items: number[] })[] = [];
  for (const token of tokens) {
    if (!token.map || token.nesting < 0) continue;
    const [start, end] = token.map;
    if (token.level === 0) {
      blocks.push({ type: token.type, start, end, items: [], info: token.info, markup: token.markup });
    } else if (token.level === 1 && token.type === 'list_item_open') {
      blocks.at(-1)?.items.push(start);
    }
  }
  return blocks;
}

function isClosed(source: string, { markup, info }: Block): boolean {
  const lines = source.trimEnd().split('\n');
  if (holdsFences(info)) return fenceEnd(lines, markup.charAt(0), markup.length) === lines.length - 1;
  return lines.length > 1 && closing({ char: markup.charAt(0), length: markup.length }).test(lines.at(-1) ?? '');
}

function closing(fence: Pick<Fence, 'char' | 'length'>): RegExp {
  return new RegExp(`^ {0,3}${fence.char}{${fence.length},}[ \\t]*$`);
}

function mayStillClose(line: string, fence: Fence): boolean {
  const rest = line.trim();
  // It may open a fence inside, too, which only the whole line tells.
  if (fence.inner !== undefined && line.length < 200 && rest.startsWith(fence.char)) return true;
  return /^ {0,3}\S*[ \t]*$/.test(line) && rest === fence.char.repeat(rest.length);
}

function lineOffsets(source: string): number[] {
  const offsets = [0];
  for (let at = source.indexOf('\n'); at >= 0 && at + 1 < source.length; at = source.indexOf('\n', at + 1)) {
    offsets.push(at + 1);
  }
  return offsets;
}

/**
 * Returns the best place to cut a long paragraph at or before `max`: after a line, a sentence, or a word, in this order, outside code,
 * emphasis, and links if possible. Always positive, and never inside a surrogate pair.
 */
export function safeCut(text: string, max: number): number {
  let line = 0;
  let sentence = 0;
  let word = 0;
  let anyWord = 0;
  let code = false;
  let strong = false;
  let brackets = 0;
  for (let at = 0; at < max; at++) {
    const char = text.charAt(at);
    const isRun = text.charAt(at - 1) === char;
    if (char === '`') code = isRun ? code : !code;
    else if (!code && char === '*') strong = isRun ? strong : !strong;
    else if (!code && char === '[') brackets++;
    else if (!code && char === ']') brackets = Math.max(0, brackets - 1);
    else if (char === '\n' || char === ' ') {
      anyWord = at + 1;
      if (code || strong || brackets > 0) continue;
      word = at + 1;
      if (char === '\n') line = at + 1;
      else if (/[.!?:;。]/.test(text.charAt(at - 1))) sentence = at + 1;
    }
  }
  for (const cut of [line, sentence]) if (cut * 2 >= max) return cut;
  // A piece shorter than a quarter would lead to too many pieces.
  for (const cut of [word, anyWord]) if (cut * 4 >= max) return cut;
  return /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? Math.max(1, max - 1) : max;
}
