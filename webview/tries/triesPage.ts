import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { HunkWish } from '../../src/shared/changes/reviewPage';
import type {
  FromTriesPage,
  PageDifference,
  PageDifferences,
  PagePair,
  PageRow,
  PageSide,
  PageTry,
  ToTriesPage,
  TriesReport,
  TryToCleanUp,
} from '../../src/shared/changes/triesPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { Announcer } from '../base/announcer';
import { icon } from '../base/icon';
import { menuButton } from '../base/menuButton';
import { distinguishAgents, monogram } from '../base/monogram';
import { isLanguageLoaded, languageOfPath, loadLanguage } from '../code/highlight';
import { footKeys, showKeys } from '../review/keyHelp';
import { nameAndFolder } from '../review/nameAndFolder';
import { drawnLines } from '../review/hunkView';
import { cleanUpView } from './cleanUpView';
import { differenceView, type SideLabel } from './differenceView';
import { keyRows, triesKeyOf, type TriesKey } from './triesKeys';
import { cellKey, triesTable } from './triesTable';

/** What the page remembers between loads: how differences are shown. */
export interface TriesMemory {
  view: 'auto' | 'inline' | 'sideBySide';
}

/** From this width, both sides fit beside each other, in px. */
const wideEnough = 1200;
/** How many more changed lines are shown. */
const moreLines = 2000;

/** The comparison of several tries: a table of files, and the open file as a diff of two sides. */
export class TriesPage {
  private readonly post: (message: FromTriesPage) => void;
  private readonly memory: TriesMemory;
  private readonly remember: () => void;
  private readonly page = document.createElement('div');
  private readonly announcer: Announcer;
  private report: TriesReport | undefined;
  private isLoaded = false;
  private locale = 'en';
  private pair: PagePair | undefined;
  private content: PageDifferences | undefined;
  private readonly wishes = new Map<string, HunkWish>();
  /** The difference that keys act on. */
  private current = 0;
  /** The cell of the table that Tab goes to. */
  private cursor = '';
  private isBusy = false;
  private isWide = false;
  private focuses: 'page' | 'difference' | 'cleanUp' | 'cleanUpButton' | undefined;
  /** What would be lost with the tries, and those that the user has selected, while the user cleans up. */
  private cleanUp: { readonly stamp: number; readonly tries: readonly TryToCleanUp[] } | undefined;
  private selected: ReadonlySet<PageTry['session']> = new Set();
  /** Drawn lines by what they show, so that they keep their place while the rest is drawn again. */
  private drawn = new Map<string, HTMLElement>();

  constructor(root: HTMLElement, post: (message: FromTriesPage) => void, memory: TriesMemory, remember: () => void) {
    this.post = post;
    this.memory = memory;
    this.remember = remember;
    this.page.className = 'pl-in pl-review cmp';
    root.append(this.page);
    this.announcer = new Announcer(root);
    document.addEventListener('keydown', (event) => this.pressed(event));
    new ResizeObserver(() => {
      const isWide = this.page.clientWidth >= wideEnough;
      if (isWide === this.isWide) return;
      this.isWide = isWide;
      this.draw();
    }).observe(this.page);
    this.draw();
  }

  receive(message: ToTriesPage): void {
    switch (message.type) {
      case 'tries':
        this.report = message.report;
        this.locale = message.locale;
        this.isLoaded = true;
        if (message.report) this.reportChanged(message.report, message.known);
        else this.cleanUp = undefined;
        this.draw();
        return;
      case 'differences':
        if (JSON.stringify(message.pair) !== JSON.stringify(this.pair)) return;
        this.content = message.content;
        this.current = Math.max(0, Math.min(this.current, this.differences.length - 1));
        this.draw();
        return;
      case 'done':
        this.isBusy = false;
        if (message.words !== '') this.announcer.announce(message.words);
        this.draw();
        return;
      case 'cleanUpList':
        this.listed(message);
        return;
      case 'focusTries':
        this.focuses = this.cleanUp ? 'cleanUp' : 'page';
        this.draw();
    }
  }

