import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import type { Entry, ThoughtEntry } from '../../../src/shared/transcript/transcript';
import { clock, duration } from '../../base/format';
import { icon } from '../../base/icon';
import { EntryView, type AppendedText, type EntryScope } from '../view/entryView';
import { FoldedText } from '../view/foldedText';

/** Reasoning as a single line. The text is drawn only when the user opens it. */
export class ThoughtView extends EntryView {
  entry: ThoughtEntry;
  private readonly head = document.createElement('div');
  private readonly body: FoldedText;

  constructor(scope: EntryScope, entry: ThoughtEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-thought';
    this.element.setAttribute('aria-label', l10n.t('Thought'));
    this.body = new FoldedText(scope, entry.id, 'body pl-prose', () => this.showsEverything);
    this.element.append(this.head, this.body.element);
  }

  /** Whether its seconds are still running. */
  get isRunning(): boolean {
    return this.entry.endedAt === undefined && !this.scope.isSettled(this.entry);
  }

  set(entry: Entry, appended?: readonly AppendedText[]): void {
    if (entry.kind !== 'agent_thought') return;
    this.entry = entry;
    this.body.set(entry.content, appended);
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { isOpen } = this.body;
    // A thought that ended without a word says nothing.
    this.element.hidden =
      !this.isRunning && this.entry.content.every((block) => block.type === 'text' && block.text.trim() === '');
    const { startedAt, endedAt } = this.entry;
    const label =
      endedAt !== undefined
        ? l10n.t('Thought for {0}', duration(endedAt - startedAt))
        : this.isRunning
          ? l10n.t('Thinking')
          : l10n.t('Thought');
    render(
      html`<button type="button" tabindex="-1" aria-expanded=${isOpen} @click=${() => this.toggle()}>
        ${icon('thinking')}<span>${label}</span>
        ${this.isRunning ? html`<span class="t" aria-hidden="true">${clock(Date.now() - startedAt)}</span>` : ''}
        ${icon('chevron-right', 'chev')}
      </button>`,
      this.head,
    );
    this.element.classList.toggle('open', isOpen);
    this.body.draw(isOpen, this.entry.content, !this.isRunning);
    return true;
  }

  override toggle(): boolean {
    this.body.toggle();
    this.refresh();
    return true;
  }

  override dispose(): void {
    this.body.dispose();
    super.dispose();
  }
}
