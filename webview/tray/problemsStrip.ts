import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';

/** The problems that the last turn caused, and what to do about them. */
export interface ProblemsProps {
  readonly newProblems: { readonly count: number; readonly errors: number };
  readonly onProblems: (action: 'send' | 'show') => void;
}

/** Renders the number of problems that the last turn caused, with a button that sends them to its agent. */
export function problemsStrip(props: ProblemsProps, agentName: string): TemplateResult {
  const { count, errors } = props.newProblems;
  const words = count === 1 ? l10n.t('1 new problem') : l10n.t('{0} new problems', count);
  const hint = l10n.t('Show the Problems view');
  const send = l10n.t('Ask {0} to fix the problems that its changes caused', agentName);
  return html`<section class="pl-strip pl-new-problems" aria-label=${l10n.t('New problems')}>
    <div class="head">
      <button type="button" class="tw" title=${hint} @click=${() => props.onProblems('show')}>
        ${errors > 0 ? icon('error', 'err') : icon('warning', 'attn')}<span class="clip">${words}</span>
      </button>
      <button type="button" class="btn link sm" title=${send} @click=${() => props.onProblems('send')}>
        ${l10n.t('Send to Agent')}
      </button>
      <span class="sr" role="status">${words}</span>
    </div>
  </section>`;
}
