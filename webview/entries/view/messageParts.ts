import { render } from 'lit-html';
import type { ContentBlock } from '../../../src/shared/transcript/content';
import { MarkdownStream, type BlockReader } from '../../markdown/markdownStream';
import type { RenderQueue } from '../../base/renderQueue';
import type { Viewport } from '../../base/viewport';
import { contentBlock, isForUser } from './contentBlock';
import type { AppendedText, EntryScope } from './entryView';

interface Part {
  block: ContentBlock;
  readonly element: HTMLElement;
  readonly stream: MarkdownStream | undefined;
  /** The length of the text already passed to the stream. */
  given: number;
  /** Runs while waiting for the end of text that some agents send after their turn. */
  pause: ReturnType<typeof setTimeout> | undefined;
  readonly isReopened: boolean;
}

/** Text received after its turn counts as complete after this time without more, in milliseconds. */
const pauseMs = 1000;

/** The blocks of a growing message: text as streaming markdown, and other blocks as received. */
export class MessageParts {
  private readonly parent: HTMLElement;
  private readonly queue: RenderQueue;
  private readonly viewport: Viewport;
  private readonly reader: BlockReader;
  private parts: Part[] = [];

  constructor(parent: HTMLElement, { queue, viewport, paths }: Pick<EntryScope, 'queue' | 'viewport' | 'paths'>) {
    this.parent = parent;
    this.queue = queue;
    this.viewport = viewport;
    this.reader = paths;
  }

  /** Updates the message. `appended` avoids comparing the whole text if it is the only change. */
  set(content: readonly ContentBlock[], appended?: readonly AppendedText[]): void {
    if (this.parts.length > content.length) this.clear();
    for (const [index, block] of content.entries()) {
      let part = this.parts[index];
      if (part === undefined) {
        part = this.create(block);
        this.parts[index] = part;
        this.parent.append(part.element);
      } else if (part.block !== block && !this.continues(part, block, appended !== undefined)) {
        part = this.replace(index, part, this.create(block));
      } else if (part.block !== block && part.stream?.hasEnded) {
        part = this.replace(index, part, this.create(block, true));
      }
      this.feed(part, block, index, appended);
    }
  }

  /** Sets whether more text is expected. */
  settle(isSettled: boolean): void {
    for (const [index, part] of this.parts.entries()) {
      const { stream } = part;
      if (!stream || (!isSettled && index === this.parts.length - 1)) continue;
      clearTimeout(part.pause);
      if (part.isReopened && !stream.hasEnded) part.pause = setTimeout(() => stream.end(), pauseMs);
      else stream.end();
    }
  }

  clear(): void {
    for (const part of this.parts) {
      this.dispose(part);
      part.element.remove();
    }
    this.parts = [];
  }

  private replace(index: number, old: Part, fresh: Part): Part {
    this.dispose(old);
    old.element.replaceWith(fresh.element);
    this.parts[index] = fresh;
    return fresh;
  }

  private dispose({ stream, pause }: Part): void {
    clearTimeout(pause);
    stream?.dispose();
  }

  private create(block: ContentBlock, isReopened = false): Part {
    if (block.type === 'text') {
      const stream = new MarkdownStream(this.queue, this.viewport, this.reader);
      stream.element.hidden = !isForUser(block);
      return { block, element: stream.element, stream, given: 0, pause: undefined, isReopened };
    }
    const element = document.createElement('div');
    element.className = 'pl-part';
    render(contentBlock(block), element);
    return { block, element, stream: undefined, given: 0, pause: undefined, isReopened };
  }

  private continues(part: Part, block: ContentBlock, onlyAppended: boolean): boolean {
    if (part.block.type !== 'text' || block.type !== 'text') return false;
    return onlyAppended || block.text.startsWith(part.block.text);
  }

  private feed(part: Part, block: ContentBlock, index: number, appended: readonly AppendedText[] | undefined): void {
    part.block = block;
    if (!part.stream || block.type !== 'text') return;
    const missing = block.text.length - part.given;
    if (missing <= 0) return;
    // Joining only the appended pieces leaves the long text alone. The engine stores it in pieces until it is read.
    const own = appended?.filter((piece) => piece.block === index).map((piece) => piece.text) ?? [];
    const length = own.reduce((sum, text) => sum + text.length, 0);
    if (length === missing) for (const text of own) part.stream.append(text);
    else part.stream.append(block.text.slice(part.given));
    part.given = block.text.length;
  }
}
