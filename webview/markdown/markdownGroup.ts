import { CodeBlock } from '../code/codeBlock';
import { renderMarkdown } from './markdown';
import type { MarkdownEnv } from './markdownIt';
import type { MarkdownPiece } from './markdownSplit';
import { adopt } from './morph';
import type { RenderTask } from '../base/renderQueue';

/** Estimated height per UTF-16 unit of source in a narrow panel, in px. Used for a group that isn't drawn yet. */
const heightPerUnit = 0.45;

export interface MarkdownGroupListener {
  /** Called with each complete code block. */
  onCode(block: HTMLElement): void;
  /** Called with finished blocks, which never change again by themselves. */
  onBlocks(blocks: readonly Element[]): void;
  /** Called when deferred content has been drawn. */
  onDrawn(group: MarkdownGroup): void;
}

/**
 * Adjacent finished blocks, grouped so that the browser can skip them together when they are out of sight. Content that isn't visible yet
 * is stored, and drawn when the page is idle or when it comes near.
 */
export class MarkdownGroup implements RenderTask {
  readonly element = document.createElement('div');
  /** The length of its source in UTF-16 units. */
  length = 0;
  private readonly env: MarkdownEnv;
  private readonly listener: MarkdownGroupListener;
  private waiting: MarkdownPiece[] = [];
  private code: CodeBlock | undefined;

  constructor(env: MarkdownEnv, listener: MarkdownGroupListener) {
    this.env = env;
    this.listener = listener;
    this.element.className = 'pl-md-group';
  }

  /** Whether some of its content is deferred. */
  get isLate(): boolean {
    return this.waiting.length > 0;
  }

  /**
   * Adds a piece. Draws it immediately unless `late` is true or earlier content is deferred, too. `drawn` has nodes of the same text from
   * before it was finished, which are reused, because a selection may be in them.
   */
  add(piece: MarkdownPiece, late: boolean, drawn?: Node): void {
    if (piece.type === 'blocks') this.length += piece.source.length;
    else if (piece.type === 'fenceText') this.length += piece.text.length;
    if (!late && !this.isLate) {
      this.draw(piece, drawn);
      return;
    }
    if (!this.isLate) this.element.classList.add('late');
    this.waiting.push(piece);
    this.element.style.containIntrinsicBlockSize = `auto ${Math.ceil(this.length * heightPerUnit)}px`;
  }

  step(deadline: number): boolean {
    while (this.waiting.length > 0) {
      for (const piece of this.waiting.splice(0, 1)) this.draw(piece);
      if (performance.now() >= deadline && this.waiting.length > 0) return false;
    }
    this.element.classList.remove('late');
    this.listener.onDrawn(this);
    return true;
  }

  private draw(piece: MarkdownPiece, drawn?: Node): void {
    switch (piece.type) {
      case 'blocks':
        this.addBlocks(piece.source, piece.continues, drawn);
        break;
      case 'fenceOpen':
        this.code = new CodeBlock(piece.info);
        this.element.append(this.code.element);
        break;
      case 'fenceText':
        this.code?.append(piece.text);
        break;
      case 'fenceClose': {
        const { code } = this;
        this.code = undefined;
        code?.close();
        if (code) this.listener.onCode(code.element);
        break;
      }
    }
  }

  private addBlocks(source: string, continues: boolean, drawn: Node | undefined): void {
    const fragment = renderMarkdown(source, this.env);
    const first = fragment.firstElementChild;
    if (continues) first?.classList.add('cont');
    if (continues && this.element.childElementCount === 0) this.element.classList.add('cont');
    // A code block can’t change into another one.
    const reused = drawn && !fragment.querySelector('.pl-code') ? drawn : undefined;
    const children = reused ? adopt(this.element, reused, fragment) : appended(this.element, fragment);
    const blocks = reused ? [] : children.flatMap((one) => codeBlocksIn(one));
    this.listener.onBlocks(children);
    for (const block of blocks) this.listener.onCode(block);
  }
}

/** Appends blocks without the white space between them. */
function appended(target: Element, fragment: DocumentFragment): Element[] {
  const children = [...fragment.children];
  target.append(...children);
  return children;
}

function codeBlocksIn(block: Element): HTMLElement[] {
  const inside = [...block.querySelectorAll<HTMLElement>('.pl-code')];
  return block instanceof HTMLElement && block.matches('.pl-code') ? [block, ...inside] : inside;
}
