import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';
import { hasOpenMenu, openMenu, type MenuItem } from '../base/menu';
import type { ComposerActions, ComposerState } from './composerParts';

/** What the composer itself does for the menu. */
export interface AddActions {
  /** Opens the list of what can be mentioned. */

  readonly addContext: () => void;
  /** Opens the list of commands and prompts. Undefined if there are none, or if they can't begin the message. */
  readonly addCommand: (() => void) | undefined;
  /** Opens the options that have no room in the bar. Undefined if there are none. */
  readonly openOptions: (() => void) | undefined;
}

/** Renders the button that adds something to the message, or begins something with it. With one entry only, that is done at once. */
export function addButton(
  state: ComposerState,
  actions: Pick<ComposerActions, 'setGoal' | 'askAside' | 'tryWith' | 'reviewWorktree'>,
  own: AddActions,
): TemplateResult {
  const items = addItems(state, actions, own);
  const isMenu = items.length > 1;
  const label = l10n.t('Add Context');
  const open = ({ currentTarget }: Event) => {
    if (!isMenu) own.addContext();
    else if (currentTarget instanceof HTMLElement && !hasOpenMenu(currentTarget)) openMenu(currentTarget, label, items);
  };
  return html`<button
    type="button"
    class="ib add"
    aria-label=${label}
    title=${label}
    aria-haspopup=${isMenu ? 'menu' : nothing}
    aria-expanded=${isMenu ? 'false' : nothing}
    @click=${open}
  >
    ${icon('add')}
  </button>`;
}

function addItems(
  { canSetGoal, canAskAside, canTry, canReview }: ComposerState,
  actions: Pick<ComposerActions, 'setGoal' | 'askAside' | 'tryWith' | 'reviewWorktree'>,
  { addContext, addCommand, openOptions }: AddActions,
): readonly MenuItem[] {
  const begin: readonly MenuItem[] = [
    ...(canSetGoal ? [{ label: l10n.t('Set goal…'), run: () => actions.setGoal() }] : []),
    ...(canAskAside ? [{ label: l10n.t('Ask aside…'), run: () => actions.askAside() }] : []),
    ...(canReview ? [{ label: l10n.t('Ask another agent to review…'), run: () => actions.reviewWorktree() }] : []),
    ...(canTry ? [{ label: l10n.t('Try with…'), run: () => actions.tryWith() }] : []),
  ];
  return [
    { label: l10n.t('Context…'), key: '@', run: addContext },
    ...(addCommand ? [{ label: l10n.t('Commands and prompts…'), key: '/', run: addCommand }] : []),
    ...begin.map((item, at) => (at === 0 ? { ...item, group: '' } : item)),
    ...(openOptions ? [{ label: l10n.t('More options…'), group: '', run: openOptions }] : []),
  ];
}