  /** Shows the list of what would be lost. Nothing is selected that wasn't, unless the list is new. */
  private listed({ stamp, tries }: Extract<ToTriesPage, { type: 'cleanUpList' }>): void {
    const free = tries.flatMap(({ session, reason }) => (reason === undefined ? [session] : []));
    const before = this.cleanUp;
    this.selected = new Set(before ? free.filter((session) => this.selected.has(session)) : free);
    this.cleanUp = tries.length > 0 ? { stamp, tries } : undefined;
    this.focuses = this.cleanUp ? 'cleanUp' : 'cleanUpButton';
    this.draw();
  }

  private leaveCleanUp(): void {
    this.cleanUp = undefined;
    this.focuses = 'cleanUpButton';
    this.draw();
  }

  private get differences(): readonly PageDifference[] {
    return this.content?.kind === 'lines' ? this.content.differences : [];
  }

  private get isSideBySide(): boolean {
    const { view } = this.memory;
    return view === 'sideBySide' || (view === 'auto' && this.isWide);
  }

  private reportChanged({ tries, rows }: TriesReport, known: readonly string[]): void {
    distinguishAgents([...known, ...tries.map(({ agentName }) => agentName)], []);
    const keys = cellsOf(rows);
    if (!keys.includes(this.cursor)) this.cursor = keys[0] ?? '';
    const { pair } = this;
    if (!pair) return;
    const sides = [pair.left, pair.right].filter((side) => side !== 'base');
    const isThere =
      rows.some(({ path }) => path === pair.path) &&
      sides.every((side) => tries.some(({ session }) => session === side));
    if (isThere) this.askAgain();
    else this.pair = undefined;
  }

  private compare(row: PageRow, at: number): void {
    const tries = this.report?.tries ?? [];
    const one = tries[at];
    if (!one) return;
    this.cursor = cellKey(row.path, at);
    const other = tries.find((_, index) => index !== at && row.cells[index] && row.cells[index].sameAs !== at);
    const isFirst = other !== undefined && tries.indexOf(other) > at;
    const side: PageSide = other?.session ?? 'base';
    this.open({ path: row.path, left: isFirst ? one.session : side, right: isFirst ? side : one.session });
  }

  /** Shows a file below the table. */
  private open(pair: PagePair): void {
    this.pair = pair;
    this.content = undefined;
    this.current = 0;
    this.wishes.clear();
    this.drawn.clear();
    this.focuses = 'difference';
    this.askAgain();
    this.draw();
  }

  private askAgain(): void {
    if (this.pair) this.post({ type: 'compare', pair: this.pair, wishes: [...this.wishes.values()] });
  }

  private wish(difference: PageDifference, more: Partial<HunkWish>): void {
    const { id } = difference.hunk;
    this.wishes.set(id, { ...this.wishes.get(id), ...more, id });
    this.askAgain();
  }

  private take(session: PageTry['session'], path?: string): void {
    if (this.isBusy) return;
    this.isBusy = true;
    this.post({ type: 'take', session, ...(path === undefined ? {} : { path }) });
    this.draw();
  }

  private undoFile(session: PageTry['session'], path: string): void {
    if (this.isBusy) return;
    this.isBusy = true;
    this.post({ type: 'undoFile', session, path });
    this.draw();
  }

  private takeDifference(difference: PageDifference | undefined, side: 'left' | 'right'): void {
    const { pair } = this;
    if (!pair || !difference || this.isBusy || pair[side] === 'base' || difference[side] !== 'changed') return;
    this.isBusy = true;
    const { id, stamp } = difference.hunk;
    this.post({ type: 'takeDifference', pair, side, id, stamp });
    this.draw();
  }

