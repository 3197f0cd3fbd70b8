/** An entry of a menu. With `isChecked`, it is one of several that exclude each other. */
export interface MenuItem {
  readonly label: string;
  readonly isChecked?: boolean;
  readonly run: () => void;
}

const gap = 2;

/**
 * Opens a menu below a button, or below `anchor`, or above it where there's more room. It closes with a choice, with Escape or Tab, and with a click or a
 * scroll elsewhere. The button then has the focus again, unless the user moved it.
 */
export function openMenu(button: HTMLElement, label: string, items: readonly MenuItem[], anchor = button): void {
  const menu = document.createElement('div');
  menu.className = 'pl-pop pl-menu';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', label);
  const close = (givesFocusBack: boolean) => {
    if (!menu.isConnected) return;
    menu.remove();
    if (button.ariaHasPopup !== null) button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', onPointer, true);
    window.removeEventListener('blur', onBlur);
    window.removeEventListener('resize', onBlur);
    document.removeEventListener('scroll', onBlur, true);
    if (givesFocusBack) button.focus({ preventScroll: true });
  };
  const onPointer = (event: Event) => {
    if (event.target instanceof Node && (menu.contains(event.target) || button.contains(event.target))) return;
    close(false);
  };
  const onBlur = () => close(false);
  const entries = items.map((item) => entryOf(item, () => close(true)));
  menu.append(...entries);
  menu.addEventListener('keydown', (event) => {
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = nextOf(event.key, at, entries.length);
    if (next !== undefined) entries[next]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close(true);
    else if (event.key === 'Enter' || event.key === ' ') entries[at]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  (button.closest('.pl') ?? document.body).append(menu);
  place(menu, anchor);
  if (button.ariaHasPopup !== null) button.setAttribute('aria-expanded', 'true');
  document.addEventListener('pointerdown', onPointer, true);
  window.addEventListener('blur', onBlur);
  window.addEventListener('resize', onBlur);
  const checked = items.findIndex(({ isChecked }) => isChecked === true);
  entries[Math.max(0, checked)]?.focus({ preventScroll: true });
  document.addEventListener('scroll', onBlur, true);
}

/** Whether a button's menu is open. */
export function hasOpenMenu(button: HTMLElement): boolean {
  return button.getAttribute('aria-expanded') === 'true' && document.querySelector('.pl-menu') !== null;
}

function entryOf({ label, isChecked, run }: MenuItem, close: () => void): HTMLElement {
  const entry = document.createElement('div');
  entry.className = 'opt';
  entry.tabIndex = -1;
  entry.setAttribute('role', isChecked === undefined ? 'menuitem' : 'menuitemradio');
  if (isChecked !== undefined) {
    entry.setAttribute('aria-checked', String(isChecked));
    const mark = document.createElement('i');
    mark.className = `codicon codicon-check ${isChecked ? '' : 'off'}`;
    mark.setAttribute('aria-hidden', 'true');
    entry.append(mark);
  }
  entry.append(label);
  entry.addEventListener('click', () => {
    close();
    run();
  });
  entry.addEventListener('pointermove', () => entry.focus({ preventScroll: true }));
  return entry;
}

function nextOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (Math.max(at, 0) + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function place(menu: HTMLElement, button: HTMLElement): void {
  const around = (menu.parentElement ?? document.body).getBoundingClientRect();
  const at = button.getBoundingClientRect();
  const { offsetHeight: height, offsetWidth: width } = menu;
  const isBelow = at.bottom + gap + height <= around.bottom || at.top - around.top < height;
  const left = Math.min(Math.max(at.right - width, around.left + gap), around.right - width - gap);
  menu.style.left = `${left - around.left}px`;
  menu.style.top = `${(isBelow ? at.bottom + gap : at.top - gap - height) - around.top}px`;
}
