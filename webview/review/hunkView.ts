import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { linePairs } from '../../src/shared/diff/linePairs';
import type { ReviewPageHunk } from '../../src/shared/changes/reviewPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { isLanguageLoaded, loadLanguage, type CodeToken } from '../code/highlight';
import { codeElement, rowColors } from '../diffView/lineCode';
import type { ThreadPlace } from './commentThreads';
import { scrollSideways } from './sidewaysKeys';

/** What the user can do with a change, and how it is shown. */
export interface HunkOwner {
  readonly isSideBySide: boolean;
  readonly language: string;
  keep(hunk: ReviewPageHunk): void;
  undo(hunk: ReviewPageHunk): void;
  comment(hunk: ReviewPageHunk): void;
  open(hunk: ReviewPageHunk): void;
  unfold(hunk: ReviewPageHunk): void;
  showMore(hunk: ReviewPageHunk): void;
  /** Called when the change gets the focus or a click. */
  chosen(hunk: ReviewPageHunk): void;
}

/** How long a change that changed in view can't be decided, in milliseconds. */
export const calmMs = 500;

const lineHeight = 18;
const barHeight = 28;

/** A line of a change. `number` counts from 1. */
interface Line {
  readonly kind: 'same' | 'add' | 'del';
  readonly text: string;
  readonly oldNumber?: number;
  readonly newNumber?: number;
  readonly pair?: string;
}

/** A change: a bar with its place and its actions, and its lines. The lines are drawn when they come near the part in view. */
export class HunkView {
  readonly element = document.createElement('section');
  private readonly bar = document.createElement('div');
  private readonly lines = document.createElement('div');
  private readonly owner: HunkOwner;
  private hunk: ReviewPageHunk;
  private position = '';
  private isCurrent = false;
  private isDrawn = false;
  private canUndo = true;
  /** Until when the change can't be decided, because it changed in view. */
  private calmAt = 0;
  private hasChanged = false;
  private threads: readonly ThreadPlace[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(hunk: ReviewPageHunk, owner: HunkOwner) {
    this.owner = owner;
    this.hunk = hunk;
    this.element.className = 'pl-hunk';
    this.element.tabIndex = -1;
    this.element.dataset['hunk'] = hunk.id;
    this.element.setAttribute('role', 'group');
    this.bar.className = 'hb';
    this.lines.className = 'lines';
    this.element.append(this.bar, this.lines);
    this.element.addEventListener('focusin', () => owner.chosen(this.hunk));
    this.element.addEventListener('pointerdown', () => owner.chosen(this.hunk));
    this.element.addEventListener('keydown', scrollSideways);
    this.reserve();
  }

  get shown(): ReviewPageHunk {
    return this.hunk;
  }

  /** Whether the user can decide the change now. */
  get isCalm(): boolean {
    return performance.now() >= this.calmAt;
  }

  /** Whether it says that it changed in view a moment ago. */
  get hasJustChanged(): boolean {
    return !this.isCalm && this.hasChanged;
  }

  /** Says which change of how many this is, and whether it is the one that keys act on. */
  place(at: number, count: number, isCurrent: boolean, canUndo: boolean): void {
    const position = `${at} ${count} ${String(canUndo)}`;
    if (position === this.position && isCurrent === this.isCurrent) return;
    this.position = position;
    this.isCurrent = isCurrent;
    this.canUndo = canUndo;
    this.element.classList.toggle('is-current', isCurrent);
    this.element.tabIndex = isCurrent ? 0 : -1;
    this.element.setAttribute('aria-label', this.name(at, count));
    this.drawBar();
  }

  /** Shows another state of the same change. One that the user may be reading says so, and can't be decided for a moment. */
  take(hunk: ReviewPageHunk, isInView: boolean): void {
    const isOther = hunk.stamp !== this.hunk.stamp;
    const isSame = !isOther && JSON.stringify(hunk) === JSON.stringify(this.hunk);
    this.hunk = hunk;
    if (isSame) return;
    if (isOther && isInView) this.calm(true);
    this.position = '';
    if (this.isDrawn) this.drawLines();
    else this.reserve();
  }

  /** Ignores decisions for a moment, because something else was here when the user aimed. */
  calm(hasChanged = false): void {
    this.calmAt = performance.now() + calmMs;
    this.hasChanged = hasChanged;
    this.drawBar();
    this.drawWhenCalm();
  }

  /** Shows these threads below their lines. */
  takeThreads(threads: readonly ThreadPlace[]): void {
    const isSame =
      threads.length === this.threads.length &&
      threads.every(({ element, line }, at) => {
        const known = this.threads[at];
        return known?.element === element && known.line === line;
      });
    if (isSame) return;
    this.threads = threads;
    if (this.isDrawn) this.drawLines();
  }

  /** Draws the lines unless they are there. */
  reach(): void {
    if (!this.isDrawn) this.drawLines();
  }

  /** Draws the lines, now or again. */
  drawLines(): void {
    this.isDrawn = true;
    const { activeElement } = document;
    const focused = this.lines.contains(activeElement) ? activeElement : undefined;
    this.replaceLines();
    // A thread stays the same element, but the move took the focus from it.
    if (focused?.isConnected && focused !== document.activeElement && focused instanceof HTMLElement)
      focused.focus({ preventScroll: true });
  }

  private replaceLines(): void {
    const { hunk, owner } = this;
    const language = hunk.language ?? owner.language;
    if (!isLanguageLoaded(language) && language !== '') {
      void loadLanguage(language).then((isLoaded) => {
        if (isLoaded && this.element.isConnected) this.drawLines();
      }, reportError);
    }
    this.lines.style.minHeight = '';
    if (hunk.words !== undefined) {
      this.lines.replaceChildren(...this.threads.map(({ element }) => element));
      return;
    }
    if (isEmpty(hunk)) {
      const note = Object.assign(document.createElement('p'), {
        className: 'note',
        textContent: l10n.t('The file is empty.'),
      });
      this.lines.replaceChildren(note, ...this.threads.map(({ element }) => element));
      return;
    }
    const parts = drawnParts(hunk, language, owner.isSideBySide, this.threads);
    this.lines.className = `lines ${owner.isSideBySide ? 'v-sd' : 'v-in'}`;
    const after = document.createElement('div');
    render(this.more(), after);
    this.lines.replaceChildren(...parts, ...after.children);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private drawWhenCalm(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.isCalm ? this.drawBar() : this.drawWhenCalm()), calmMs);
  }

