import * as l10n from '@vscode/l10n';
import { isForPage, type KeyRow } from '../review/keyHelp';

/** What a key of the comparison does. */
export type TriesKey =
  'next' | 'previous' | 'nextFile' | 'previousFile' | 'takeLeft' | 'takeRight' | 'undo' | 'open' | 'keys' | 'return';

const letters: Readonly<Record<string, readonly [plain: TriesKey, shifted: TriesKey | undefined]>> = {
  n: ['next', 'nextFile'],
  p: ['previous', 'previousFile'],
  '1': ['takeLeft', undefined],
  '2': ['takeRight', undefined],
  u: ['undo', 'undo'],
  o: ['open', 'open'],
};

/** The keys that the page shows: at its foot, and in the list of all. */
export const keyRows: { readonly foot: readonly KeyRow[]; readonly all: readonly KeyRow[] } = {
  foot: [
    [['N', 'P'], () => l10n.t('next, previous')],
    [['1', '2'], () => l10n.t('take left, right')],
    [['U'], () => l10n.t('undo')],
    [['O'], () => l10n.t('open')],
    [['?'], () => l10n.t('all keys')],
  ],
  all: [
    [['N'], () => l10n.t('Next difference')],
    [['P'], () => l10n.t('Previous difference')],
    [['Shift+N'], () => l10n.t('Next file')],
    [['Shift+P'], () => l10n.t('Previous file')],
    [['1'], () => l10n.t('Take the left side')],
    [['2'], () => l10n.t('Take the right side')],
    [['U'], () => l10n.t('Undo what was taken from the file')],
    [['O'], () => l10n.t('Open the file in the editor')],
    [['↑', '↓', '←', '→'], () => l10n.t('Go to another file or try in the table')],
    [['Enter'], () => l10n.t('Compare the file')],
    [['Esc'], () => l10n.t('Return to the chat')],
  ],
};

/** Returns what a key does. */
export function triesKeyOf(event: KeyboardEvent): TriesKey | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!isForPage(event) || ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Escape') return 'return';
  if (key === '?') return 'keys';
  const [plain, shifted] = letters[key.toLowerCase()] ?? [];
  return shiftKey ? shifted : plain;
}
