import * as l10n from '@vscode/l10n';
import { nothing, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';
import { menuButton } from '../base/menuButton';
import type { ComposerActions, ComposerState } from './composerParts';

/** Renders the button whose menu has what only some agents and folders can do. There's none if these can't. */
export function moreActions(
  { canSetGoal, canAskAside, canTry, canReview }: ComposerState,
  actions: Pick<ComposerActions, 'setGoal' | 'askAside' | 'tryWith' | 'reviewWorktree'>,
): TemplateResult | typeof nothing {
  if (!canSetGoal && !canAskAside && !canTry && !canReview) return nothing;
  return menuButton({
    label: l10n.t('More actions'),
    className: 'ib',
    content: icon('ellipsis'),
    items: () => [
      ...(canSetGoal ? [{ label: l10n.t('Set goal…'), run: () => actions.setGoal() }] : []),
      ...(canAskAside ? [{ label: l10n.t('Ask aside…'), run: () => actions.askAside() }] : []),
      ...(canReview ? [{ label: l10n.t('Ask another agent to review…'), run: () => actions.reviewWorktree() }] : []),
      ...(canTry ? [{ label: l10n.t('Try with…'), run: () => actions.tryWith() }] : []),
    ],
  });
}