  private reserve(): void {
    const { before, removed, added, after, words } = this.hunk;
    const changed = this.owner.isSideBySide ? Math.max(removed.length, added.length) : removed.length + added.length;
    const count = words === undefined ? Math.max(1, before.length + changed + after.length) : 0;
    this.lines.style.minHeight = `${count * lineHeight + (count > 0 ? 4 : 0)}px`;
  }

  private name(at: number, count: number): string {
    const { newLine, newEnd, heading, words } = this.hunk;
    const last = Math.max(newLine, newEnd - 1);
    const position = l10n.t('Change {0} of {1}', at, count);
    if (words !== undefined) return `${position}, ${words}`;
    const lines = last === newLine ? l10n.t('line {0}', newLine) : l10n.t('lines {0} to {1}', newLine, last);
    const place = heading === '' ? '' : `, ${l10n.t('in {0}', showHiddenOnOneLine(heading))}`;
    return `${position}, ${lines}${place}`;
  }

  private drawBar(): void {
    const { hunk, owner, isCurrent } = this;
    const { hidden, unfolded, heading, words, hasUserText, newLine, before } = hunk;
    const isCalm = this.isCalm;
    const isStart = newLine - before.length <= 1;
    const act = (label: string, key: string, run: () => void, isOff = false, narrow?: string) => {
      const kind = isCurrent ? (key === 'K' ? 'primary' : '') : 'quiet';
      return html`<button
        type="button"
        class="btn sm act ${kind}"
        tabindex=${isCurrent ? 0 : -1}
        ?disabled=${isOff}
        aria-label=${label}
        aria-keyshortcuts=${key}
        @click=${run}
      >
        ${narrow === undefined ? label : html`<span class="w-l">${label}</span><span class="w-s">${narrow}</span>`}
        <kbd aria-hidden="true">${key}</kbd>
      </button>`;
    };
    const count = hidden > 0 ? hidden : unfolded;
    const gap = count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', count);
    render(
      html`${
          words !== undefined
            ? html`<span class="clip">${words}</span>`
            : count > 0
              ? html`<button
                  type="button"
                  class="gapb"
                  aria-expanded=${String(hidden === 0)}
                  tabindex=${isCurrent ? 0 : -1}
                  title=${gap}
                  @click=${() => owner.unfold(hunk)}
                >
                  ${icon(hidden > 0 ? 'unfold' : 'fold', 's12')}<span>${gap}</span>
                </button>`
              : isStart
                ? html`<span class="start">${l10n.t('start of file')}</span>`
                : nothing
        }
        ${heading === '' || words !== undefined ? nothing : html`<span class="sym clip">${showHiddenOnOneLine(heading)}</span>`}
        ${hasUserText ? note('account', l10n.t('includes your lines')) : nothing}
        ${!isCalm && this.hasChanged ? note('refresh', l10n.t('Changed a moment ago')) : nothing}
        <span class="grow"></span>
        <span class="acts"
          >${act(l10n.t('Keep'), 'K', () => owner.keep(hunk), !isCalm)}
          ${act(l10n.t('Undo'), 'U', () => owner.undo(hunk), !isCalm || !this.canUndo)}
          ${act(l10n.t('Comment'), 'C', () => owner.comment(hunk))}
          ${act(l10n.t('Open in editor'), 'O', () => owner.open(hunk), false, l10n.t('Open'))}</span
        >`,
      this.bar,
    );
    this.bar.style.height = `${barHeight}px`;
  }

