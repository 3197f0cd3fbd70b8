import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { subagentWords, type SubagentEntry } from '../../../src/shared/transcript/subagent';
import type { Entry } from '../../../src/shared/transcript/transcript';
import { clock, duration } from '../../base/format';
import { icon } from '../../base/icon';
import { EntryView, type EntryScope } from '../view/entryView';

/** A subagent: a line like a tool call's, with its entries below while it runs or the user has opened it. */
export class SubagentView extends EntryView {
  entry: SubagentEntry;
  /** The container of its entries. */
  readonly children = document.createElement('div');
  private readonly head = document.createElement('div');
  /** Whether it was open automatically. Stays true while folding would move something the user is using. */
  private wasOpen = false;

  constructor(scope: EntryScope, entry: SubagentEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-tool pl-sub';
    this.children.className = 'pl-kids';
    this.children.hidden = true;
    this.element.append(this.head, this.children);
  }

  /** Whether its time is running. */
  get isRunning(): boolean {
    return this.entry.state === 'running' || this.entry.state === 'requires_action';
  }

  set(entry: Entry): void {
    if (entry.kind !== 'subagent') return;
    this.entry = entry;
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { entry } = this;
    const isOpen =
      this.scope.context.isExpanded(entry.id) ??
      (entry.state !== 'idle' || entry.stopReason === 'error' || (this.wasOpen && !this.scope.mayFold(this.element)));
    this.wasOpen = isOpen;
    this.element.setAttribute('aria-label', l10n.t('Subagent: {0}', this.title));
    this.element.classList.toggle('failed', entry.stopReason === 'error');
    this.element.classList.toggle('cancelled', entry.stopReason === 'cancelled');
    this.drawHead(isOpen);
    // Open requests and failures must not be hidden in a folded row.
    const shows = isOpen || this.scope.below(entry.id).isUrgent;
    this.children.hidden = this.children.childElementCount === 0 || !shows;
    return true;
  }

  override toggle(): boolean {
    this.scope.context.setExpanded(this.entry.id, !this.wasOpen);
    this.refresh();
    return true;
  }

  private get title(): string {
    return subagentWords(this.entry).title || l10n.t('Subagent');
  }

  private drawHead(isOpen: boolean): void {
    const { entry } = this;
    const hadFocus = this.head.contains(document.activeElement);
    const stop = l10n.t('Stop {0}', this.title);
    const words = subagentWords(entry);
    render(
      html`<div class="head">
          <button
            type="button"
            class="tog"
            tabindex="-1"
            aria-expanded=${isOpen}
            title=${this.title}
            @click=${() => this.toggle()}
          >
            ${this.isRunning ? icon('loading', this.scope.mayAnimate(this) ? 'spin' : 'run') : icon('agent')}<span
              class="lbl"
              >${words.title === '' ? nothing : html`<span class="v">${l10n.t('Subagent')}</span> `}<span class="o"
                >${this.title}</span
              >${isOpen || words.about === '' ? nothing : html` <span class="dim">${words.about}</span>`}</span
            >${icon('chevron-right', 'chev')} <span class="end">${this.steps()}${this.time()}${status(entry)}</span>
          </button>
          ${
            entry.canCancel && entry.state !== 'idle'
              ? html`<button type="button" class="ib" aria-label=${stop} title=${stop} @click=${() => this.stop()}>
                  ${icon('debug-stop')}
                </button>`
              : nothing
          }
        </div>
        ${isOpen ? [entry.description, entry.error].map((text) => (text ? html`<div class="about">${text}</div>` : '')) : ''}`,
      this.head,
    );
    // The button disappears when the subagent has ended. The focus moves to the entry.
    if (hadFocus && !this.head.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  private steps(): TemplateResult | typeof nothing {
    const count = this.scope.below(this.entry.id).calls;
    if (count === 0) return nothing;
    return html`<span>${count === 1 ? l10n.t('1 step') : l10n.t('{0} steps', count)}</span>`;
  }

  private time(): TemplateResult | typeof nothing {
    const { startedAt, endedAt } = this.entry;
    if (this.isRunning) return html`<span aria-hidden="true">${clock(Date.now() - startedAt)}</span>`;
    const took = endedAt === undefined ? 0 : endedAt - startedAt;
    return took >= 1000 ? html`<span>${duration(took)}</span>` : nothing;
  }

  private stop(): void {
    const { session, context } = this.scope;
    context.post({ type: 'stopSubagent', session, subagent: this.entry.sessionId });
  }
}

function status({ state, stopReason }: SubagentEntry): TemplateResult {
  switch (state) {
    case 'running':
      return html`<span class="sr">${l10n.t('in progress')}</span>`;
    case 'requires_action':
      return html`<span>${l10n.t('waiting for you')}</span>`;
    case 'unknown':
      return html`<span>${l10n.t('unknown state')}</span>`;
    case 'idle':
      return stopReasonText(stopReason);
  }
}

function stopReasonText(stopReason: string | undefined): TemplateResult {
  switch (stopReason) {
    case undefined:
    case 'end_turn':
      return html`<span class="sr">${l10n.t('completed')}</span>`;
    case 'cancelled':
      return html`<span>${l10n.t('cancelled')}</span>`;
    case 'error':
      return html`<span>${l10n.t('failed')}</span>${icon('error', 'err')}`;
    default:
      // The stop reasons of the protocol and of agents are readable: "max tokens".
      return html`<span class="ans clip">${stopReason.replaceAll('_', ' ')}</span>`;
  }
}
