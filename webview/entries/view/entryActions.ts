import { html, render } from 'lit-html';
import { icon } from '../../base/icon';

/** A button of an entry that is shown while the entry has the pointer or the focus. */
export interface EntryAction {
  readonly glyph: string;
  readonly label: string;
  readonly act: () => void;
}

/**
 * Keeps one tab stop per entry: the buttons of an entry's actions are in the tab order only while the entry has the
 * focus.
 */
export function followFocus(element: HTMLElement): void {
  const setStops = (tabIndex: number) => {
    for (const button of element.querySelectorAll<HTMLElement>('.acts .ib')) button.tabIndex = tabIndex;
  };
  element.addEventListener('focusin', () => setStops(0));
  element.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) setStops(-1);
  });
}

/** The actions of an entry that has no others. Their elements are created with their first use, because there are many entries. */
export class EntryActions {
  private readonly entry: HTMLElement;
  private readonly element = document.createElement('div');

  constructor(entry: HTMLElement, actions: () => readonly EntryAction[]) {
    this.entry = entry;
    this.element.className = 'acts';
    const draw = () => {
      if (this.element.isConnected) return;
      render(
        actions().map(
          ({ glyph, label, act }) =>
            html`<button type="button" class="ib" tabindex="-1" aria-label=${label} title=${label} @click=${act}>
              ${icon(glyph)}
            </button>`,
        ),
        this.element,
      );
      entry.append(this.element);
    };
    entry.addEventListener('pointerenter', draw);
    entry.addEventListener('focusin', draw);
    followFocus(entry);
  }

  /** Keeps the actions after the content, which may have grown. */
  stayLast(): void {
    if (this.element.isConnected && this.entry.lastElementChild !== this.element) this.entry.append(this.element);
  }
}
