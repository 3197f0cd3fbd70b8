import { html, nothing, type TemplateResult } from 'lit-html';
import type { SandboxMode } from '../../src/shared/limits/sandboxMode';
import { sandboxName, sandboxWords } from '../../src/shared/limits/sandboxWords';
import { icon } from '../base/icon';

/** Renders what the session's agent is held to. A click lists it in words. Empty without a sandbox. */
export function sandboxChip(mode: SandboxMode | undefined, show: () => void): TemplateResult | typeof nothing {
  if (mode === undefined || mode === 'off') return nothing;
  const words = sandboxWords(mode);
  return html`<button type="button" class="chip where" aria-label=${words} title=${words} @click=${show}>
    ${icon('shield')}<span class="clip w-md">${sandboxName(mode)}</span>
  </button>`;
}
