import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import type { Entry, ThoughtEntry } from '../../src/shared/transcript';
import { clock, duration } from '../format';
import { icon } from '../icon';
import { EntryView, type AppendedText, type EntryScope } from './entryView';
import { MessageParts } from './messageParts';

/** Reasoning on one line; what was thought is drawn only once somebody opens it. */
export class ThoughtView extends EntryView {
  entry: ThoughtEntry;
  private readonly body = document.createElement('div');
  private readonly head = document.createElement('div');
  private parts: MessageParts | undefined;

  constructor(scope: EntryScope, entry: ThoughtEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-thought';
    this.element.setAttribute('aria-label', l10n.t('Thought'));
    this.body.className = 'body pl-prose';
    this.body.hidden = true;
    this.element.append(this.head, this.body);
  }

  /** Whether its seconds still run. */
  get isRunning(): boolean {
    return this.entry.endedAt === undefined && !this.scope.isSettled(this.entry);
  }

  set(entry: Entry, appended?: readonly AppendedText[]): void {
    if (entry.kind !== 'agent_thought') return;
    this.entry = entry;
    if (this.parts) this.parts.set(entry.content, appended);
    this.scope.queue.add(this);
  }

  step(): boolean {
    const isOpen = this.isOpen;
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
    this.body.hidden = !isOpen;
    this.element.classList.toggle('open', isOpen);
    if (isOpen && !this.parts) {
      this.parts = new MessageParts(this.body, this.scope.queue, this.scope.viewport);
      this.parts.set(this.entry.content);
    }
    this.parts?.settle(!this.isRunning);
    return true;
  }

  override toggle(): boolean {
    this.scope.context.setExpanded(this.entry.id, !this.isOpen);
    this.refresh();
    return true;
  }

  override dispose(): void {
    this.parts?.clear();
    super.dispose();
  }

  private get isOpen(): boolean {
    return this.scope.context.isExpanded(this.entry.id) ?? false;
  }
}
