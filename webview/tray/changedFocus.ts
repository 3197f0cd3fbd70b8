/** Makes the list a single tab stop: the row that last had the focus, or the first one. The row's buttons are in the tab order with it. */
function setCurrent(list: HTMLElement, row: Element): void {
  for (const other of list.children) {
    const tabIndex = other === row ? 0 : -1;
    for (const button of buttonsOf(other)) if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex;
  }
}

/** Puts a row that receives the focus into the tab order. */
export function onRowFocus(event: FocusEvent): void {
  const list = event.currentTarget;
  const row = event.target instanceof Element ? event.target.closest('.pl-row') : null;
  if (list instanceof HTMLElement && row) setCurrent(list, row);
}

/** Up, Down, Home, and End move between the rows and stay on the same button. */
export function onRowKey(event: KeyboardEvent): void {
  const list = event.currentTarget;
  const from = event.target instanceof HTMLElement ? event.target : undefined;
  const row = from?.closest('.pl-row');
  if (!(list instanceof HTMLElement) || !from || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...list.children];
  const last = rows.length - 1;
  const at = rows.indexOf(row);
  const to = { ArrowUp: Math.max(at - 1, 0), ArrowDown: Math.min(at + 1, last), Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  focusRow(rows[to], from.dataset['does']);
}

/**
 * Must be called before the strip is drawn, and the returned function afterward. Then one row of the list is in the tab order, and if the
 * focused row or strip is gone, the focus moves to its replacement or to `elsewhere`. Any other focus stays.
 */
export function holdFocus(tray: HTMLElement, elsewhere: () => void): () => void {
  const focused = document.activeElement;
  const strip = focused?.closest('.pl-changes');
  const held = strip && tray.contains(strip) && focused instanceof HTMLElement ? focused : undefined;
  const row = held?.closest('.pl-row');
  const at = row ? [...(row.parentElement?.children ?? [])].indexOf(row) : -1;
  const does = held?.dataset['does'];
  return () => {
    const list = tray.querySelector<HTMLElement>('.pl-changes > .pl-rows:not(.sr)');
    const rows = [...(list?.children ?? [])];
    if (list && !list.querySelector('[tabindex="0"]') && rows[0]) setCurrent(list, rows[0]);
    if (!held || held === document.activeElement) return;
    if (held.isConnected && held.checkVisibility()) held.focus();
    else if (rows.length > 0 && at >= 0) focusRow(rows[Math.min(at, rows.length - 1)], does);
    else if (tray.querySelector('.pl-changes')) tray.querySelector<HTMLElement>('.pl-changes .tw')?.focus();
    else elsewhere();
  };
}

function focusRow(row: Element | undefined, does: string | undefined): void {
  const buttons = row ? buttonsOf(row) : [];
  const [first] = buttons;
  (buttons.find((button) => button.dataset['does'] === does) ?? first)?.focus();
}

function buttonsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-does]')];
}
