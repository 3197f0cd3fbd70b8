import * as l10n from '@vscode/l10n';
import { isShell } from '../../src/shared/shellLanguages';
import type { MenuItem } from '../base/menu';

/** What the actions of a code block are called, by the name in their `data-act`. */
interface CodeButton {
  readonly act: 'insertCode' | 'applyCode' | 'createCode' | 'runCode';
  readonly icon: string;
  readonly label: string;
}

/** Returns the actions of a block's language besides copying. A raw value can only be inserted. */
function actionsOf(label: string, isRaw: boolean): readonly CodeButton[] {
  const insert: CodeButton = { act: 'insertCode', icon: 'insert', label: l10n.t('Insert at cursor') };
  if (isRaw) return [insert];
  return [
    ...(isShell(label) ? [{ act: 'runCode', icon: 'terminal', label: l10n.t('Run in terminal…') } as const] : []),
    { act: 'createCode', icon: 'new-file', label: l10n.t('Create file…') },
    { act: 'applyCode', icon: 'edit', label: l10n.t('Apply to file…') },
    insert,
  ];
}

/** Returns the buttons of a code block's actions, and the button that lists them where there's no room for all. */
export function codeBar(label: string, isRaw: boolean): HTMLElement[] {
  const buttons = actionsOf(label, isRaw).map(({ act, icon, label: name }) => {
    const button = iconButton(icon, name, act);
    button.classList.add('act');
    return button;
  });
  if (isRaw) return buttons;
  for (const button of buttons) button.classList.add('w-md');
  const more = iconButton('ellipsis', l10n.t('More actions for this code'), 'codeMenu');
  more.classList.add('act', 'w-sm');
  more.setAttribute('aria-haspopup', 'menu');
  return [...buttons, more];
}

/** Returns the label of a code block: the first word after its opening fence. */
export function codeLabel(info: string): string {
  return /^[^\s{]+/.exec(info.trim())?.[0] ?? '';
}

/** Returns the same actions as items of a menu. */
export function codeMenuItems(info: string, use: (act: CodeButton['act']) => void): readonly MenuItem[] {
  return actionsOf(codeLabel(info), false)
    .map(({ act, label: name }) => ({ label: name, run: () => use(act) }))
    .reverse();
}

/** Returns an icon button whose clicks the transcript handles by `data-act`. */
export function iconButton(icon: string, label: string, act: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'ib';
  button.title = label;
  button.setAttribute('aria-label', label);
  button.dataset['act'] = act;
  const glyph = document.createElement('i');
  glyph.className = `codicon codicon-${icon}`;
  glyph.setAttribute('aria-hidden', 'true');
  button.append(glyph);
  return button;
}
