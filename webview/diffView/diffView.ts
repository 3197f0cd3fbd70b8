import * as l10n from '@vscode/l10n';
import { iconButton, tokensToDom } from '../code/codeBlock';
import {
  highlight,
  highlightLimit,
  isLanguageLoaded,
  languageOfPath,
  loadLanguage,
  tokensByLine,
  type CodeToken,
} from '../code/highlight';
import type { RenderQueue, RenderTask } from '../base/renderQueue';
import type { Viewport } from '../base/viewport';
import { countRows, diffModel, diffRows, wordMarks, type DiffModel, type DiffRow } from './diffModel';

/** What a diff shows: texts, and a path to show and to tell the language by. */
export interface DiffInput {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  /** The line of the file that the texts begin at, counted from 1; 0 when nobody knows it: the lines then have no numbers. */
  readonly line?: number;
}

/** So many rows are drawn in one step. */
const rowsPerStep = 150;
const lineHeight = 18;

/**
 * A unified diff: line numbers, signs, folded unchanged regions, marked words, colours. It is compared when the queue comes to
 * it and drawn when it comes near the viewport; its height is known before, so nothing moves.
 */
export class DiffView implements RenderTask {
  readonly element = document.createElement('div');
  private readonly rows = document.createElement('div');
  private readonly more = document.createElement('button');
  private readonly input: DiffInput;
  private readonly queue: RenderQueue;
  private readonly viewport: Viewport;
  private readonly onCounts: () => void;
  private line: number;
  private readonly unfolded = new Set<number>();
  private result: DiffModel | undefined;
  private limit: number;
  private drawn = 0;
  private isNear = false;
  private hasAskedForColours = false;

  /** `limit` is how many rows are shown at first; `onCounts` is called when `counts` is known. */
  constructor(input: DiffInput, limit: number, queue: RenderQueue, viewport: Viewport, onCounts: () => void) {
    this.input = input;
    this.line = input.line ?? 1;
    this.limit = limit;
    this.queue = queue;
    this.viewport = viewport;
    this.onCounts = onCounts;
    this.element.className = 'pl-figure';
    this.element.setAttribute('role', 'figure');
    this.element.setAttribute('aria-label', l10n.t('Diff: {0}', input.path));
    this.rows.className = 'pl-diff';
    this.rows.tabIndex = 0;
    this.more.type = 'button';
    this.more.className = 'pl-more';
    this.more.hidden = true;
    this.more.addEventListener('click', () => this.showMore());
    const open = iconButton('go-to-file', l10n.t('Open Diff'), 'openDiff');
    this.element.append(this.rows, this.more, open);
    this.rows.addEventListener('click', (event) => this.unfold(event));
    queue.add(this);
  }

  /** Added and removed lines, once they are known. */
  get counts(): { readonly added: number; readonly removed: number } | undefined {
    return this.result?.tooLarge === false ? this.result : undefined;
  }

  /** The texts turn out to begin at another line of the file. */
  setLine(line = 1): void {
    if (line === this.line) return;
    this.line = line;
    for (const number of this.rows.querySelectorAll<HTMLElement>('[data-line]')) {
      number.textContent = numberWords(Number(number.dataset['line']), line);
    }
  }

  /** Shows at least so many rows. */
  setLimit(limit: number): void {
    if (limit <= this.limit) return;
    this.limit = limit;
    if (!this.result) return;
    this.measure(this.result);
    if (this.isNear) this.queue.add(this);
  }

  step(): boolean {
    if (!this.result) {
      this.result = diffModel(this.input.oldText, this.input.newText);
      this.measure(this.result);
      this.onCounts();
      if (!this.result.tooLarge) this.viewport.whenNear(this.element, () => this.draw());
      return true;
    }
    return !this.isNear || this.drawRows(this.result);
  }

  dispose(): void {
    this.queue.delete(this);
    this.viewport.forget(this.element);
  }

  private draw(): void {
    this.isNear = true;
    this.queue.add(this);
  }

