import * as l10n from '@vscode/l10n';
import { isForPage, type KeyRow } from './keyHelp';

/** What a key of the page does. */
export type KeyAction =
  | 'next'
  | 'previous'
  | 'nextFile'
  | 'previousFile'
  | 'keep'
  | 'undo'
  | 'keepFile'
  | 'undoFile'
  | 'comment'
  | 'nextRemark'
  | 'previousRemark'
  | 'open'
  | 'openDiff'
  | 'undoLast'
  | 'keys'
  | 'return';

const letters: Readonly<Record<string, readonly [plain: KeyAction, shifted: KeyAction | undefined]>> = {
  n: ['next', 'nextFile'],
  p: ['previous', 'previousFile'],
  k: ['keep', 'keepFile'],
  u: ['undo', 'undoFile'],
  c: ['comment', undefined],
  o: ['open', 'openDiff'],
  r: ['nextRemark', 'previousRemark'],
};

/** The keys that the page shows: at its foot, at the end of a review, and in the list of all. */
export const keyRows: {
  readonly foot: readonly KeyRow[];
  readonly end: readonly KeyRow[];
  readonly all: readonly KeyRow[];
} = {
  foot: [
    [['N', 'P'], () => l10n.t('next, previous')],
    [['K'], () => l10n.t('keep')],
    [['U'], () => l10n.t('undo')],
    [['C'], () => l10n.t('comment')],
    [['O'], () => l10n.t('open')],
    [['Shift'], () => l10n.t('for the file')],
    [['?'], () => l10n.t('all keys')],
  ],
  end: [
    [['Ctrl+Z'], () => l10n.t('undo last')],
    [['Esc'], () => l10n.t('return to chat')],
  ],
  all: [
    [['N'], () => l10n.t('Next change')],
    [['P'], () => l10n.t('Previous change')],
    [['Shift+N'], () => l10n.t('Next file')],
    [['Shift+P'], () => l10n.t('Previous file')],
    [['K'], () => l10n.t('Keep the change')],
    [['U'], () => l10n.t('Undo the change')],
    [['Shift+K'], () => l10n.t('Keep the file')],
    [['Shift+U'], () => l10n.t('Undo the file')],
    [['C'], () => l10n.t('Comment on the change')],
    [['R'], () => l10n.t('Next comment or remark')],
    [['Shift+R'], () => l10n.t('Previous comment or remark')],
    [['O'], () => l10n.t('Open the change in the editor')],
    [['Shift+O'], () => l10n.t('Open the diff of the file')],
    [['Ctrl+Z'], () => l10n.t('Undo the last decision')],
    [['Esc'], () => l10n.t('Return to the chat')],
  ],
};

/** Returns what a key does. Keys belong to fields, menus, and dialogs first. */
export function actionOf(event: KeyboardEvent): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!isForPage(event)) return undefined;
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'z') return 'undoLast';
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Escape') return 'return';
  if (key === '?') return 'keys';
  const [plain, shifted] = letters[key.toLowerCase()] ?? [];
  return shiftKey ? shifted : plain;
}
