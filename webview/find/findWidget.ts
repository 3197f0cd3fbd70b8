import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import { lineMatcher, type FindQuery, type FoundEntry, type LineMatcher } from '../../src/shared/pages/findQuery';
import type { EntryId } from '../../src/shared/values/ids';
import { isComposing } from '../base/composition';
import { icon } from '../base/icon';
import { Marks, rangesIn } from './marks';
import { MatchList, type Match } from './matchList';

/** The page's functions that the widget needs. */
export interface FindTarget {
  readonly feed: HTMLElement;
  /** The entries on the page, in order. */
  readonly order: readonly EntryId[];
  /** The entry that the reader is at. */
  readonly current: EntryId | undefined;
  elementOf(id: EntryId): HTMLElement | undefined;
  /** Brings an entry on screen with all of its text, and fetches it if necessary. */
  reveal(id: EntryId): Promise<HTMLElement | undefined>;
  /** Stops following the end of the transcript. */
  stay(): void;
  search(id: number, query: FindQuery): void;
  announce(sentence: string): void;
  focusComposer(): void;
}

type Option = 'matchCase' | 'wholeWord' | 'isRegex';

/** How long after a change of the transcript it is searched again, in milliseconds. */
const againMs = 250;

/** Finds text in the whole session, like the find widget of an editor. The host searches; the page marks what is on it. */
export class FindWidget {
  private readonly target: FindTarget;
  private readonly element = document.createElement('div');
  private readonly marks = new Marks();
  private query: FindQuery = { text: '', matchCase: false, wholeWord: false, isRegex: false };
  private matcher: LineMatcher | undefined;
  private matches = new MatchList([]);
  private current: Match | undefined;
  private searches = 0;
  /** Whether the answer to the running search moves to a match, because the user has changed the query. */
  private seeks = false;
  /** The number of the last search that was answered, and whether its pattern was invalid. */
  private answered = 0;
  private isInvalid = false;
  /** Whether the transcript has changed since the running search began. */
  private isOutdated = false;
  private shown: HTMLElement | undefined;
  private again: ReturnType<typeof setTimeout> | undefined;
  private frame: number | undefined;
  private moves = 0;
  /** What had the focus before the widget was opened. */
  private before: HTMLElement | undefined;
  private readonly changes = new MutationObserver(() => this.markSoon());

