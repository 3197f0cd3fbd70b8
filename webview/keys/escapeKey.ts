import { Disposable, toDisposable } from '../../src/shared/values/disposable';
import { isComposing } from '../base/composition';

/** What Escape closes by itself: popups, lists, and dialogs. */
const inner = ['.pl-pop', 'vscode-dropdown[open]', 'dialog[open]'];

/**
 * Decides what Escape means, from the innermost outward. An input method or something open keeps the key. Elsewhere on the page, Escape
 * returns to the composer. An Escape in the composer, with nothing open, stops the turn. VS Code
 * listens for keys at the page's window, so it gets this one, too, and hides its notifications.
 */
export class EscapeKey extends Disposable {
  private readonly composer: HTMLElement;
  private readonly focusComposer: () => void;
  private readonly stopTurn: () => void;
  /** Whether something was open when the key was pressed. What handles the key may have closed it since. */
  private wasOpen = false;

  constructor(composer: HTMLElement, focusComposer: () => void, stopTurn: () => void) {
    super();
    this.composer = composer;
    this.focusComposer = focusComposer;
    this.stopTurn = stopTurn;
    const before = (event: KeyboardEvent) => {
      if (event.key === 'Escape') this.wasOpen = isSomethingOpen();
    };
    const after = (event: KeyboardEvent) => this.onKey(event);
    document.addEventListener('keydown', before, true);
    document.addEventListener('keydown', after);
    this.register(
      toDisposable(() => {
        document.removeEventListener('keydown', before, true);
        document.removeEventListener('keydown', after);
      }),
    );
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    if (isComposing(event) || this.wasOpen || event.defaultPrevented) {
      event.stopPropagation();
      return;
    }
    const isPlain = !event.ctrlKey && !event.shiftKey && !event.altKey && !event.metaKey;
    if (!isPlain) return;
    if (this.isAtHome(event.target)) {
      this.stopTurn();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.focusComposer();
  }

  /** Returns whether the focus is in the message's text, or nowhere. */
  private isAtHome(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement) || target === document.body) return true;
    return target.localName === 'textarea' && this.composer.contains(target);
  }
}

function isSomethingOpen(): boolean {
  const lists = CSS.supports('selector(:open)') ? [...inner, 'select:open'] : inner;
  return document.querySelector(lists.join()) !== null;
}