  private pressed(event: KeyboardEvent): void {
    if (this.cleanUp) {
      if (event.key !== 'Escape' || event.defaultPrevented || this.isBusy) return;
      event.preventDefault();
      this.leaveCleanUp();
      return;
    }
    if (this.movedInTable(event)) {
      event.preventDefault();
      return;
    }
    const key = triesKeyOf(event);
    if (key === undefined) return;
    event.preventDefault();
    this.act(key);
  }

  private act(key: TriesKey): void {
    const { pair, differences, current } = this;
    switch (key) {
      case 'next':
      case 'previous': {
        const at = current + (key === 'next' ? 1 : -1);
        if (at >= 0 && at < differences.length) this.goTo(at);
        else this.goToFile(key === 'next' ? 1 : -1);
        return;
      }
      case 'nextFile':
      case 'previousFile':
        this.goToFile(key === 'nextFile' ? 1 : -1);
        return;
      case 'takeLeft':
      case 'takeRight':
        this.takeDifference(differences[current], key === 'takeLeft' ? 'left' : 'right');
        return;
      case 'undo': {
        const taken = pair && [pair.left, pair.right].find((side) => side !== 'base' && this.isTaken(side, pair.path));
        if (pair && taken !== undefined && taken !== 'base') this.undoFile(taken, pair.path);
        return;
      }
      case 'open':
        if (pair) this.post({ type: 'openBoth', pair });
        return;
      case 'keys':
        showKeys(this.page, keyRows.all);
        return;
      case 'return':
        this.post({ type: 'returnToChat' });
    }
  }

  private isTaken(session: PageTry['session'], path: string): boolean {
    const at = this.report?.tries.findIndex((one) => one.session === session) ?? -1;
    return this.report?.rows.find((row) => row.path === path)?.cells[at]?.taken !== undefined;
  }

  private goTo(at: number): void {
    this.current = at;
    this.focuses = 'difference';
    this.draw();
  }

  private goToFile(step: 1 | -1): void {
    const rows = this.report?.rows ?? [];
    const from = rows.findIndex(({ path }) => path === this.pair?.path);
    const row = this.pair ? rows[from + step] : rows[step === 1 ? 0 : rows.length - 1];
    const at = row?.cells.findIndex((cell) => cell !== undefined) ?? -1;
    if (row && at >= 0) this.compare(row, at);
  }

