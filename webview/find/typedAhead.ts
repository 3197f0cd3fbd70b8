import { isComposing } from '../base/composition';

/** Keeps what is typed while the find widget is being loaded: it's the text to find, not a part of the message. */
export class TypedAhead {
  private text = '';
  private readonly onKey = (event: KeyboardEvent) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Backspace') this.text = this.text.slice(0, -1);
    // Names of keys, such as Enter, are longer than a character.
    else if (/^.$/u.test(event.key)) this.text += event.key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  constructor() {
    document.addEventListener('keydown', this.onKey, { capture: true });
  }

  /** Stops, and returns what was typed. */
  end(): string {
    document.removeEventListener('keydown', this.onKey, { capture: true });
    return this.text;
  }
}