  private more(): TemplateResult {
    const { hunk, owner } = this;
    const more = (text: string, run: () => void) =>
      html`<button type="button" class="pl-more" @click=${run}>${icon('unfold', 's12')}${text}</button>`;
    const rest =
      hunk.hiddenAfter === 1 ? l10n.t('Show 1 unchanged line') : l10n.t('Show {0} unchanged lines', hunk.hiddenAfter);
    return html`${hunk.cut > 0 ? more(l10n.t('Show {0} more lines', hunk.cut), () => owner.showMore(hunk)) : nothing}
    ${hunk.hiddenAfter > 0 ? more(rest, () => owner.unfold(hunk)) : nothing}`;
  }
}

/** Draws the lines of a change, below or beside each other. */
export function drawnLines(hunk: ReviewPageHunk, language: string, isSideBySide: boolean): readonly HTMLElement[] {
  return drawnParts(hunk, language, isSideBySide, []);
}

/** Draws the lines in parts, with the threads between them. */
function drawnParts(
  hunk: ReviewPageHunk,
  language: string,
  isSideBySide: boolean,
  threads: readonly ThreadPlace[],
): readonly HTMLElement[] {
  const lines = linesOf(hunk);
  const colors = rowColors(lines, language);
  const rows = isSideBySide ? rowsBeside(lines) : lines.map((line, at): Row => ({ from: [line, at], to: [line, at] }));
  const draw = (part: readonly Row[]) => (isSideBySide ? sideBySide(part, colors) : inline(part, colors));
  const parts: HTMLElement[] = [];
  let drawn = 0;
  const placed = threads.map(({ element, line }) => ({ element, after: rowOf(rows, line) }));
  for (const { element, after } of placed.toSorted((a, b) => a.after - b.after)) {
    if (after >= drawn) parts.push(draw(rows.slice(drawn, after + 1)));
    drawn = Math.max(drawn, after + 1);
    parts.push(element);
  }
  if (drawn < rows.length || parts.length === 0) parts.push(draw(rows.slice(drawn)));
  return parts;
}

/** Returns the row of a line of the file, or else the last one that changed. */
function rowOf(rows: readonly Row[], line: number | undefined): number {
  const own = line === undefined ? -1 : rows.findIndex(({ to }) => to?.[0].newNumber === line);
  return own >= 0 ? own : rows.findLastIndex(({ from, to }) => [from, to].some((one) => one && one[0].kind !== 'same'));
}

/** Whether a change has no lines at all: a file is made or deleted that has none. */
function isEmpty({ before, removed, added, after }: ReviewPageHunk): boolean {
  return before.length + removed.length + added.length + after.length === 0;
}

function note(name: string, text: string): TemplateResult {
  return html`<span class="st-t">${icon(name, 's12')}<span class="clip">${text}</span></span>`;
}

