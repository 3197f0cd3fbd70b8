/** The list as one stop of the tab order: the row that had the focus last, else the first. Its buttons follow it. */
function setCurrent(list: HTMLElement, row: Element): void {
  for (const other of list.children) {
    const tabIndex = other === row ? 0 : -1;
    for (const button of buttonsOf(other)) if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex;
  }
}

/** A row that gets the focus, by whatever means, becomes the one in the tab order. */
export function onRowFocus(event: FocusEvent): void {
  const list = event.currentTarget;
  const row = event.target instanceof Element ? event.target.closest('.pl-row') : null;
  if (list instanceof HTMLElement && row) setCurrent(list, row);
}

/** Up and Down, Home and End walk the rows, staying with the same button. */
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
 * Call it before the strip is drawn anew, and what it returns afterwards: one row of the list is in the tab order, and a
 * focus whose row or strip has gone goes to what took its place, else to `elsewhere`. No other focus is touched.
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
