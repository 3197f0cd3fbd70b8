import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit-html';
import { toolDetails, type ToolDetail } from '../../src/shared/pages/messages';
import { icon } from '../base/icon';
import { menuButton } from '../base/menuButton';

const icons: Readonly<Record<ToolDetail, string>> = { compact: 'fold', normal: 'list-selection', everything: 'unfold' };

/** Returns the name of a level of tool detail. */
export function detailName(detail: ToolDetail): string {
  const names: Readonly<Record<ToolDetail, string>> = {
    compact: l10n.t('Compact'),
    normal: l10n.t('Normal'),
    everything: l10n.t('Everything'),
  };
  return names[detail];
}

/** Renders the button whose menu sets how much of tool calls and thoughts the transcript shows. */
export function detailButton(detail: ToolDetail, set: (detail: ToolDetail) => void): TemplateResult {
  return menuButton({
    label: l10n.t('Tool detail: {0}', detailName(detail)),
    menu: l10n.t('Tool detail'),
    className: 'ib',
    content: icon(icons[detail]),
    items: () => toolDetails.map((one) => ({ label: detailName(one), isChecked: one === detail, run: () => set(one) })),
  });
}