  /** Moves between the cells of the table with the arrow keys. */
  private movedInTable({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[key];
    if (!step || ctrlKey || metaKey || altKey || shiftKey || !this.report) return false;
    if (!(target instanceof HTMLElement) || target.closest('.pl-cmp .ci') === null) return false;
    const { rows, tries } = this.report;
    const [down = 0, across = 0] = step;
    let [row, at] = [rows.findIndex(({ path }) => this.cursor.endsWith(` ${path}`)), Number.parseInt(this.cursor)];
    row = rows.findIndex(({ path }) => cellKey(path, at) === this.cursor);
    // Cells without a change are passed over.
    for (;;) {
      row += down;
      at += across;
      if (row < 0 || at < 0 || row >= rows.length || at >= tries.length) return true;
      if (rows[row]?.cells[at]) break;
    }
    this.cursor = cellKey(rows[row]?.path ?? '', at);
    this.draw();
    this.page.querySelector<HTMLElement>(`.open[data-cell="${CSS.escape(this.cursor)}"]`)?.focus();
    return true;
  }

  private draw(): void {
    const { report } = this;
    const count = report?.tries.length ?? 0;
    const compares = count === 1 ? l10n.t('Compare 1 try') : l10n.t('Compare {0} tries', count);
    const cleansUp = count === 1 ? l10n.t('Clean up 1 try') : l10n.t('Clean up {0} tries', count);
    const heading = this.cleanUp ? cleansUp : compares;
    document.title = report ? heading : l10n.t('Compare tries');
    render(
      html`<div class="pl-top">
          <header class="pl-header">
            <h1 class="clip" tabindex="-1">${report ? heading : l10n.t('Compare tries')}</h1>
            ${
              report
                ? html`<span class="dim clip w-l msg">${showHiddenOnOneLine(report.message.slice(0, 500))}</span>`
                : nothing
            }
            <span class="grow"></span>${report && !this.cleanUp ? this.headButtons(report) : nothing}
          </header>
        </div>
        <main class="pl-rfeed" tabindex="-1"><div class="in">${this.body()}</div></main>
        ${report && !this.cleanUp ? html`<div class="pl-rbottom">${this.foot(report)}</div>` : nothing}`,
      this.page,
    );
    this.giveFocus();
  }

  private headButtons(report: TriesReport): TemplateResult {
    const view = (name: 'inline' | 'sideBySide', label: string, mark: string) => {
      const isChecked = this.isSideBySide === (name === 'sideBySide');
      return html`<button
        type="button"
        class="ib"
        role="radio"
        aria-checked=${String(isChecked)}
        tabindex=${isChecked ? 0 : -1}
        aria-label=${label}
        title=${label}
        @click=${() => this.setView(name)}
        @keydown=${(event: KeyboardEvent) => {
          if (!/^Arrow(Left|Right)$/.test(event.key)) return;
          event.preventDefault();
          this.setView(name === 'inline' ? 'sideBySide' : 'inline');
          this.page.querySelector<HTMLElement>('.pl-view [aria-checked="true"]')?.focus();
        }}
      >
        ${icon(mark)}
      </button>`;
    };
    const isIdle = report.tries.some(({ state, check }) => state === 'ended' && check?.state !== 'running');
    return html`<span class="pl-view" role="radiogroup" aria-label=${l10n.t('View')}
        >${view('inline', l10n.t('Inline'), 'diff-single')}${view('sideBySide', l10n.t('Side by side'), 'diff')}</span
      >
      ${
        report.command === undefined
          ? nothing
          : html`<button
              type="button"
              class="btn sm"
              aria-label=${l10n.t('Run check again')}
              title=${l10n.t('Run check again')}
              ?disabled=${!isIdle}
              @click=${() => this.post({ type: 'check' })}
            >
              ${icon('debug-restart', 's12')}<span class="w-l">${l10n.t('Run check again')}</span>
            </button>`
      }`;
  }

  private setView(view: 'inline' | 'sideBySide'): void {
    this.memory.view = view;
    this.remember();
    this.drawn.clear();
    this.draw();
  }

  private body(): TemplateResult | typeof nothing {
    const { report, pair, cleanUp } = this;
    if (cleanUp) {
      const { selected, isBusy } = this;
      return cleanUpView(
        { tries: cleanUp.tries, selected, isBusy },
        {
          select: (session, isSelected) => {
            const others = [...this.selected].filter((one) => one !== session);
            this.selected = new Set(isSelected ? [...others, session] : others);
            this.draw();
          },
          remove: (way) => {
            this.isBusy = true;
            this.post({ type: 'removeTries', stamp: cleanUp.stamp, tries: [...this.selected], way });
            this.draw();
          },
          cancel: () => this.leaveCleanUp(),
        },
      );
    }
    if (!report) {
      if (!this.isLoaded) return html`<p class="dim" role="status">${l10n.t('Comparing the worktrees…')}</p>`;
      return html`<p>${l10n.t('These tries are no longer stored. Start new ones with “Parley: Try With…”.')}</p>`;
    }
    const { locale, cursor, isBusy } = this;
    return html`${triesTable(
      { report, locale, cursor, isBusy, open: pair?.path },
      {
        compare: (row, at) => this.compare(row, at),
        takeAll: ({ session }) => this.take(session),
        takeFile: ({ session }, { path }) => this.take(session, path),
        undoFile: ({ session }, { path }) => this.undoFile(session, path),
        openSession: ({ session }) => this.post({ type: 'openSession', session }),
      },
    )}
    ${report.rows.length === 0 ? html`<p class="dim">${l10n.t('No try has changed a file yet.')}</p>` : nothing}
    ${pair ? this.file(pair, report) : nothing}`;
  }

  private file(pair: PagePair, report: TriesReport): TemplateResult {
    const [name, folder] = nameAndFolder(pair.path);
    const file = showHiddenOnOneLine(name);
    const { differences, content } = this;
    const [left, right] = [this.label(pair.left, report), this.label(pair.right, report)];
    const note = content?.kind === 'words' ? content.words : content?.note;
    const count = differences.length === 1 ? l10n.t('1 difference') : l10n.t('{0} differences', differences.length);
    return html`<article class="pl-file" aria-label=${`${file}, ${left.name}, ${right.name}`}>
      <header class="fh">
        ${icon('file')}<b class="clip">${file}</b
        ><span class="dir clip">${showHiddenOnOneLine(folder)}</span
        >${differences.length > 0 ? html`<span class="dim xs w-l">${count}</span>` : nothing}
        <span class="grow"></span>
        ${this.picker('left', pair, report)}
        <button
          type="button"
          class="ib"
          aria-label=${l10n.t('Swap sides')}
          title=${l10n.t('Swap sides')}
          @click=${() => this.open({ path: pair.path, left: pair.right, right: pair.left })}
        >
          ${icon('arrow-swap')}
        </button>
        ${this.picker('right', pair, report)}
        <button
          type="button"
          class="ib"
          aria-label=${l10n.t('Open {0} in the editor', file)}
          title=${l10n.t('Open {0} in the editor', file)}
          @click=${() => this.post({ type: 'openBoth', pair })}
        >
          ${icon('go-to-file')}
        </button>
      </header>
      ${note === undefined ? nothing : html`<p class="fnote">${note}</p>`}
      ${differences.map((difference, at) =>
        differenceView({
          difference,
          at: at + 1,
          count: differences.length,
          isCurrent: at === this.current,
          isBusy: this.isBusy,
          isSideBySide: this.isSideBySide,
          left,
          right,
          lines: this.linesOf(difference, pair.path),
          chosen: () => {
            if (this.current === at) return;
            this.current = at;
            this.draw();
          },
          take: (side) => this.takeDifference(difference, side),
          unfold: () => this.wish(difference, { isUnfolded: difference.hunk.hidden > 0 }),
          showMore: () =>
            this.wish(difference, { lines: difference.hunk.removed.length + difference.hunk.added.length + moreLines }),
        }),
      )}
    </article>`;
  }

  private linesOf({ hunk }: PageDifference, path: string): HTMLElement {
    const { isSideBySide } = this;
    const key = JSON.stringify([isSideBySide, hunk]);
    const before = this.drawn.get(key);
    if (before) return before;
    const language = languageOfPath(path);
    if (language !== '' && !isLanguageLoaded(language)) {
      void loadLanguage(language).then((isThere) => {
        if (!isThere) return;
        this.drawn.clear();
        this.draw();
      }, reportError);
    }
    const lines = document.createElement('div');
    lines.className = `lines ${isSideBySide ? 'v-sd' : 'v-in'}`;
    lines.append(...drawnLines(hunk, language, isSideBySide));
    this.drawn.set(key, lines);
    return lines;
  }

  private label(side: PageSide, { tries }: TriesReport): SideLabel {
    const one = tries.find(({ session }) => session === side);
    return one ? { name: showHiddenOnOneLine(one.name), isTry: true } : { name: l10n.t('Start'), isTry: false };
  }

  private picker(side: 'left' | 'right', pair: PagePair, report: TriesReport): TemplateResult {
    const { name } = this.label(pair[side], report);
    const label = side === 'left' ? l10n.t('Left side: {0}', name) : l10n.t('Right side: {0}', name);
    const one = report.tries.find(({ session }) => session === pair[side]);
    const other = side === 'left' ? pair.right : pair.left;
    const choose = (chosen: PageSide) => {
      // The side that the other one shows changes places with it.
      const rest = chosen === other ? pair[side] : other;
      this.open({ path: pair.path, left: side === 'left' ? chosen : rest, right: side === 'left' ? rest : chosen });
    };
    const sides: readonly PageSide[] = ['base', ...report.tries.map(({ session }) => session)];
    return menuButton({
      label,
      menu: side === 'left' ? l10n.t('Left side') : l10n.t('Right side'),
      className: 'btn sm pl-side',
      content: html`<span class=${side === 'left' ? 'del mono' : 'add mono'} aria-hidden="true"
          >${side === 'left' ? '−' : '+'}</span
        >${one ? monogram(one.agentName) : nothing}<span class="clip">${name}</span>${icon('chevron-down', 's12')}`,
      items: () =>
        sides.map((each) => ({
          label: this.label(each, report).name,
          isChecked: each === pair[side],
          run: () => choose(each),
        })),
    });
  }

  private foot({ taken, tries }: TriesReport): TemplateResult {
    const isNothing = taken.files + taken.changes === 0;
    const from = taken.tries === 1 ? l10n.t('from 1 try') : l10n.t('from {0} tries', taken.tries);
    return html`<footer class="pl-rfoot">
      <span class="w-l">${footKeys(keyRows.foot)}</span>
      <span class="grow"></span
      ><span class="dim xs clip" role="status" title=${takenWords(taken)}
        >${takenWords(taken)}${isNothing ? nothing : html`<span class="w-xl"> ${from}</span>`}</span
      >
      <button type="button" class="btn sm primary" ?disabled=${isNothing} @click=${() => this.post({ type: 'review' })}>
        ${l10n.t('Review')}
      </button>
      <button
        type="button"
        class="btn sm clean-up"
        ?disabled=${this.isBusy || tries.length === 0}
        @click=${() => {
          this.isBusy = true;
          this.post({ type: 'cleanUp' });
          this.draw();
        }}
      >
        ${l10n.t('Clean up…')}
      </button>
    </footer>`;
  }

  private giveFocus(): void {
    const { focuses } = this;
    if (focuses === 'page') {
      this.focuses = undefined;
      const first = this.page.querySelector<HTMLElement>('.pl-cmp .open[tabindex="0"]');
      (first ?? this.page.querySelector<HTMLElement>('h1'))?.focus();
    } else if (focuses === 'cleanUp' && !this.isBusy) {
      this.focuses = undefined;
      const first = this.page.querySelector<HTMLElement>('.pl-cleanup input:enabled');
      (first ?? this.page.querySelector<HTMLElement>('h1'))?.focus();
    } else if (focuses === 'cleanUpButton' && !this.isBusy) {
      this.focuses = undefined;
      this.page.querySelector<HTMLElement>('.clean-up')?.focus();
    } else if (focuses === 'difference' && this.content) {
      this.focuses = undefined;
      const id = this.differences[this.current]?.hunk.id ?? '';
      const element = this.page.querySelector<HTMLElement>(`[data-difference="${CSS.escape(id)}"]`);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: 'nearest' });
    }
  }
}

/** Says how much was taken. */
function takenWords({ files, changes }: TriesReport['taken']): string {
  const ofFiles = files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files);
  const ofChanges = changes === 1 ? l10n.t('1 change') : l10n.t('{0} changes', changes);
  if (files > 0 && changes > 0) return l10n.t('Taken: {0}, {1}', ofFiles, ofChanges);
  if (files + changes === 0) return l10n.t('Nothing taken yet');
  return l10n.t('Taken: {0}', files > 0 ? ofFiles : ofChanges);
}

/** The keys of the cells with a change. */
function cellsOf(rows: readonly PageRow[]): readonly string[] {
  return rows.flatMap(({ path, cells }) => cells.flatMap((cell, at) => (cell ? [cellKey(path, at)] : [])));
}
