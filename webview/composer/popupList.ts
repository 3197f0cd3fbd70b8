/** The effect of a key in a popup: none, a change inside it, or a chosen option. */
export type PopupKey<T> =
  { readonly did: 'nothing' | 'moved' | 'closed' } | { readonly did: 'chose'; readonly option: T };

/**
 * The options of a popup above the composer, one of them selected. The cursor stays in the text field. Escape closes the popup for the
 * current word; a new word opens it again.
 */
export class PopupList<T> {
  options: readonly T[] = [];
  selected = 0;
  private isDismissed = false;
  private query: string | undefined;

  get isOpen(): boolean {
    return this.options.length > 0 && !this.isDismissed;
  }

  get current(): T | undefined {
    return this.options[this.selected];
  }

  /** Sets the options for a word. The option that the user moved to stays selected when the list updates, but not for another word. */
  set(query: string | undefined, options: readonly T[], isSame: (one: T, other: T) => boolean): void {
    const before = this.current;
    this.options = query === undefined ? [] : options;
    if (query === undefined) this.isDismissed = false;
    const at =
      before !== undefined && query === this.query ? this.options.findIndex((option) => isSame(option, before)) : 0;
    this.selected = Math.max(0, at);
    this.query = query;
  }

  /** Closes the popup for the current word, if there is one, also if its options are still to come. */
  close(): void {
    this.isDismissed = this.query !== undefined;
  }

  /** Handles a key. `isOver` returns whether Enter has another meaning because the word is complete. */
  key(event: KeyboardEvent, isOver: (option: T) => boolean): PopupKey<T> {
    if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey) return { did: 'nothing' };
    const last = this.options.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        this.selected = this.selected === last ? 0 : this.selected + 1;
        return { did: 'moved' };
      case 'ArrowUp':
        this.selected = this.selected === 0 ? last : this.selected - 1;
        return { did: 'moved' };
      case 'Escape':
        this.close();
        return { did: 'closed' };
      case 'Enter':
      case 'Tab': {
        const { current } = this;
        if (current === undefined || event.shiftKey) return { did: 'nothing' };
        if (event.key === 'Enter' && isOver(current)) return { did: 'nothing' };
        return { did: 'chose', option: current };
      }
      default:
        return { did: 'nothing' };
    }
  }
}
