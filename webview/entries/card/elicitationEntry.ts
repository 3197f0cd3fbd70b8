import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { ElicitationState } from '../../../src/shared/forms/elicitation';
import type { ElicitationEntry, Entry } from '../../../src/shared/transcript/transcript';
import { icon } from '../../base/icon';
import type { ElicitationCard } from '../../elicitation/elicitationCard';
import { EntryView, type EntryScope } from '../view/entryView';

/** Loaded with the first form, because most transcripts have none. */
let Card: typeof ElicitationCard | undefined;
let loading: Promise<void> | undefined;

type Asked = ElicitationState & { readonly state: 'asked' };

/** A form or address from the agent: a card while it waits for the user, then a single line. */
export class ElicitationView extends EntryView {
  entry: ElicitationEntry;
  /** The card, while the form is open and drawn. */
  card: ElicitationCard | undefined;
  private readonly line = document.createElement('div');
  private asked: Asked | undefined;
  private hasFailed = false;
  private wantsFocus = false;

  constructor(scope: EntryScope, entry: ElicitationEntry) {
    super(scope);
    this.entry = entry;
    this.element.setAttribute('aria-label', l10n.t('{0} asks', scope.transcript.view.agentName));
  }

  get isOpen(): boolean {
    return this.entry.question.state === 'asked';
  }

  set(entry: Entry): void {
    if (entry.kind === 'elicitation') this.entry = entry;
    // Set before drawing, because the row that contains this entry looks for it and may be drawn first.
    this.element.classList.toggle('pl-asks', this.isOpen);
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { question, message } = this.entry;
    if (question.state !== 'asked') {
      this.close();
      this.line.className = 'pl-answered';
      render(answerLine(message, question), this.line);
      this.showPart(this.line);
      return true;
    }
    const { agentName } = this.scope.transcript.view;
    if (this.asked?.request !== question.request) {
      this.scope.announceRequest(question.request, l10n.t('{0} asks: {1}', agentName, message));
    }
    this.asked = question;
    if (Card) {
      this.card ??= new Card(this.scope, () => this.entry);
      this.card.draw();
      this.showPart(this.card.element);
      if (this.wantsFocus) this.focusRequest();
    } else {
      this.load();
      this.line.className = 'pl-card attn';
      render(this.waiting(message), this.line);
      this.showPart(this.line);
    }
    return true;
  }

  /** Moves the focus to the whole question as soon as it is drawn. */
  focusRequest(): void {
    this.wantsFocus = this.card === undefined;
    const target = this.card?.element ?? this.element;
    target.scrollIntoView({ block: 'nearest' });
    target.focus({ preventScroll: true });
  }

  override dispose(): void {
    this.card?.dispose();
    super.dispose();
  }

  private load(): void {
    if (this.hasFailed) return;
    loading ??= import('../../elicitation/elicitationCard').then((module) => {
      Card = module.ElicitationCard;
    });
    loading.then(
      () => this.refresh(),
      (reason: unknown) => {
        loading = undefined;
        this.hasFailed = true;
        this.scope.context.post({ type: 'pageError', message: `Forms not loaded: ${String(reason)}` });
        this.refresh();
      },
    );
  }

  private close(): void {
    const { card, asked } = this;
    if (asked) this.scope.context.memory.setForm(asked.request, undefined);
    this.asked = undefined;
    this.card = undefined;
    if (!card) return;
    const hadFocus = card.element.contains(document.activeElement);
    card.dispose();
    card.element.remove();
    if (hadFocus) this.element.focus({ preventScroll: true });
  }

  private showPart(part: HTMLElement): void {
    if (this.element.firstElementChild === part) return;
    this.element.replaceChildren(part);
  }

  /** Renders the question while the form code is loading or failed to load. The user can still decline. */
  private waiting(message: string): TemplateResult {
    const answer = (action: 'decline' | 'cancel') => () => {
      const { asked } = this;
      const { context, session } = this.scope;
      if (asked) context.post({ type: 'answerElicitation', session, request: asked.request, answer: { action } });
    };
    return html`<div class="h">${icon('question', 'attn')}<span>${message}</span></div>
      ${
        this.hasFailed
          ? html`<div class="ind">${l10n.t('Couldn’t load the form. Close and reopen the chat to answer.')}</div>
              <div class="ind btns">
                <button type="button" class="btn" @click=${answer('decline')}>${l10n.t('Decline')}</button>
                <button type="button" class="btn" @click=${answer('cancel')}>${l10n.t('Cancel')}</button>
              </div>`
          : nothing
      }`;
  }
}

/** Returns the question and its answer as a line. */
function answerLine(message: string, question: Exclude<ElicitationState, Asked>): TemplateResult {
  return html`${icon(question.state === 'opened' ? 'globe' : 'question')}
    <div><span>${message}</span> <span class="dim">${answerWords(question)}</span></div>`;
}

function answerWords(question: Exclude<ElicitationState, Asked>): string {
  switch (question.state) {
    case 'submitted': {
      const answers = question.answers.map(({ label, value }) => l10n.t('{0}: {1}', label, value));
      return answers.length === 0
        ? l10n.t('You submitted an empty form')
        : l10n.t('You answered: {0}', answers.join(' · '));
    }
    case 'opened':
      return question.isDone
        ? l10n.t('You opened {0} and finished there', question.host)
        : l10n.t('You opened {0}', question.host);
    case 'declined':
      return l10n.t('You declined');
    case 'dismissed':
      return l10n.t('You cancelled');
    case 'withdrawn':
      return l10n.t('Request cancelled');
    case 'completed':
      return l10n.t('Already done');
  }
}
