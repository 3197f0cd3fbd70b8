import * as l10n from '@vscode/l10n';
import { isShell } from '../../src/shared/text/shellLanguages';
import type { MenuItem } from '../base/menu';

/** An action that there isn't always room for. */
interface RareAction {
  readonly act: 'applyCode' | 'createCode' | 'runCode';
  readonly icon: string;
  readonly label: string;
}

/** Returns the actions for a block of a language besides copying and inserting. */
function rareActions(label: string): readonly RareAction[] {
  return [
    ...(isShell(label) ? [{ act: 'runCode', icon: 'terminal', label: l10n.t('Run in terminal…') } as const] : []),
    { act: 'createCode', icon: 'new-file', label: l10n.t('Create file…') },
    { act: 'applyCode', icon: 'edit', label: l10n.t('Apply to file…') },
  ];
}

/**
 * Returns the buttons of a code block's actions besides copying. On a narrow page, a button lists most of them. A raw value can only be
 * inserted.
 */
export function codeBar(label: string, isRaw: boolean): HTMLElement[] {
  const insert = iconButton('insert', l10n.t('Insert at cursor'), 'insertCode');
  insert.classList.add('act');
  if (isRaw) return [insert];
  const rare = rareActions(label).map(({ act, icon, label: name }) => {
    const button = iconButton(icon, name, act);
    button.classList.add('act', 'w-md');
    return button;
  });
  const more = iconButton('ellipsis', l10n.t('More actions for this code'), 'codeMenu');
  more.classList.add('act', 'w-sm');
  more.setAttribute('aria-haspopup', 'menu');
  return [more, ...rare, insert];
}

/** Returns the label of a code block: the first word after its opening fence. */
export function codeLabel(info: string): string {
  return /^[^\s{]+/.exec(info.trim())?.[0] ?? '';
}

/** Returns what a narrow page's menu lists for a code block. */
export function codeMenuItems(info: string, use: (act: RareAction['act']) => void): readonly MenuItem[] {
  return rareActions(codeLabel(info))
    .map(({ act, label }) => ({ label, run: () => use(act) }))
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
