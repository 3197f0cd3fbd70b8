import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type {
  ElicitationAnswer,
  ElicitationAsk,
  ElicitationState,
  FormField,
} from '../../src/shared/forms/elicitation';
import { formContent, type FormValue } from '../../src/shared/forms/formModel';
import type { SessionKey } from '../../src/shared/values/ids';
import type { ElicitationEntry, Transcript } from '../../src/shared/transcript/transcript';
import { icon } from '../base/icon';
import { Inert } from '../base/inert';
import type { PageContext } from '../state/pageContext';
import { addressText } from './addressText';
import { formField } from './fields';
import { FormValues, isSecret } from './values';

type Asked = ElicitationState & { readonly state: 'asked' };
type Form = ElicitationAsk & { readonly mode: 'form' };

/** The page functions that the card needs. The entry's scope has all of them. */
export interface CardScope {
  readonly session: SessionKey;
  readonly transcript: Transcript;
  readonly context: Pick<PageContext, 'memory' | 'post'>;
}

let lastId = 0;

/**
 * An open form, or an address that the agent asks the user to open (https://agentclientprotocol.com/protocol/elicitation). It never takes
 * the focus on its own, and nothing is sent, fetched, or opened before the user confirms.
 */
export class ElicitationCard {
  readonly element = document.createElement('form');
  private readonly scope: CardScope;
  private readonly entry: () => ElicitationEntry;
  private readonly inert = new Inert(this.element);
  /** The prefix of the card's element ids. */
  private readonly id = `ask${++lastId}`;
  private shown: Asked | undefined;
  private values = new FormValues([], undefined);
  private isSent = false;

  constructor(scope: CardScope, entry: () => ElicitationEntry) {
    this.scope = scope;
    this.entry = entry;
    this.element.className = 'pl-card attn pl-ask';
    this.element.setAttribute('role', 'form');
    this.element.tabIndex = -1;
    this.element.noValidate = true;
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.accept();
    });
    // Typing into the form shows that the user means it.
    this.element.addEventListener('input', () => this.inert.end());
  }

  /** Draws the open question. */
  draw(): void {
    const { question, message } = this.entry();
    if (question.state !== 'asked') return;
    if (question.request !== this.shown?.request) {
      const { ask } = question;
      this.values = new FormValues(
        ask.mode === 'form' ? ask.fields : [],
        this.scope.context.memory.form(question.request),
      );
      this.inert.arm();
    }
    // An update from the host means that the last answer wasn't accepted.
    if (question !== this.shown) this.isSent = false;
    this.shown = question;
    this.element.setAttribute('aria-label', message);
    const { ask } = question;
    render(
      html`<div class="h">${icon(ask.mode === 'url' ? 'globe' : 'question', 'attn')}<span>${message}</span></div>
        <div class="ind dim xs">${this.about()}</div>
        ${ask.mode === 'url' ? addressText(ask.address) : this.form(ask)} ${problemLine(question)}
        <div class="ind btns">
          <button type="submit" class="btn ${isOdd(ask) ? '' : 'primary'}" ?disabled=${this.isSent}>
            ${ask.mode === 'url' ? l10n.t('Open Link') : l10n.t('Submit')}
          </button>
          ${this.button(l10n.t('Decline'), { action: 'decline' })}
          ${this.button(l10n.t('Cancel'), { action: 'cancel' })}
        </div>`,
      this.element,
    );
  }

  /** Must be called after each layout that may have moved the buttons. If they moved, they ignore clicks for a moment. */
  checkPlace(): void {
    // A form that grows because the user fills it in hasn't moved.
    this.inert.checkPlace(this.element.contains(document.activeElement));
  }

  dispose(): void {
    this.inert.dispose();
  }

  private about(): string {
    const { agentName } = this.scope.transcript.view;
    const { about, question } = this.entry();
    const isUrl = question.state === 'asked' && question.ask.mode === 'url';
    const asks = isUrl
      ? l10n.t('{0} wants to open a page in your browser. Nothing opens until you agree.', agentName)
      : l10n.t('{0} needs your input. Nothing is sent until you submit.', agentName);
    for (const entry of about === undefined ? [] : this.scope.transcript.entries.values()) {
      if (entry.kind === 'tool_call' && entry.toolCallId === about && entry.title !== '') {
        return `${asks} ${l10n.t('Related tool call: {0}', entry.title)}`;
      }
    }
    return asks;
  }

  private form({ title, description, fields }: Form): TemplateResult {
    const { agentName } = this.scope.transcript.view;
    const warning = l10n.t('{0} can read what you enter. Don’t enter passwords or keys.', agentName);
    return html`${title === undefined ? nothing : html`<div class="ind lab">${title}</div>`}
    ${description === undefined ? nothing : html`<div class="ind dim xs">${description}</div>`}
    ${
      fields.some(isSecret)
        ? html`<div class="ind warns">
            <div>${icon('warning', 'attn')}<span>${warning}</span></div>
          </div>`
        : nothing
    }
    ${
      fields.length === 0
        ? nothing
        : html`<div class="ind pl-form">${fields.map((field, at) => this.field(field, at))}</div>`
    }`;
  }

  private field(field: FormField, at: number): TemplateResult {
    return formField({
      field,
      id: `${this.id}-${at}`,
      value: this.values.of(field),
      problem: this.values.problem(field),
      isDisabled: this.isSent,
      change: (value) => this.change(field, value),
    });
  }

  private change(field: FormField, value: FormValue): void {
    if (!this.shown) return;
    this.values.set(field, value);
    this.scope.context.memory.setForm(this.shown.request, this.values.toKeep());
    this.draw();
  }

  private button(label: string, answer: ElicitationAnswer): TemplateResult {
    return html`<button type="button" class="btn" ?disabled=${this.isSent} @click=${() => this.send(answer)}>
      ${label}
    </button>`;
  }

  private accept(): void {
    const { shown, values } = this;
    if (!shown || !this.inert.isOver) return;
    const wrong = values.review();
    if (wrong) {
      this.draw();
      const at = values.fields.indexOf(wrong);
      const target = this.element.querySelector<HTMLElement>(`#${this.id}-${at}`);
      const group = target?.closest<HTMLElement>('[role=radiogroup]');
      (group?.querySelector<HTMLElement>('[tabindex="0"]') ?? target)?.focus();
      return;
    }
    const content = formContent(values.fields, (field) => values.of(field));
    if (content) this.send({ action: 'accept', content });
  }

  private send(answer: ElicitationAnswer): void {
    const { shown, isSent, scope } = this;
    if (!shown || isSent || !this.inert.isOver) return;
    this.isSent = true;
    const { request } = shown;
    scope.context.post({ type: 'answerElicitation', session: scope.session, request, answer });
    this.draw();
  }
}

/** Returns whether an address has a warning. If so, no answer is emphasized. */
function isOdd(ask: ElicitationAsk): boolean {
  return ask.mode === 'url' && ask.address.warnings.length > 0;
}

function problemLine({ problem }: Asked): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  const words =
    problem === 'notOpened'
      ? l10n.t('The page wasn’t opened, and nothing was sent to the agent. Open it again or decline.')
      : l10n.t('Fix the highlighted values and submit again.');
  return html`<div class="ind bad-msg" role="status">${icon('error', 'err')}<span>${words}</span></div>`;
}