  /** Reserves the height that the rows will take, and says how many are not shown. */
  private measure(model: DiffModel): void {
    if (model.tooLarge) {
      this.rows.textContent = l10n.t('This change is too large to show here. Use Open Diff to see it in an editor.');
      this.rows.classList.add('note');
      return;
    }
    const total = countRows(model, this.unfolded);
    // One or two lines more are shorter than a button that says so.
    const shown = total <= this.limit + 2 ? total : this.limit;
    this.limit = Math.max(this.limit, shown);
    this.rows.style.minHeight = `${shown * lineHeight + 8}px`;
    this.more.hidden = shown >= total;
    this.more.textContent = l10n.t('Show {0} more lines', total - shown);
    if (total === 0) {
      this.rows.textContent = l10n.t('No lines changed.');
      this.rows.classList.add('note');
    }
  }

  private showMore(): void {
    // Rows are drawn in steps; a change of many thousand lines belongs into an editor all the same.
    this.limit = this.limit < 500 ? 500 : this.limit + 2000;
    if (this.result) this.measure(this.result);
    this.draw();
  }

  private unfold(event: Event): void {
    const gap = event.target instanceof Element ? event.target.closest<HTMLElement>('.gap') : null;
    const segment = Number(gap?.dataset['segment'] ?? Number.NaN);
    if (Number.isNaN(segment) || !this.result) return;
    const before = countRows(this.result, this.unfolded);
    this.unfolded.add(segment);
    this.limit += countRows(this.result, this.unfolded) - before;
    this.drawn = 0;
    this.rows.replaceChildren();
    this.measure(this.result);
    this.draw();
  }

  private drawRows(model: DiffModel): boolean {
    const rows: DiffRow[] = [];
    let index = 0;
    for (const row of diffRows(model, this.unfolded)) {
      if (index >= this.limit || rows.length >= rowsPerStep) break;
      if (index++ >= this.drawn) rows.push(row);
    }
    const language = languageOfPath(this.input.path);
    if (!isLanguageLoaded(language)) this.colourLater(language);
    const tokens = colours(rows, language);
    const fragment = document.createDocumentFragment();
    rows.forEach((row, at) => fragment.append(rowElement(row, this.line, tokens.get(at))));
    this.rows.append(fragment);
    this.drawn += rows.length;
    return rows.length < rowsPerStep || this.drawn >= this.limit;
  }

  /** Draws the rows again once the language is here. */
  private colourLater(language: string): void {
    if (this.hasAskedForColours || language === '') return;
    this.hasAskedForColours = true;
    void loadLanguage(language).then((isLoaded) => {
      if (!isLoaded || !this.element.isConnected) return;
      this.drawn = 0;
      this.rows.replaceChildren();
      this.draw();
    }, reportError);
  }
}

/** Colours of the rows, each side read as one text, so that strings and comments over several lines come out right. */
function colours(rows: readonly DiffRow[], language: string): Map<number, CodeToken[]> {
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

const signs = { same: ' ', add: '+', del: '−' };

/** The number of a line in the file, as the gutter shows it. */
function numberWords(line: number, first: number): string {
  return first === 0 ? '' : String(line + first - 1);
}

function rowElement(row: DiffRow, first: number, tokens: readonly CodeToken[] | undefined): HTMLElement {
  const element = document.createElement('div');
  if (row.kind === 'gap') {
    element.className = 'gap';
    element.dataset['segment'] = String(row.segment);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = row.count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', row.count);
    const glyph = document.createElement('i');
    glyph.className = 'codicon codicon-unfold s12';
    glyph.setAttribute('aria-hidden', 'true');
    button.prepend(glyph);
    element.append(button);
    return element;
  }
  element.className = row.kind === 'same' ? 'l' : row.kind === 'add' ? 'l i' : 'l r';
  const number = document.createElement('span');
  number.dataset['line'] = String(row.line);
  number.textContent = numberWords(row.line, first);
  const sign = document.createElement('span');
  sign.textContent = signs[row.kind];
  const code = document.createElement('span');
  code.append(tokens ? tokensToDom(tokens) : row.text);
  const marks = row.kind === 'same' || row.pair === undefined ? undefined : wordMarks(row.text, row.pair);
  if (marks) markRanges(code, marks);
  element.append(number, sign, code);
  return element;
}

/** Wraps stretches of the text under `parent` in `mark` elements, across the spans that colour it. */
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
