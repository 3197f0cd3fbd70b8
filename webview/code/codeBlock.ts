import * as l10n from '@vscode/l10n';
import { codeBar, codeLabel, iconButton } from './codeBar';
import { highlight, highlightLimit, isLanguageLoaded, languageName, loadLanguage, type CodeToken } from './highlight';

/** Number of lines per box. Appended text then lays out only the last box. */
const linesPerBox = 60;
const boxLimit = 16_384;
/** Maximum length of what follows the opening fence, in UTF-16 units. */
const infoLimit = 1000;

/** Returns the whole text of a code block, even while it still grows, without the line break before the closing fence. */
export function codeText(block: Element): string {
  return (block.querySelector('code')?.textContent ?? '').replace(/\n$/, '');
}

/** Creates a complete code block. `highlightCodeBlock` colors it later. A `raw` one shows a value, and isn't code to use. */
export function createCodeBlock(info: string, text: string, isRaw = false): HTMLElement {
  const block = new CodeBlock(info, isRaw);
  block.append(text);
  block.close();
  return block.element;
}

/** Returns everything after the opening fence of a code block. */
export function codeInfo(block: HTMLElement): string {
  return block.dataset['info'] ?? '';
}

/** A growing code block: a header with language and actions, and the text in boxes of limited size. */
export class CodeBlock {
  readonly element = document.createElement('div');
  private readonly code = document.createElement('code');
  private box: Text | undefined;
  private lines = 0;

  constructor(info: string, isRaw = false) {
    const label = codeLabel(info);
    this.element.className = 'pl-code';
    this.element.dataset['language'] = languageName(info);
    this.element.dataset['info'] = label.toLowerCase();
    const head = document.createElement('div');
    head.className = 'bar';
    const name = document.createElement('span');
    name.className = 'grow clip';
    name.textContent = label;
    this.element.dataset['open'] = '';
    if (!isRaw) this.element.dataset['info'] = info.trim().slice(0, infoLimit);
    head.append(name, ...codeBar(label, isRaw), iconButton('copy', l10n.t('Copy'), 'copyCode'));
    const pre = document.createElement('pre');
    pre.tabIndex = 0;
    pre.append(this.code);
    this.element.append(head, pre);
  }

  /** Declares that the code is complete, and may be used. */
  close(): void {
    delete this.element.dataset['open'];
  }

  append(text: string): void {
    for (let at = 0; at < text.length;) {
      const end = this.endOfBox(text, at);
      if (!this.box) {
        this.box = new Text(text.slice(at, end));
        const box = document.createElement('span');
        box.append(this.box);
        this.code.append(box);
      } else {
        this.box.appendData(text.slice(at, end));
      }
      if (this.lines >= linesPerBox || this.box.length >= boxLimit) {
        this.box = undefined;
        this.lines = 0;
      }
      at = end;
    }
  }

  private endOfBox(text: string, from: number): number {
    let at = from;
    while (this.lines < linesPerBox) {
      const newline = text.indexOf('\n', at);
      const room = boxLimit - (this.box?.length ?? 0) - (at - from);
      if (newline < 0 || newline - at >= room) return Math.min(text.length, at + Math.max(room, 1));
      at = newline + 1;
      this.lines++;
    }
    return at;
  }
}

/**
 * Colors a code block in place without changing its text. If the language must be loaded first, calls `later` once it is; then call this
 * again.
 */
export function highlightCodeBlock(element: HTMLElement, later: () => void): void {
  const language = element.dataset['language'] ?? '';
  const code = element.querySelector('code');
  if (language === '' || !code || code.dataset['done'] !== undefined) return;
  const text = code.textContent;
  if (text.length > highlightLimit) return;
  if (!isLanguageLoaded(language)) {
    void loadLanguage(language).then((loaded) => {
      if (loaded) later();
    }, reportError);
    return;
  }
  code.dataset['done'] = '';
  code.replaceChildren(tokensToDom(highlight(text, language)));
}

/** Converts tokens to colored DOM nodes. */
export function tokensToDom(tokens: readonly CodeToken[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const token of tokens) {
    if (token.hue === '') {
      fragment.append(token.text);
      continue;
    }
    const span = document.createElement('span');
    span.className = `tk-${token.hue}`;
    span.textContent = token.text;
    fragment.append(span);
  }
  return fragment;
}
