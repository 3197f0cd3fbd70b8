import * as l10n from '@vscode/l10n';
import type { PermissionOption } from '../../../src/shared/transcript/transcript';
import { answerOf } from './answerKey';
import { optionName } from '../words/optionName';

/** Which of an agent's options are buttons of the request, and which are in its menu. */
export interface DrawnAnswers {
  /** Whether the buttons are those of every request: allow and reject. */
  readonly isPlain: boolean;
  /** Whether the buttons have the options' own names, as in what Parley itself asks. */
  readonly hasOwnNames: boolean;
  readonly buttons: readonly PermissionOption[];
  readonly menu: readonly PermissionOption[];
}

/**
 * A request that is allowed or rejected has two buttons: the answers that count once. Lasting ones are in the menu, and so are names that say more
 * than the button. A request that asks something of its own shows every option, in the agent's order.
 */
export function drawnAnswers(options: readonly PermissionOption[], isOwn = false): DrawnAnswers {
  const [allow, reject] = [answerOf(options, 'allow'), answerOf(options, 'reject')];
  const isPlain = options.every((option) => {
    if (option === allow || option === reject) return true;
    return (
      (option.kind === 'allow_always' && allow?.kind === 'allow_once') ||
      (option.kind === 'reject_always' && reject?.kind === 'reject_once')
    );
  });
  if (!isPlain || !allow) return { isPlain: false, hasOwnNames: true, buttons: options, menu: [] };
  const buttons = reject ? [allow, reject] : [allow];
  const isDrawn = (option: PermissionOption) => buttons.includes(option) && (isOwn || isSaid(option));
  return { isPlain, hasOwnNames: isOwn, buttons, menu: options.filter((option) => !isDrawn(option)) };
}

/** The name of an option's button. What counts once has the same name for every agent. */
export function buttonName(option: PermissionOption, { hasOwnNames }: DrawnAnswers): string {
  if (hasOwnNames) return optionName(option);
  if (option.kind === 'allow_once') return l10n.t('Allow');
  return option.kind === 'reject_once' ? l10n.t('Reject') : optionName(option);
}

/** Whether an option's own name says nothing more than the button for its kind. */
function isSaid(option: PermissionOption): boolean {
  const name = optionName(option).toLowerCase();
  if (option.kind === 'allow_once') return name === l10n.t('Allow').toLowerCase();
  return option.kind === 'reject_once' && name === l10n.t('Reject').toLowerCase();
}
