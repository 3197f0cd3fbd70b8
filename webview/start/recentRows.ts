import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SessionRow } from '../../src/shared/pages/sessionRows';
import { ago, rowTitle, sectionTitle, stateWords } from '../../src/shared/pages/sessionRowWords';
import { comma, rowDetails, stateMark } from '../sessions/rowDetails';
import type { StartPageProps } from './startProps';

/** Renders the sessions that wait for the user, and those used last. Nothing if there are none. */
export function recentSessions(props: StartPageProps): TemplateResult | typeof nothing {
  const { needsYou, recent } = props.recent;
  if (needsYou.length + recent.length === 0) return nothing;
  const spinning = [...needsYou, ...recent].find(({ state }) => state === 'running');
  const rows = (all: readonly SessionRow[]) => all.map((row) => sessionRow(row, row === spinning, props));
  const more = html`<button class="btn link" @click=${() => props.showSessions()}>${l10n.t('All sessions')}</button>`;
  return html`<div>
    ${section(sectionTitle('needsYou'), rows(needsYou), recent.length === 0 ? more : nothing)}
    ${section(l10n.t('Recent'), rows(recent), more)}
  </div>`;
}

function section(
  title: string,
  rows: readonly TemplateResult[],
  more: TemplateResult | typeof nothing,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  return html`<div class="sect"><span class="grow" aria-hidden="true">${title}</span>${more}</div>
    <div role="list" aria-label=${title}>${rows}</div>`;
}

function sessionRow(row: SessionRow, spins: boolean, props: StartPageProps): TemplateResult {
  const { page, unread, now } = props;
  const isUnread = row.session !== undefined && unread.has(row.session);
  const time = ago(row.at, now, page.locale);
  return html`<div role="listitem">
    <button
      class=${isUnread ? 'pl-sess unread' : 'pl-sess'}
      title=${rowTitle(row)}
      @click=${() => props.post({ type: 'openRow', id: row.id })}
    >
      ${stateMark(row.state, isUnread, spins)}
      <span class="nm clip">${rowTitle(row)}</span>
      <span class="t2">${rowDetails(row, stateWords(row, isUnread))}</span>
      <span class="when num">${comma}${time}</span>
    </button>
  </div>`;
}
