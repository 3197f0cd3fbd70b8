import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Aside } from '../../src/shared/pages/aside';
import { showHidden } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';

/** The user's actions on a question aside. */
export interface AsideProps {
  readonly agentName: string;
  insert(text: string): void;
  dismiss(): void;
}

/** Renders a question that isn't part of the conversation, with its answer as plain text. */
export function asideCard({ question, state, text }: Aside, props: AsideProps): TemplateResult {
  const answer = showHidden(text);
  const waiting = l10n.t('Asking {0}…', props.agentName);
  return html`<section class="pl-aside" aria-label=${l10n.t('Aside')}>
    <div class="head">
      ${icon(state === 'failed' ? 'warning' : 'comment-discussion')}<span class="clip grow" dir="auto"
        >${showHidden(question)}</span
      >
      <button
        type="button"
        class="ib"
        aria-label=${l10n.t('Dismiss')}
        title=${l10n.t('Dismiss')}
        @click=${() => props.dismiss()}
      >
        ${icon('close')}
      </button>
    </div>
    <div
      class="said"
      dir="auto"
      role="status"
      tabindex=${state === 'answered' ? '0' : nothing}
      .textContent=${state === 'asked' ? waiting : answer}
    ></div>
    ${
      state === 'answered'
        ? html`<div class="btns">
            <button type="button" class="btn sec sm" @click=${() => props.insert(answer)}>
              ${l10n.t('Insert into message')}
            </button>
            <span class="dim">${l10n.t('Not part of the conversation')}</span>
          </div>`
        : nothing
    }
  </section>`;
}
