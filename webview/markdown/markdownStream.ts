import { highlightCodeBlock } from '../code/codeBlock';
import { drawFigure } from '../diagram/figures';
import { renderMarkdown } from './markdown';
import { MarkdownGroup } from './markdownGroup';
import { MarkdownSplitter, type MarkdownPiece } from './markdownSplit';
import { morphChildren } from './morph';
import type { RenderQueue, RenderTask } from '../base/renderQueue';
import type { Viewport } from '../base/viewport';

/** Maximum text to process in one step, in UTF-16 units, so that steps stay short. */
const bite = 4096;
/** Approximate source length of a group of finished blocks. The browser skips groups that are out of sight. */
const groupSize = 3072;
/** Text with at least this much text waiting after it is below any screen, so it may be drawn after the end. In UTF-16 units. */
const outOfSight = 8192;
/** Drawing the unfinished end takes at most this fraction (1/n) of the time: an end that costs 2 ms is drawn every 8 ms. */
const restPerCost = 4;

/** Gets the finished blocks of a text, and may make links of the paths in them. */
export interface BlockReader {
  read(blocks: readonly Element[]): void;
}

/**
 * A growing markdown text. Finished blocks are rendered once and never changed; only the unfinished last block is redrawn. The cost is
 * linear in the text's length, whatever its blocks and however it arrives.
 */
export class MarkdownStream implements RenderTask {
  readonly element = document.createElement('div');
  private readonly splitter = new MarkdownSplitter();
  private readonly live = document.createElement('div');
  private readonly queue: RenderQueue;
  private readonly viewport: Viewport;
  private readonly reader: BlockReader | undefined;
  private waiting: string[] = [];
  private waitingLength = 0;
  private group: MarkdownGroup | undefined;
  private readonly late = new Set<MarkdownGroup>();
  private shownTail = '';
  private shownAt = 0;
  private cost = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private ends = false;
  private isClosed = false;

  constructor(queue: RenderQueue, viewport: Viewport, reader?: BlockReader) {
    this.queue = queue;
    this.viewport = viewport;
    this.reader = reader;
    this.element.className = 'pl-md';
    this.live.className = 'pl-md-group live';
    this.element.append(this.live);
  }

  /** Whether the last block was finished. Text that continues it needs a new stream with the whole text. */
  get hasEnded(): boolean {
    return this.isClosed;
  }

  /** Adds text, which is drawn when the queue reaches it. */
  append(text: string): void {
    if (text === '') return;
    this.waiting.push(text);
    this.waitingLength += text.length;
    this.ends = false;
    this.queue.add(this);
  }

  /** Declares that no more text is expected for now, which finishes the last block. */
  end(): void {
    if (this.ends) return;
    this.ends = true;
    this.queue.add(this);
  }

  step(deadline: number): boolean {
    do {
      const text = this.nextBite();
      if (text === '') break;
      this.take(this.splitter.push(text), this.waitingLength > outOfSight);
    } while (performance.now() < deadline);
    if (this.waiting.length > 0) return false;
    // The open fence is what is on screen now, so its group must not be deferred.
    if (this.splitter.isInFence && this.group?.isLate) this.group.step(Number.POSITIVE_INFINITY);
    if (this.ends) {
      this.take(this.splitter.end(), false);
      this.isClosed = true;
      this.clearLive();
    } else {
      this.drawTail(false);
    }
    return true;
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.queue.delete(this);
    for (const group of this.late) this.forget(group);
    this.waiting = [];
    this.waitingLength = 0;
  }

  private nextBite(): string {
    if (this.waiting.length === 0) return '';
    let length = 0;
    let count = 0;
    while (count < this.waiting.length && length < bite) length += this.waiting[count++]?.length ?? 0;
    const text = this.waiting.splice(0, count).join('');
    if (text.length <= 2 * bite) {
      this.waitingLength -= text.length;
      return text;
    }
    // Splits a long piece once. All parts are queued in front.
    const bites: string[] = [];
    for (let at = bite; at < text.length; at += bite) bites.push(text.slice(at, at + bite));
    this.waiting = [...bites, ...this.waiting];
    this.waitingLength -= bite;
    return text.slice(0, bite);
  }

  private take(pieces: readonly MarkdownPiece[], late: boolean): void {
    for (const piece of pieces) {
      const goesOn = piece.type === 'fenceText' || piece.type === 'fenceClose';
      const group = goesOn && this.group ? this.group : this.openGroup();
      group.add(piece, late, this.live);
      if (group.isLate) this.keep(group);
      if (piece.type === 'blocks' || piece.type === 'fenceOpen') this.clearLive();
    }
  }

  /** Defers a group: it is drawn with other idle work, or when it comes near. */
  private keep(group: MarkdownGroup): void {
    if (this.late.has(group)) return;
    this.late.add(group);
    this.queue.addIdle(group);
    this.viewport.whenNear(group.element, () => this.queue.add(group));
  }

  private forget(group: MarkdownGroup): void {
    this.late.delete(group);
    this.queue.delete(group);
    this.viewport.forget(group.element);
  }

  /** Colors a block when it comes near, or draws what it means, because most code in a long text scrolls by unseen. */
  private colorWhenNear(block: HTMLElement): void {
    const task: RenderTask = {
      step: () => {
        drawFigure(block);
        highlightCodeBlock(block, () => this.queue.addIdle(task));
        return true;
      },
    };
    this.viewport.whenNear(block, () => this.queue.addIdle(task));
  }

  private openGroup(): MarkdownGroup {
    if (this.group && this.group.length < groupSize) return this.group;
    this.group = new MarkdownGroup(this.splitter.env, {
      onCode: (block) => this.colorWhenNear(block),
      onBlocks: (blocks) => this.reader?.read(blocks),
      onDrawn: (group) => this.forget(group),
    });
    this.live.before(this.group.element);
    return this.group;
  }

  private clearLive(): void {
    clearTimeout(this.pause);
    this.pause = undefined;
    this.shownTail = '';
    this.live.replaceChildren();
  }

  private drawTail(now: boolean): void {
    const { source, continues } = this.splitter.tail;
    if (source === this.shownTail) return;
    if (source === '') {
      this.clearLive();
      return;
    }
    const started = performance.now();
    const rest = this.shownAt + this.cost * restPerCost - started;
    if (!now && rest > 0) {
      this.pause ??= setTimeout(() => {
        this.pause = undefined;
        this.drawTail(true);
      }, rest);
      return;
    }
    clearTimeout(this.pause);
    this.pause = undefined;
    const fragment = renderMarkdown(source, { ...this.splitter.env });
    if (continues) fragment.firstElementChild?.classList.add('cont');
    this.live.classList.toggle('cont', continues);
    morphChildren(this.live, fragment);
    this.shownTail = source;
    this.shownAt = performance.now();
    // A single slow drawing isn't representative, because the machine may have been busy.
    this.cost = Math.min(this.shownAt - started, Math.max(this.cost * 1.5, 0.3));
  }
}
