import type { ContentBlock } from '../../../src/shared/transcript/content';
import type { EntryId } from '../../../src/shared/values/ids';
import type { AppendedText, EntryScope } from './entryView';
import { MessageParts } from './messageParts';

/** The text under an entry's line: folded until the user opens it, and only then drawn. The page remembers which texts are open. */
export class FoldedText {
  readonly element = document.createElement('div');
  private readonly scope: EntryScope;
  private readonly id: EntryId;
  private readonly opensByItself: () => boolean;
  private parts: MessageParts | undefined;

  /** If `opensByItself` returns true, it is open until the user closes it. */
  constructor(scope: EntryScope, id: EntryId, className: string, opensByItself = () => false) {
    this.scope = scope;
    this.id = id;
    this.opensByItself = opensByItself;
    this.element.className = className;
    this.element.hidden = true;
  }

  get isOpen(): boolean {
    return this.scope.context.isExpanded(this.key) ?? this.opensByItself();
  }

  /** Records that the user opened or closed it. The caller draws the entry afterward. */
  toggle(): void {
    this.scope.context.setExpanded(this.key, !this.isOpen);
  }

  private get key(): string {
    return this.opensByItself() ? `${this.id} all` : this.id;
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
