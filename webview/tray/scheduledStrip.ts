import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { ScheduledPrompt } from '../../src/shared/transcript/transcript';
import { resetTime } from '../../src/shared/amounts/usageLimit';
import { icon } from '../base/icon';

/** What the user does with a scheduled message. */
export interface ScheduledProps {
  readonly locale: string;
  onScheduled(action: 'send' | 'cancel'): void;
}

/** Renders when a message is sent, with its text. */
export function scheduledStrip({ at, text }: ScheduledPrompt, props: ScheduledProps): TemplateResult {
  const words = l10n.t('Scheduled for {0}', resetTime(at, Date.now(), props.locale));
  return html`<section class="pl-strip timed" aria-label=${l10n.t('Scheduled message')}>
    <div class="head">
      ${icon('watch')}<span class="clip grow" role="status" title=${text}>${words}</span
      ><button type="button" class="btn link sm" @click=${() => props.onScheduled('send')}>${l10n.t('Send now')}</button
      ><button type="button" class="btn link sm" @click=${() => props.onScheduled('cancel')}>
        ${l10n.t('Don’t send')}
      </button>
    </div>
  </section>`;
}
