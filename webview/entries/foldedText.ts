import type { ContentBlock } from '../../src/shared/content';
import type { EntryId } from '../../src/shared/ids';
import type { AppendedText, EntryScope } from './entryView';
import { MessageParts } from './messageParts';

/** The text under an entry's line: folded until the user opens it, and only then drawn. The page remembers which texts are open. */
export class FoldedText {
  readonly element = document.createElement('div');
  private readonly scope: EntryScope;
  private readonly id: EntryId;
  private parts: MessageParts | undefined;

  constructor(scope: EntryScope, id: EntryId, className: string) {
    this.scope = scope;
    this.id = id;
    this.element.className = className;
    this.element.hidden = true;
  }

  /** Whether the user opened it. */
  get isOpen(): boolean {
    return this.scope.context.isExpanded(this.id) ?? false;
  }

  /** Records that the user opened or closed it. The caller draws the entry afterward. */
  toggle(): void {
    this.scope.context.setExpanded(this.id, !this.isOpen);
  }

  /** Updates the text. Costs nothing until the text was first drawn. */
  set(content: readonly ContentBlock[], appended?: readonly AppendedText[]): void {
    this.parts?.set(content, appended);
  }

  /** Shows or folds `content`. `isSettled` means that no more of it is expected. */
  draw(isOpen: boolean, content: readonly ContentBlock[], isSettled: boolean): void {
    this.element.hidden = !isOpen;
    if (isOpen && !this.parts) {
      this.parts = new MessageParts(this.element, this.scope);
      this.parts.set(content);
    }
    this.parts?.settle(isSettled);
  }

  dispose(): void {
    this.parts?.clear();
  }
}
