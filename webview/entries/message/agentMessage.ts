import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import { isBareList } from '../../../src/shared/pages/ownPrompts';
import type { AgentMessageEntry, Entry } from '../../../src/shared/transcript/transcript';
import { EntryActions } from '../view/entryActions';
import { EntryView, type AppendedText, type EntryScope } from '../view/entryView';
import { MessageParts } from '../view/messageParts';
import { speakerOf } from '../view/speaker';

/** A message of the agent: streaming prose. */
export class AgentMessageView extends EntryView {
  entry: AgentMessageEntry;
  private readonly parts: MessageParts;
  private readonly actions: EntryActions;
  /** The sentence that stands for the message, if it is folded. */
  private folded: HTMLElement | undefined;
  private isOpen = false;

  constructor(scope: EntryScope, entry: AgentMessageEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-prose';
    this.parts = new MessageParts(this.element, scope);
    this.element.setAttribute('aria-label', speakerOf(scope.transcript, entry));
    const copy = (of: 'entry' | 'turn') => () =>
      scope.context.post({ type: 'copyMarkdown', session: scope.session, entry: this.entry.id, scope: of });
    this.actions = new EntryActions(this.element, () => [
      { glyph: 'copy', label: l10n.t('Copy answer'), act: copy('entry') },
      { glyph: 'markdown', label: l10n.t('Copy turn as Markdown'), act: copy('turn') },
    ]);
  }

  set(entry: Entry, appended?: readonly AppendedText[]): void {
    if (entry.kind !== 'agent_message') return;
    this.entry = entry;
    this.parts.set(entry.content, appended);
    this.actions.stayLast();
    this.settle();
  }

  step(): boolean {
    this.element.setAttribute('aria-label', speakerOf(this.scope.transcript, this.entry));
    this.settle();
    return true;
  }

  override dispose(): void {
    this.parts.clear();
    super.dispose();
  }

  private settle(): void {
    const isSettled = this.scope.isSettled(this.entry);
    this.parts.settle(isSettled);
    this.fold(isSettled && this.scope.transcript.view.reviews !== undefined && isBareList(textOf(this.entry)));
  }

  /** Hides a reviewer's list, which is at the changes, behind a sentence. */
  private fold(isFolded: boolean): void {
    if (isFolded === (this.folded !== undefined)) return;
    if (this.folded) this.folded.remove();
    this.folded = isFolded ? document.createElement('p') : undefined;
    if (this.folded) this.element.prepend(this.folded);
    this.showFold();
  }

  private showFold(): void {
    const { folded, isOpen } = this;
    this.element.classList.toggle('pl-folded', folded !== undefined && !isOpen);
    if (!folded) return;
    folded.className = 'fold dim';
    render(
      html`${l10n.t('The remarks are at the changes, and on the review page.')}
        <button type="button" class="btn link sm" aria-expanded=${isOpen} @click=${() => this.turn()}>
          ${isOpen ? l10n.t('Show less') : l10n.t('Show whole message')}
        </button>`,
      folded,
    );
  }

  private turn(): void {
    this.isOpen = !this.isOpen;
    this.showFold();
  }
}

function textOf({ content }: AgentMessageEntry): string {
  return content.map((block) => (block.type === 'text' ? block.text : ' ')).join('');
}