  constructor(parent: HTMLElement, target: FindTarget) {
    this.target = target;
    this.element.className = 'pl-find';
    this.element.setAttribute('role', 'search');
    this.element.setAttribute('aria-label', l10n.t('Find in session'));
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    parent.append(this.element);
    target.feed.addEventListener('scroll', () => this.markSoon(), { passive: true });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Opens the widget, or focuses it. A typed text, or a selected one on one line, becomes the text to find. */
  open(typed = ''): void {
    if (!this.isOpen) {
      const { activeElement } = document;
      this.before = activeElement instanceof HTMLElement ? activeElement : undefined;
      this.setShown(true);
      this.changes.observe(this.target.feed, { childList: true, subtree: true, characterData: true });
    }
    const selected = document.getSelection()?.toString() ?? '';
    const isSelected = selected !== '' && !selected.includes('\n') && selected.length < 200;
    const text = typed === '' ? (isSelected ? selected : undefined) : typed;
    const isNew = text !== undefined;
    if (isNew) this.query = { ...this.query, text };
    this.draw();
    const { input } = this;
    if (input) {
      input.value = this.query.text;
      input.focus({ preventScroll: true });
      if (typed === '') input.select();
    }
    if (this.query.text !== '') this.search(isNew || this.current === undefined);
  }

  /** Shows or hides the widget, which needs room above the first entry. What the reader sees stays in place. */
  private setShown(isShown: boolean): void {
    const { feed } = this.target;
    const { top } = feed.getBoundingClientRect();
    const inSight = [...feed.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > top);
    const before = inSight?.getBoundingClientRect().top ?? 0;
    this.element.hidden = !isShown;
    feed.scrollTop += (inSight?.getBoundingClientRect().top ?? 0) - before;
  }

  close(): void {
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.setShown(false);
    this.changes.disconnect();
    clearTimeout(this.again);
    this.marks.clear();
    this.shown?.classList.remove('found');
    if (!hadFocus) return;
    // The entry of the match, like an editor's cursor after a search.
    const place = this.current && this.target.elementOf(this.current.entry);
    if (place) place.focus({ preventScroll: true });
    else if (this.before?.isConnected === true && this.before !== document.body) this.before.focus();
    else this.target.focusComposer();
  }

  /** The page shows another session, or none. */
  reset(isShown: boolean): void {
    this.current = undefined;
    this.matches = new MatchList([]);
    this.marks.clear();
    if (!this.isOpen) return;
    if (isShown) this.search(false);
    else this.close();
  }

  /** Searches again soon, because the transcript has changed. */
  changed(): void {
    if (!this.isOpen || this.query.text === '') return;
    // A search of a long session would never end if each change replaced it.
    if (this.answered !== this.searches) this.isOutdated = true;
    else this.again ??= setTimeout(() => this.search(false), againMs);
  }

  /** Shows the answer to a search. Without `found`, the pattern was invalid. */
  take(id: number, found: readonly FoundEntry[] | undefined): void {
    if (id !== this.searches || !this.isOpen) return;
    const seeks = this.seeks;
    this.seeks = false;
    this.answered = id;
    this.isInvalid = found === undefined;
    if (this.isOutdated) this.changed();
    this.matches = new MatchList(found ?? []);
    const known = this.current && this.matches.indexOf(this.current);
    if (known === undefined) this.current = undefined;
    if (seeks && this.matches.total > 0) {
      this.goTo(known ?? this.matches.indexFrom(this.target.current, this.target.order));
    } else {
      this.draw();
      this.markSoon();
    }
    if (seeks) this.target.announce(this.countWords());
  }

  step(by: 1 | -1): void {
    const { total } = this.matches;
    if (total === 0) return;
    const at = this.current && this.matches.indexOf(this.current);
    const from = this.matches.indexFrom(this.target.current, this.target.order);
    const next = at === undefined ? (by > 0 ? from : from - 1) : at + by;
    this.goTo((next + total) % total);
    this.target.announce(this.countWords());
  }

  private get input(): HTMLInputElement | null {
    return this.element.querySelector('input');
  }

  private search(seeks: boolean): void {
    clearTimeout(this.again);
    this.again = undefined;
    this.isOutdated = false;
    this.matcher = lineMatcher(this.query);
    this.seeks ||= seeks;
    this.searches++;
    this.target.search(this.searches, this.query);
    this.draw();
  }

  private change(change: Partial<FindQuery>): void {
    this.query = { ...this.query, ...change };
    this.search(true);
  }

  private goTo(index: number): void {
    const match = this.matches.at(index);
    this.current = match;
    this.draw();
    this.markSoon();
    if (!match) return;
    const move = ++this.moves;
    void this.target.reveal(match.entry).then((element) => {
      if (move !== this.moves || !this.isOpen || !element) return;
      this.show(element, match);
    });
  }

  /** Scrolls to a match of an entry that is drawn, or to the entry itself if the match isn't in a visible text. */
  private show(element: HTMLElement, { nth }: Match): void {
    const ranges = this.matcher ? rangesIn(element, this.matcher) : [];
    const range = ranges[Math.min(nth, ranges.length - 1)];
    this.target.stay();
    if (range) scrollToRange(range, this.target.feed);
    else element.scrollIntoView({ block: 'nearest' });
    this.mark();
  }

  private markSoon(): void {
    if (!this.isOpen) return;
    this.frame ??= requestAnimationFrame(() => this.mark());
  }

  /** Marks the matches in sight. */
  private mark(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (!this.isOpen) return;
    const { matcher, current } = this;
    const ranges: Range[] = [];
    let chosen: Range | undefined;
    let place: HTMLElement | undefined;
    const view = this.target.feed.getBoundingClientRect();
    for (const [id] of matcher ? this.matches.entries : []) {
      const element = this.target.elementOf(id);
      if (!element || !matcher || !isInView(element, view)) continue;
      const found = rangesIn(element, matcher);
      ranges.push(...found);
      if (id !== current?.entry) continue;
      chosen = found[Math.min(current.nth, found.length - 1)];
      if (!chosen) place = element;
    }
    this.marks.set(ranges, chosen);
    if (this.shown !== place) this.shown?.classList.remove('found');
    this.shown = place;
    place?.classList.add('found');
  }

  private onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const isMac = navigator.userAgent.includes('Mac');
    const option = event.altKey && !event.ctrlKey && event.metaKey === isMac ? optionOfKey(event.code) : undefined;
    if (option !== undefined) this.change({ [option]: !this.query[option] });
    else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private countWords(): string {
    if (this.query.text === '') return '';
    if (this.isInvalid) return l10n.t('Invalid pattern');
    const { total } = this.matches;
    if (total === 0) return l10n.t('No results');
    const at = this.current && this.matches.indexOf(this.current);
    return at === undefined ? l10n.t('? of {0}', total) : l10n.t('{0} of {1}', at + 1, total);
  }

  private draw(): void {
    const { total } = this.matches;
    const isEmpty = this.query.text !== '' && total === 0 && this.answered === this.searches;
    this.element.classList.toggle('none', isEmpty);
    render(
      html`<div class="field">
          <input
            type="text"
            spellcheck="false"
            autocomplete="off"
            placeholder=${l10n.t('Find')}
            aria-label=${l10n.t('Find')}
            aria-invalid=${this.isInvalid}
            @input=${({ target }: Event) => this.change({ text: (target as HTMLInputElement).value })}
          />
          ${this.option('matchCase', 'case-sensitive', l10n.t('Match case'), 'C')}
          ${this.option('wholeWord', 'whole-word', l10n.t('Match whole word'), 'W')}
          ${this.option('isRegex', 'regex', l10n.t('Use regular expression'), 'R')}
        </div>
        <span class="count">${this.countWords()}</span>
        <span class="go">
          ${this.button('arrow-up', l10n.t('Previous match'), total === 0, () => this.step(-1))}
          ${this.button('arrow-down', l10n.t('Next match'), total === 0, () => this.step(1))}
          ${this.button('close', l10n.t('Close'), false, () => this.close())}
        </span>`,
      this.element,
    );
  }

  private option(name: Option, glyph: string, label: string, key: string) {
    const isMac = navigator.userAgent.includes('Mac');
    return html`<button
      type="button"
      class="opt"
      aria-label=${label}
      aria-pressed=${this.query[name]}
      title="${label} (${isMac ? '⌥⌘' : 'Alt+'}${key})"
      @click=${() => this.change({ [name]: !this.query[name] })}
    >
      ${icon(glyph)}
    </button>`;
  }

  private button(glyph: string, label: string, isOff: boolean, act: () => void) {
    return html`<button
      type="button"
      class="ib"
      aria-label=${label}
      title=${label}
      aria-disabled=${isOff}
      @click=${() => !isOff && act()}
    >
      ${icon(glyph)}
    </button>`;
  }
}

/** The keys of VS Code's find widget, by their place on the keyboard: Option changes the letter on a Mac. */
function optionOfKey(code: string): Option | undefined {
  if (code === 'KeyC') return 'matchCase';
  if (code === 'KeyW') return 'wholeWord';
  return code === 'KeyR' ? 'isRegex' : undefined;
}

function isInView(element: HTMLElement, view: DOMRect): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > view.top - view.height && top < view.bottom + view.height;
}

/** Scrolls a range to the middle of the feed and of everything in between that scrolls, unless it's in sight. */
function scrollToRange(range: Range, feed: HTMLElement): void {
  for (let at: Element | null = range.startContainer.parentElement; at; at = at.parentElement) {
    const isFeed = at === feed;
    if (isFeed || (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY))) {
      const box = range.getBoundingClientRect();
      const view = at.getBoundingClientRect();
      // The widget covers the top of the feed.
      const margin = isFeed ? 48 : 0;
      if (box.top < view.top + margin || box.bottom > view.top + at.clientHeight) {
        at.scrollTop += (box.top + box.bottom) / 2 - (view.top + at.clientHeight / 2);
      }
    }
    if (!isFeed && at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) {
      const box = range.getBoundingClientRect();
      const view = at.getBoundingClientRect();
      // Back at the start if the match is visible there, because a line is read from its beginning.
      if (box.left < view.left || box.right > view.left + at.clientWidth) {
        const from = box.left - view.left + at.scrollLeft;
        const isAtStart = from >= 0 && from + box.width <= at.clientWidth;
        at.scrollLeft = isAtStart ? 0 : from + box.width / 2 - at.clientWidth / 2;
      }
    }
    if (isFeed) return;
  }
}
