import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageComment } from '../../src/shared/changes/reviewPage';
import { icon } from '../base/icon';

/** What the strip does. */
interface StripOwner {
  /** Goes to the next or previous comment or remark. */
  step(by: 1 | -1): void;
}

/** The line at the top of the page that counts comments and remarks and walks through them. Absent without any. */
export function commentStrip(all: readonly PageComment[], owner: StripOwner): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const step = (label: string, glyph: string, keys: string, by: 1 | -1) =>
    html`<button
      type="button"
      class="ib"
      aria-label=${label}
      title=${label}
      aria-keyshortcuts=${keys}
      @click=${() => owner.step(by)}
    >
      ${icon(glyph)}
    </button>`;
  return html`<section class="pl-rstrip" aria-label=${l10n.t('Comments and remarks')}>
    ${icon('comment-discussion', 'quiet')}<span class="clip count">${countWords(all)}</span>
    ${step(l10n.t('Previous comment or remark'), 'arrow-up', 'Shift+R', -1)}
    ${step(l10n.t('Next comment or remark'), 'arrow-down', 'R', 1)}
  </section>`;
}

/** Says how many comments and remarks these are. */
export function countWords(all: readonly PageComment[]): string {
  const remarks = all.filter(({ remark }) => remark).length;
  const comments = all.length - remarks;
  const ofRemarks = remarks === 1 ? l10n.t('1 remark') : l10n.t('{0} remarks', remarks);
  const ofComments = comments === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', comments);
  if (remarks === 0) return ofComments;
  return comments === 0 ? ofRemarks : `${ofRemarks} · ${ofComments}`;
}
