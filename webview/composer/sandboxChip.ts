import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SandboxMode } from '../../src/shared/limits/sandboxMode';
import { sandboxWords } from '../../src/shared/limits/sandboxWords';
import { icon } from '../base/icon';

/** Renders what agents are held to, below the message. In a narrow page, the shield stands for it, with “off” if it is off. */
export function sandboxChip(mode: SandboxMode, open: () => void): TemplateResult {
  const words = mode === 'files' ? l10n.t('Files: only this folder') : sandboxWords(mode);
  return html`<button type="button" class="chip box" aria-label=${words} title=${words} @click=${open}>
    ${icon('shield')}<span class="clip w-md">${words}</span>${
      mode === 'off' ? html`<span class="w-sm">${l10n.t('off')}</span>` : nothing
    }
  </button>`;
}
