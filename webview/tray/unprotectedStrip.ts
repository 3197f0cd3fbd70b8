import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';

/** The files and folders whose changes can't be undone, and what to do about them. */
export interface UnprotectedProps {
  readonly unprotected: { readonly count: number; readonly first: string };
  readonly onUnprotected: (action: 'show' | 'dismiss') => void;
}

/** Renders which changes can't be undone, with a button that shows how to protect the files. */
export function unprotectedStrip(props: UnprotectedProps): TemplateResult {
  const { count, first } = props.unprotected;
  const words =
    count === 1
      ? l10n.t('Changes to {0} can’t be undone', first)
      : l10n.t('Changes to {0} and {1} more can’t be undone', first, count - 1);
  const hint = l10n.t('Show how to protect these files');
  return html`<section class="pl-strip" aria-label=${l10n.t('Unprotected files')}>
    <div class="head">
      ${icon('warning', 'attn')}<span class="clip grow" role="status" title=${words}>${words}</span
      ><button type="button" class="btn link sm" title=${hint} @click=${() => props.onUnprotected('show')}>
        ${l10n.t('Protect…')}
      </button>
      <button
        type="button"
        class="ib"
        aria-label=${l10n.t('Dismiss')}
        title=${l10n.t('Dismiss')}
        @click=${() => props.onUnprotected('dismiss')}
      >
        ${icon('close')}
      </button>
    </div>
  </section>`;
}
