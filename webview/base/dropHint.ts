import * as l10n from '@vscode/l10n';
import { Disposable, toDisposable } from '../../src/shared/values/disposable';

/** How long the hint stays after VS Code took the drag away, in milliseconds. */
const staysMs = 3000;

/**
 * Says what a drag over the page does. VS Code keeps drags without Shift to itself, and the page sees only their
 * beginning. With Shift, the page gets all of it, and can be dropped on.
 */
export class DropHint extends Disposable {
  private readonly element = document.createElement('div');
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement) {
    super();
    this.element.className = 'pl-drop';
    this.element.hidden = true;
    root.append(this.element);
    this.on('dragenter', (event) => this.follow(event));
    this.on('dragover', (event) => this.follow(event));
    this.on('dragleave', ({ relatedTarget }) => relatedTarget === null && this.hideSoon());
    for (const over of ['drop', 'dragend', 'pointermove', 'keydown'] as const) this.on(over, () => this.hide());
    this.register(toDisposable(() => this.element.remove()));
    this.register(toDisposable(() => clearTimeout(this.later)));
  }

  private on<Name extends keyof DocumentEventMap>(name: Name, listener: (event: DocumentEventMap[Name]) => void): void {
    document.addEventListener(name, listener);
    this.register(toDisposable(() => document.removeEventListener(name, listener)));
  }

  private follow({ shiftKey, dataTransfer }: DragEvent): void {
    clearTimeout(this.later);
    // A part of this page, such as a link, is dragged: nothing would be added.
    if (!dataTransfer || !isFromElsewhere(dataTransfer)) return;
    const words = shiftKey ? l10n.t('Drop to add to the message') : l10n.t('Hold Shift to drop');
    if (this.element.textContent !== words) this.element.textContent = words;
    this.element.hidden = false;
  }

  private hideSoon(): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.hide(), staysMs);
  }

  private hide(): void {
    clearTimeout(this.later);
    this.element.hidden = true;
  }
}

function isFromElsewhere({ types }: DataTransfer): boolean {
  return types.some((type) => type === 'Files' || type === 'resourceurls' || type.startsWith('application/vnd.code'));
}
