/** An entry of a menu. With `isChecked`, it is one of several that exclude each other. */
export interface MenuItem {
  readonly label: string;
  /** A second line. */
  readonly detail?: string;
  /** The key that chooses it while the menu is open. */
  readonly key?: string;
  /** The heading above it, if it is the first of a group. An empty one is a line. */
  readonly group?: string;
  readonly isChecked?: boolean;
  /** The name of a codicon. */
  readonly icon?: string;
  readonly run: () => void;
}

/** Where a menu opens. */
export interface MenuPlace {
  /** What it opens at, if that isn't its button. */
  readonly anchor?: HTMLElement;
  /** What stands below the entries, and can't be chosen. */
  readonly foot?: string;
  /** Whether it never covers what is above the button. It scrolls if it doesn't fit below. */
  readonly isBelow?: boolean;
}

const gap = 2;

/** The least room below a button for a menu that scrolls, in px. */
const leastRoom = 96;

/**
 * Opens a menu below a button, or below its anchor, or above it where there's more room. It closes with a choice, with Escape or Tab, and with a click or a
 * scroll elsewhere. The button then has the focus again, unless the user moved it. Returns what closes it.
 */
export function openMenu(
  button: HTMLElement,
  label: string,
  items: readonly MenuItem[],
  { anchor = button, foot, isBelow = false }: MenuPlace = {},
): () => void {
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
    document.removeEventListener('scroll', onScroll, true);
    if (givesFocusBack) button.focus({ preventScroll: true });
  };
  const onPointer = (event: Event) => {
    if (event.target instanceof Node && (menu.contains(event.target) || button.contains(event.target))) return;
    close(false);
  };
  const onBlur = () => close(false);
  const onScroll = (event: Event) => {
    if (!(event.target instanceof Node) || !menu.contains(event.target)) close(false);
  };
  const entries = items.map((item) => entryOf(item, () => close(true)));
  entries.forEach((entry, at) => menu.append(...headOf(items[at]?.group), entry));
  for (const line of headOf(foot)) {
    line.classList.add('foot');
    menu.append(line);
  }
  menu.addEventListener('keydown', (event) => {
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = nextOf(event.key, at, entries.length);
    if (next !== undefined) entries[next]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close(true);
    else if (event.key === 'Enter' || event.key === ' ') entries[at]?.click();
    else {
      const keyed = items.findIndex(({ key }) => key?.toLowerCase() === event.key.toLowerCase());
      if (keyed < 0 || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      entries[keyed]?.click();
    }
    event.preventDefault();
    event.stopPropagation();
  });
  (button.closest('.pl') ?? document.body).append(menu);
  place(menu, anchor, isBelow);
  if (button.ariaHasPopup !== null) button.setAttribute('aria-expanded', 'true');
  document.addEventListener('pointerdown', onPointer, true);
  window.addEventListener('blur', onBlur);
  window.addEventListener('resize', onBlur);
  const checked = items.findIndex(({ isChecked }) => isChecked === true);
  entries[Math.max(0, checked)]?.focus({ preventScroll: true });
  document.addEventListener('scroll', onScroll, true);
  return () => close(false);
}

/** Whether a button's menu is open. */
export function hasOpenMenu(button: HTMLElement): boolean {
  return button.getAttribute('aria-expanded') === 'true' && document.querySelector('.pl-menu') !== null;
}

/** Returns what stands above the first entry of a group. */
function headOf(group: string | undefined): readonly HTMLElement[] {
  if (group === undefined) return [];
  const head = document.createElement(group === '' ? 'hr' : 'div');
  if (group !== '') {
    head.className = 'grp';
    head.textContent = group;
    head.setAttribute('role', 'presentation');
  }
  return [head];
}

function entryOf({ label, detail, key, isChecked, icon, run }: MenuItem, close: () => void): HTMLElement {
  const entry = document.createElement('div');
  entry.className = 'opt';
  entry.tabIndex = -1;
  entry.setAttribute('role', isChecked === undefined ? 'menuitem' : 'menuitemradio');
  if (isChecked !== undefined) {
    entry.setAttribute('aria-checked', String(isChecked));
    if (icon === undefined) entry.append(mark('check', isChecked ? '' : 'off'));
  }
  if (icon !== undefined) entry.append(mark(icon));
  if (detail === undefined && key === undefined && icon === undefined) entry.append(label);
  else entry.append(...wordsOf(label, detail, key));
  if (detail !== undefined) {
    entry.classList.add('two');
    // The second line describes the entry, and isn't part of its name.
    entry.setAttribute('aria-description', detail);
  }
  if (key !== undefined) entry.setAttribute('aria-keyshortcuts', key);
  if (icon !== undefined && isChecked !== undefined) entry.append(mark('check', isChecked ? 'end' : 'end off'));
  entry.addEventListener('click', () => {
    close();
    run();
  });
  entry.addEventListener('pointermove', () => entry.focus({ preventScroll: true }));
  return entry;
}

function mark(name: string, more = ''): HTMLElement {
  const element = document.createElement('i');
  element.className = `codicon codicon-${name} ${more}`;
  element.setAttribute('aria-hidden', 'true');
  return element;
}

function wordsOf(label: string, detail: string | undefined, key: string | undefined): readonly HTMLElement[] {
  const words = document.createElement('span');
  words.className = 'tx';
  words.textContent = label;
  if (detail !== undefined) {
    const second = document.createElement('span');
    second.className = 's';
    second.textContent = detail;
    second.setAttribute('aria-hidden', 'true');
    words.append(second);
  }
  if (key === undefined) return [words];
  const cap = document.createElement('kbd');
  cap.textContent = key;
  cap.setAttribute('aria-hidden', 'true');
  return [words, cap];
}

function nextOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (Math.max(at, 0) + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function place(menu: HTMLElement, button: HTMLElement, staysBelow: boolean): void {
  const around = (menu.parentElement ?? document.body).getBoundingClientRect();
  const at = button.getBoundingClientRect();
  const room = around.bottom - at.bottom - gap * 2;
  if (staysBelow && room >= leastRoom) menu.style.maxHeight = `${room}px`;
  const { offsetHeight: height, offsetWidth: width } = menu;
  const isBelow = at.bottom + gap + height <= around.bottom || at.top - around.top < height;
  const left = Math.min(Math.max(at.right - width, around.left + gap), around.right - width - gap);
  menu.style.left = `${left - around.left}px`;
  menu.style.top = `${(isBelow ? at.bottom + gap : at.top - gap - height) - around.top}px`;
}
