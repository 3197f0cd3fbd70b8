import * as l10n from '@vscode/l10n';
import { iconButton } from '../code/codeBar';
import { isLanguageLoaded, languageOfPath, loadLanguage, type CodeToken } from '../code/highlight';
import type { RenderQueue, RenderTask } from '../base/renderQueue';
import type { Viewport } from '../base/viewport';
import { countRows, diffModel, diffRows, type DiffModel, type DiffRow } from './diffModel';
import { codeElement, rowColors } from './lineCode';

/** The texts of a diff, and the path that is shown and that determines the language. */
export interface DiffInput {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  /** The line of the file at which the texts begin, counted from 1. If 0, it is unknown, and lines have no numbers. */
  readonly line?: number;
}

/** Number of rows drawn in one step. */
const rowsPerStep = 150;
const lineHeight = 18;

/**
 * A unified diff with line numbers, signs, folded unchanged regions, marked words, and colors. It is compared when its turn in the queue
 * comes and drawn when it comes near the viewport. Its height is reserved beforehand, so nothing moves.
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
  private hasRequestedColors = false;

  /** `limit` is the number of rows shown at first; `onCounts` is called when `counts` is known. */
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
    this.rows.classList.toggle('unnumbered', this.line === 0);
    // The one stop of Tab in a diff. Its buttons have keys there.
    this.rows.tabIndex = 0;
    this.rows.setAttribute('aria-description', l10n.t('Enter opens the diff, Space shows more of it'));
    this.more.type = 'button';
    this.more.tabIndex = -1;
    this.more.className = 'pl-more';
    this.more.hidden = true;
    this.more.addEventListener('click', () => this.showMore());
    const open = iconButton('diff-single', l10n.t('Open Diff'), 'openDiff');
    open.tabIndex = -1;
    this.element.append(this.rows, this.more, open);
    this.rows.addEventListener('click', (event) => this.unfold(event.target));
    this.rows.addEventListener('keydown', (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (!isPlain || event.target !== this.rows) return;
      if (event.key === 'Enter') open.click();
      else if (event.key !== ' ' || !this.showNext()) return;
      event.preventDefault();
      event.stopPropagation();
    });
    queue.add(this);
  }

  /** The added and removed lines. Undefined until they are known. */
  get counts(): { readonly added: number; readonly removed: number } | undefined {
    return this.result?.tooLarge === false ? this.result : undefined;
  }

  /** Sets the line of the file at which the texts begin. */
  setLine(line = 1): void {
    if (line === this.line) return;
    this.line = line;
    this.rows.classList.toggle('unnumbered', line === 0);
    for (const number of this.rows.querySelectorAll<HTMLElement>('[data-line]')) {
      number.textContent = numberWords(Number(number.dataset['line']), line);
    }
  }

  /** Shows at least this many rows. */
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
      // A sentence stands for lines.
      if (!this.rows.classList.contains('note')) this.viewport.whenNear(this.element, () => this.draw());
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

  /** Reserves the height of the rows and updates the number of hidden ones. */
  private measure(model: DiffModel): void {
    if (model.tooLarge) {
      this.rows.textContent = l10n.t('This change is too large to show here. Use Open Diff to see it in an editor.');
      this.rows.classList.add('note');
      return;
    }
    const total = countRows(model, this.unfolded);
    // One or two more lines take less space than a button to show them.
    const shown = total <= this.limit + 2 ? total : this.limit;
    this.limit = Math.max(this.limit, shown);
    this.rows.style.minHeight = `${shown * lineHeight + 8}px`;
    this.more.hidden = shown >= total;
    this.more.textContent = l10n.t('Show {0} more lines', total - shown);
    if (total === 0) {
      this.rows.textContent = noLines(this.input);
      this.rows.classList.add('note');
    }
  }

  private showMore(): void {
    // Shows more in steps. A change of many thousand lines is better viewed in an editor.
    this.limit = this.limit < 500 ? 500 : this.limit + 2000;
    if (this.result) this.measure(this.result);
    this.draw();
  }

  /** Shows what is folded first, or more lines. Returns whether there was anything. */
  private showNext(): boolean {
    const gap = this.rows.querySelector('.gap');
    if (gap) this.unfold(gap);
    else if (!this.more.hidden) this.showMore();
    else return false;
    return true;
  }

  private unfold(target: EventTarget | null): void {
    const gap = target instanceof Element ? target.closest<HTMLElement>('.gap') : null;
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
    if (!isLanguageLoaded(language)) this.colorLater(language);
    const tokens = rowColors(rows, language);
    const fragment = document.createDocumentFragment();
    rows.forEach((row, at) => fragment.append(rowElement(row, this.line, tokens.get(at))));
    this.rows.append(fragment);
    this.drawn += rows.length;
    return rows.length < rowsPerStep || this.drawn >= this.limit;
  }

  /** Draws the rows again when the language is loaded. */
  private colorLater(language: string): void {
    if (this.hasRequestedColors || language === '') return;
    this.hasRequestedColors = true;
    void loadLanguage(language).then((isLoaded) => {
      if (!isLoaded || !this.element.isConnected) return;
      this.drawn = 0;
      this.rows.replaceChildren();
      this.draw();
    }, reportError);
  }
}

/** Says why a diff has no lines. */
function noLines({ oldText, newText }: DiffInput): string {
  if (oldText === '' && newText === '') return l10n.t('The file is empty.');
  return oldText === newText ? l10n.t('No lines changed.') : l10n.t('Only line breaks changed.');
}

const signs = { same: ' ', add: '+', del: '−' };

/** Returns the line number shown in the gutter. */
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
    button.tabIndex = -1;
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
  element.append(number, sign, codeElement(row.text, row.kind === 'same' ? undefined : row.pair, tokens));
  return element;
}
