import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentListEnd } from '../../src/shared/pages/sessionRows';
import type { RowModel } from './rowModel';

/** What the entries below the rows do. */
interface EndActions {
  askAgent(end: AgentListEnd): void;
  toggleArchive(): void;
}

/** Renders what is below the rows: why there are none, archived sessions, and what the agents' own lists say. */
export function endsView(model: RowModel, hasRows: boolean, actions: EndActions): TemplateResult {
  return html`${hasRows ? nothing : html`<p class="none">${emptyWords(model)}</p>`}
    <div class="ends">
      ${archiveButton(model, () => actions.toggleArchive())}
      ${model.ends.map((end) => agentEnd(end, () => actions.askAgent(end)))}
    </div>`;
}

function emptyWords({ isReady, text, limits }: RowModel): string {
  if (!isReady) return l10n.t('Loading sessions…');
  if (text.trim() !== '') return l10n.t('No results for “{0}”.', text.trim());
  return Object.keys(limits).length > 0
    ? l10n.t('No sessions match the filter.')
    : l10n.t('There are no sessions yet. Start one to see it here.');
}

function archiveButton({ archived, isArchiveOpen, text }: RowModel, toggle: () => void) {
  if (archived === 0 || text.trim() !== '') return nothing;
  const show = archived === 1 ? l10n.t('Show 1 archived session') : l10n.t('Show {0} archived sessions', archived);
  return html`<button class="btn link" aria-expanded=${String(isArchiveOpen)} @click=${toggle}>
    ${isArchiveOpen ? l10n.t('Hide archived sessions') : show}
  </button>`;
}

function agentEnd({ agentName, state, problem }: AgentListEnd, ask: () => void): TemplateResult {
  const button = (words: string, title = '') =>
    html`<button class="btn link" title=${title} @click=${ask}>${words}</button>`;
  switch (state) {
    case 'ask':
      return button(l10n.t('Show sessions from {0}', agentName), l10n.t('Starts the agent'));
    case 'more':
      return button(l10n.t('Show more sessions from {0}', agentName));
    case 'login':
      return button(problem ?? '');
    case 'loading':
      return html`<span class="dim xs">${l10n.t('Loading sessions from {0}…', agentName)}</span>`;
    case 'problem':
      return html`<span class="dim xs">${problem ?? ''}</span>`;
  }
}
