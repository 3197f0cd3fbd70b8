import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { DecidedFile, ReviewPageFile } from '../../src/shared/changes/reviewPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { counts, stateWords } from './fileView';
import { nameAndFolder } from './nameAndFolder';
import type { ReviewModel } from './reviewModel';

/** The height of a row, in px. */
const rowHeight = 24;
/** How many rows are on the page above and below those in view. */
const spare = 20;

type Row =
  | { readonly kind: 'section'; readonly label: string; readonly count: number }
  | { readonly kind: 'left'; readonly file: ReviewPageFile }
  | { readonly kind: 'decided'; readonly file: DecidedFile };

/** The list of files beside a wide page: those that are left, and the decided ones. Only the rows near those in view are on the page. */
export class FileList {
  readonly element = document.createElement('nav');
  private readonly go: (uri: string) => void;
  private rows: readonly Row[] = [];
  private current: string | undefined;
  private revealed: string | undefined;

  /** `go` shows a file. */
  constructor(go: (uri: string) => void) {
    this.go = go;
    this.element.className = 'pl-files';
    this.element.setAttribute('aria-label', l10n.t('Files'));
    this.element.addEventListener('scroll', () => this.drawRows(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    new ResizeObserver(() => this.drawRows()).observe(this.element);
  }

  /** Shows which file is current. */
  mark(model: ReviewModel): void {
    if (this.current !== model.current?.uri) this.draw(model);
  }

  draw(model: ReviewModel): void {
    const { files, decided } = model;
    this.current = model.current?.uri;
    this.rows = [
      ...(files.length > 0 ? [{ kind: 'section', label: l10n.t('Left'), count: files.length } as const] : []),
      ...files.map((file) => ({ kind: 'left', file }) as const),
      ...(decided.length > 0 ? [{ kind: 'section', label: l10n.t('Decided'), count: decided.length } as const] : []),
      ...decided.map((file) => ({ kind: 'decided', file }) as const),
    ];
    if (this.current !== this.revealed) this.reveal();
    this.drawRows();
  }

  private reveal(): void {
    this.revealed = this.current;
    const at = this.rows.findIndex((row) => row.kind === 'left' && row.file.uri === this.current);
    const { scrollTop, clientHeight } = this.element;
    if (at < 0 || clientHeight === 0) return;
    const top = at * rowHeight;
    if (top < scrollTop) this.element.scrollTop = top - rowHeight;
    else if (top + rowHeight > scrollTop + clientHeight) this.element.scrollTop = top + 2 * rowHeight - clientHeight;
  }

  private drawRows(): void {
    const { scrollTop, clientHeight } = this.element;
    if (clientHeight === 0) return;
    const from = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
    const to = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + spare);
    render(
      html`<div
        role="listbox"
        tabindex="0"
        aria-label=${l10n.t('Files')}
        aria-activedescendant=${this.rows.slice(from, to).some((row) => this.isCurrent(row)) ? 'current-file' : nothing}
      >
        ${this.rows.slice(from, to).map((row) => this.row(row))}
      </div>`,
      this.element,
    );
    const box = this.element.querySelector<HTMLElement>('[role="listbox"]');
    if (!box) return;
    box.style.paddingTop = `${from * rowHeight}px`;
    box.style.paddingBottom = `${(this.rows.length - to) * rowHeight}px`;
  }

  private isCurrent(row: Row): boolean {
    return row.kind === 'left' && row.file.uri === this.current;
  }

  private row(row: Row): TemplateResult {
    if (row.kind === 'section') {
      return html`<div class="sect" role="presentation">
        <span class="grow">${row.label}</span><span class="num dim">${row.count}</span>
      </div>`;
    }
    const { path, uri } = row.file;
    const [name, folder] = nameAndFolder(path);
    const isLeft = row.kind === 'left';
    const isCurrent = this.isCurrent(row);
    const state = isLeft ? leftWords(row.file) : row.file.outcome === 'kept' ? l10n.t('kept') : l10n.t('undone');
    const glyph = isLeft ? 'circle-large' : row.file.outcome === 'kept' ? 'check' : 'reply';
    const label = [name, ...(folder === '' ? [] : [folder]), state].join(', ');
    return html`<div
      class="pl-frow ${isLeft ? '' : 'dec'}"
      id=${isCurrent ? 'current-file' : nothing}
      role="option"
      aria-selected=${String(isCurrent)}
      aria-label=${label}
      title=${showHiddenOnOneLine(path)}
      @click=${() => (isLeft ? this.go(uri) : undefined)}
    >
      ${icon(glyph, 'quiet')}
      <span class="nm clip">${showHiddenOnOneLine(name)}</span
      ><span class="dir clip">${showHiddenOnOneLine(folder)}</span>
      <span class="grow"></span>
      ${isLeft && !row.file.isBinary ? counts(row.file) : html`<span class="w">${state}</span>`}
    </div>`;
  }

  private pressed(event: KeyboardEvent): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const files = this.rows.flatMap((row) => (row.kind === 'left' ? [row.file.uri] : []));
    const next = files[files.indexOf(this.current ?? '') + by];
    if (next === undefined) return;
    this.go(next);
    this.element.querySelector<HTMLElement>('[role="listbox"]')?.focus({ preventScroll: true });
  }
}

function leftWords(file: ReviewPageFile): string {
  const { left, total, hasUserText } = file;
  const state = stateWords(file);
  return [
    ...state,
    left === total ? (state.length > 0 ? undefined : l10n.t('left')) : l10n.t('{0} of {1} changes left', left, total),
    ...(hasUserText ? [l10n.t('you edited this too')] : []),
  ]
    .filter((word) => word !== undefined)
    .join(', ');
}
