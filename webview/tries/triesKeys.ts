/** What a key of the comparison does. */
export type TriesKey =
  'next' | 'previous' | 'nextFile' | 'previousFile' | 'takeLeft' | 'takeRight' | 'undo' | 'open' | 'return';

const letters: Readonly<Record<string, readonly [plain: TriesKey, shifted: TriesKey | undefined]>> = {
  n: ['next', 'nextFile'],
  p: ['previous', 'previousFile'],
  '1': ['takeLeft', undefined],
  '2': ['takeRight', undefined],
  u: ['undo', 'undo'],
  o: ['open', 'open'],
};

/** Returns what a key does. Keys belong to fields, menus, and dialogs first. */
export function triesKeyOf(event: KeyboardEvent): TriesKey | undefined {
  const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey) return undefined;
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="menu"], dialog'))
    return undefined;
  if (key === 'Escape') return 'return';
  const [plain, shifted] = letters[key.toLowerCase()] ?? [];
  return shiftKey ? shifted : plain;
}