function linesOf({ before, removed, added, after, oldLine, newLine, oldEnd, newEnd }: ReviewPageHunk): Line[] {
  const pairs = linePairs(removed, added);
  const backwards = new Map([...pairs].map(([from, to]) => [to, from]));
  const same = (texts: readonly string[], oldFirst: number, newFirst: number) =>
    texts.map((text, at): Line => ({ kind: 'same', text, oldNumber: oldFirst + at, newNumber: newFirst + at }));
  const pairOf = (texts: readonly string[], at: number | undefined) => {
    const pair = at === undefined ? undefined : texts[at];
    return pair === undefined ? {} : { pair };
  };
  return [
    ...same(before, oldLine - before.length, newLine - before.length),
    ...removed.map((text, at): Line => ({
      kind: 'del',
      text,
      oldNumber: oldLine + at,
      ...pairOf(added, pairs.get(at)),
    })),
    ...added.map((text, at): Line => ({
      kind: 'add',
      text,
      newNumber: newLine + at,
      ...pairOf(removed, backwards.get(at)),
    })),
    ...same(after, oldEnd, newEnd),
  ];
}

type Colors = ReadonlyMap<number, readonly CodeToken[]>;

function inline(rows: readonly Row[], colors: Colors): HTMLElement {
  const diff = scroller('pl-diff two');
  for (const { to } of rows) {
    if (to) diff.append(lineElement(to[0], [to[0].oldNumber, to[0].newNumber], colors.get(to[1])));
  }
  return diff;
}

/** What is in one row: a line with its index, or one on each side. */
interface Row {
  readonly from: Numbered | undefined;
  readonly to: Numbered | undefined;
}
type Numbered = readonly [line: Line, at: number];

/** Returns the lines so that both sides are beside each other. */
function rowsBeside(lines: readonly Line[]): readonly Row[] {
  const numbered = lines.map((line, at): Numbered => [line, at]);
  const removed = numbered.filter(([{ kind }]) => kind === 'del');
  const added = numbered.filter(([{ kind }]) => kind === 'add');
  const rows: Row[] = [];
  let isPast = false;
  for (const one of numbered) {
    if (one[0].kind === 'same') rows.push({ from: one, to: one });
    else if (!isPast) {
      isPast = true;
      for (let index = 0; index < Math.max(removed.length, added.length); index++)
        rows.push({ from: removed[index], to: added[index] });
    }
  }
  return rows;
}

/** Where one side has no line, it is hatched. */
function sideBySide(rows: readonly Row[], colors: Colors): HTMLElement {
  const [left, right] = [scroller('pl-diff'), scroller('pl-diff')];
  for (const { from, to } of rows) {
    left.append(from ? lineElement(from[0], [from[0].oldNumber], colors.get(from[1])) : missing());
    right.append(to ? lineElement(to[0], [to[0].newNumber], colors.get(to[1])) : missing());
  }
  const both = document.createElement('div');
  both.className = 'pl-sbs';
  both.append(left, right);
  return both;
}

function scroller(name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  // See `scrollSideways`.
  element.tabIndex = -1;
  return element;
}

function missing(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'l x';
  element.setAttribute('aria-hidden', 'true');
  return element;
}

const signs = { same: ' ', add: '+', del: '−' };

function lineElement(
  row: Line,
  numbers: readonly (number | undefined)[],
  tokens: readonly CodeToken[] | undefined,
): HTMLElement {
  const element = document.createElement('div');
  element.className = row.kind === 'same' ? 'l' : row.kind === 'add' ? 'l i' : 'l r';
  for (const number of numbers) {
    const cell = document.createElement('span');
    cell.className = 'n';
    cell.textContent = number === undefined ? '' : String(number);
    element.append(cell);
  }
  const sign = document.createElement('span');
  sign.textContent = signs[row.kind];
  sign.setAttribute('aria-hidden', 'true');
  const code = codeElement(row.text, row.pair, tokens);
  if (row.kind !== 'same') {
    const words = document.createElement('span');
    words.className = 'sr';
    words.textContent = `${row.kind === 'add' ? l10n.t('added') : l10n.t('removed')} `;
    code.prepend(words);
  }
  element.append(sign, code);
  return element;
}
