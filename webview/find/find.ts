import { Disposable, toDisposable } from '../../src/shared/values/disposable';
import type { FoundEntry } from '../../src/shared/pages/findQuery';
import { isComposing } from '../base/composition';
import type { FindTarget, FindWidget } from './findWidget';

/** Opens the find widget, which is loaded with its first use, and passes it what concerns it. */
export class Find extends Disposable {
  private readonly load: () => Promise<FindWidget>;
  private readonly mayOpen: () => boolean;
  private loading: Promise<FindWidget> | undefined;
  private widget: FindWidget | undefined;
  private ahead: TypedAhead | undefined;

  /** `mayOpen` returns whether a transcript is shown. */
  constructor(parent: HTMLElement, target: FindTarget, mayOpen: () => boolean) {
    super();
    this.mayOpen = mayOpen;
    this.load = async () => new (await import('./findWidget')).FindWidget(parent, target);
    const onKey = (event: KeyboardEvent) => this.onKey(event);
    document.addEventListener('keydown', onKey);
    this.register(toDisposable(() => document.removeEventListener('keydown', onKey)));
    this.register(toDisposable(() => this.ahead?.end()));
  }

  open(): void {
    if (!this.mayOpen()) return;
    if (this.widget) {
      this.widget.open();
      return;
    }
    this.loading ??= this.load();
    this.ahead ??= new TypedAhead();
    void this.loading.then(
      (widget) => {
        this.widget = widget;
        const typed = this.endAhead();
        if (this.mayOpen()) widget.open(typed);
      },
      (error: unknown) => {
        this.endAhead();
        this.loading = undefined;
        throw error;
      },
    );
  }

  private endAhead(): string {
    const typed = this.ahead?.end() ?? '';
    this.ahead = undefined;
    return typed;
  }

  take(id: number, found: readonly FoundEntry[] | undefined): void {
    this.widget?.take(id, found);
  }

  /** Must be called after the transcript has changed. */
  changed(): void {
    this.widget?.changed();
  }

  /** Must be called when the page shows another session or loads it again. */
  reset(): void {
    this.widget?.reset(this.mayOpen());
  }

  /** VS Code has these keys, too, but nothing to find with them in a page. */
  private onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || isComposing(event) || event.altKey) return;
    const isMac = navigator.userAgent.includes('Mac');
    const hasMain = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    const key = event.key.toLowerCase();
    const isFind = hasMain && !event.shiftKey && key === 'f';
    const isStep = event.key === 'F3' && !event.ctrlKey && !event.metaKey;
    const isMacStep = isMac && hasMain && key === 'g';
    if (isFind && this.mayOpen()) this.open();
    else if ((isStep || isMacStep) && this.widget?.isOpen === true) this.widget.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Keeps what is typed while the find widget is being loaded: it's the text to find, not a part of the message. */
class TypedAhead {
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
