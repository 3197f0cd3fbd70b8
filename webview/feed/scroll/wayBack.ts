import * as l10n from '@vscode/l10n';
import type { ScrollPlace } from '../../state/memory';

/** The button that returns to the place where the reader was before their message was brought to the top. */
export class WayBack {
  private readonly row: HTMLElement;
  private readonly goTo: (place: ScrollPlace) => void;
  private button: HTMLButtonElement | undefined;
  /** The place it returns to. */
  place: ScrollPlace | undefined;

  constructor(row: HTMLElement, goTo: (place: ScrollPlace) => void) {
    this.row = row;
    this.goTo = goTo;
  }

  offer(place: ScrollPlace): void {
    this.withdraw();
    this.place = place;
    const button = document.createElement('button');
    button.type = 'button';
    const glyph = document.createElement('i');
    glyph.className = 'codicon codicon-arrow-up s12';
    glyph.setAttribute('aria-hidden', 'true');
    button.append(glyph, l10n.t('Back to where you were'));
    button.addEventListener('click', () => {
      this.withdraw();
      this.goTo(place);
    });
    this.button = button;
    this.row.prepend(button);
  }

  withdraw(): void {
    this.button?.remove();
    this.button = undefined;
    this.place = undefined;
  }
}
