import type { ContentBlock } from '../../src/shared/content';
import type { EntryId } from '../../src/shared/ids';
import type { AppendedText, EntryScope } from './entryView';
import { MessageParts } from './messageParts';

/** The text under an entry's line: folded away until somebody opens it, and drawn from then on. The page remembers what is open. */
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

  /** Whether the user wants to see it. */
  get isOpen(): boolean {
    return this.scope.context.isExpanded(this.id) ?? false;
  }

  /** Notes that the user wants it the other way; the entry draws itself anew afterwards. */
  toggle(): void {
    this.scope.context.setExpanded(this.id, !this.isOpen);
  }

  /** Takes the newest text, which costs nothing as long as none was drawn. */
  set(content: readonly ContentBlock[], appended?: readonly AppendedText[]): void {
    this.parts?.set(content, appended);
  }

  /** Shows `content` or folds it away; `isSettled` says that no more of it is expected. */
  draw(isOpen: boolean, content: readonly ContentBlock[], isSettled: boolean): void {
    this.element.hidden = !isOpen;
    if (isOpen && !this.parts) {
      this.parts = new MessageParts(this.element, this.scope.queue, this.scope.viewport);
      this.parts.set(content);
    }
    this.parts?.settle(isSettled);
  }

  dispose(): void {
    this.parts?.clear();
  }
}
