import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { RowFilter, SessionRow } from '../../src/shared/pages/sessionRows';
import { stateFilterName } from '../../src/shared/pages/sessionRowWords';
import { icon } from '../base/icon';
import type { MenuItem } from '../base/menu';

const states = ['needsYou', 'running', 'unreviewed', 'otherWindow'] as const;

/** Returns what the list can be limited to. A checked entry removes its limit. */
export function filterItems(
  limits: RowFilter,
  rows: readonly SessionRow[],
  set: (filter: RowFilter) => void,
): readonly MenuItem[] {
  const item = (label: string, limit: RowFilter): MenuItem => {
    const isChecked = Object.entries(limit).every(([name, value]) => limits[name as keyof RowFilter] === value);
    const [name] = Object.keys(limit) as (keyof RowFilter)[];
    const next = isChecked && name !== undefined ? without(limits, name) : { ...limits, ...limit };
    return { label, isChecked, run: () => set(next) };
  };
  const agents = new Map(rows.map(({ agentId, agentName }) => [agentId, agentName]));
  const folders = new Set(rows.map(({ folder }) => folder));
  return [
    ...states.map((state) => item(stateFilterName(state), { state })),
    ...[...agents].map(([agentId, name]) => item(l10n.t('Agent: {0}', name), { agentId })),
    ...[...folders].map((folder) => item(l10n.t('Folder: {0}', folder), { folder })),
  ];
}

/** Renders what the list is limited to. */
export function limitChips(
  limits: RowFilter,
  rows: readonly SessionRow[],
  set: (filter: RowFilter) => void,
): TemplateResult | typeof nothing {
  const agent = rows.find(({ agentId }) => agentId === limits.agentId);
  const names: readonly (readonly [keyof RowFilter, string | undefined])[] = [
    ['state', limits.state && stateFilterName(limits.state)],
    ['agentId', limits.agentId && (agent?.agentName ?? limits.agentId)],
    ['folder', limits.folder],
  ];
  const chips = names.flatMap(([name, words]) => (words === undefined ? [] : [{ name, words }]));
  if (chips.length === 0) return nothing;
  return html`<div class="limits">
    ${chips.map(
      ({ name, words }) =>
        html`<span class="chip"
          ><span class="clip">${words}</span
          ><button
            class="x"
            aria-label=${l10n.t('Remove filter {0}', words)}
            title=${l10n.t('Remove filter')}
            @click=${() => set(without(limits, name))}
          >
            ${icon('close')}
          </button></span
        >`,
    )}
  </div>`;
}

function without(filter: RowFilter, name: keyof RowFilter): RowFilter {
  return Object.fromEntries(Object.entries(filter).filter(([one]) => one !== name));
}
