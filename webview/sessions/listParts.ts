import { headHeight, placeOf, rowHeight, type RowLayout } from './rowLayout';

/** The elements of the list: its search field, the part that scrolls, and the listbox in it. */
export class ListParts {
  private readonly root: HTMLElement;

  constructor(root: HTMLElement) {
    this.root = root;
  }

  get field(): HTMLInputElement | null {
    return this.root.querySelector('input[type=search]');
  }

  get list(): HTMLElement | null {
    return this.root.querySelector<HTMLElement>('[role=listbox]');
  }

  get scroller(): HTMLElement | null {
    return this.root.querySelector<HTMLElement>('.scroll');
  }

  /** How many rows a page key moves by. */
  get pageSize(): number {
    return Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / rowHeight) - 1);
  }

  focusField(): void {
    this.field?.focus({ preventScroll: true });
  }

  focusList(): void {
    this.list?.focus({ preventScroll: true });
  }

  /** Scrolls as little as is needed to see a row. */
  reveal(layout: RowLayout, key: string): void {
    const { scroller } = this;
    const at = placeOf(layout, key);
    if (!scroller || !at) return;
    const { scrollTop, clientHeight } = scroller;
    // With the heading, if the row is the first one below it.
    if (at.top - headHeight < scrollTop) scroller.scrollTop = at.top - headHeight;
    else if (at.top + at.height > scrollTop + clientHeight) scroller.scrollTop = at.top + at.height - clientHeight;
  }
}
