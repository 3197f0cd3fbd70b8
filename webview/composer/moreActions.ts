import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';
import { hasOpenMenu, openMenu } from '../base/menu';
import type { ComposerActions, ComposerState } from './composerParts';

/** Renders the button whose menu has what only some agents and folders can do. There's none if these can't. */
export function moreActions(
  { canSetGoal, canAskAside, canTry }: ComposerState,
  actions: Pick<ComposerActions, 'setGoal' | 'askAside' | 'tryWith'>,
): TemplateResult | typeof nothing {
  if (!canSetGoal && !canAskAside && !canTry) return nothing;
  const label = l10n.t('More actions');
  const open = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLElement) || hasOpenMenu(currentTarget)) return;
    openMenu(currentTarget, label, [
      ...(canSetGoal ? [{ label: l10n.t('Set goal…'), run: () => actions.setGoal() }] : []),
      ...(canAskAside ? [{ label: l10n.t('Ask aside…'), run: () => actions.askAside() }] : []),
      ...(canTry ? [{ label: l10n.t('Try with…'), run: () => actions.tryWith() }] : []),
    ]);
  };
  return html`<button
    type="button"
    class="ib"
    aria-haspopup="menu"
    aria-expanded="false"
    aria-label=${label}
    title=${label}
    @click=${open}
  >
    ${icon('ellipsis')}
  </button>`;
}
