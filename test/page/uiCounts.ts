import type { Chat } from './chat';

/** What a user did: keys that were pressed, without those that are held with others, and clicks. */
export interface Effort {
  readonly keys: number;
  readonly clicks: number;
}

/** What a user can use: what takes a click or a key by itself. */
const controls = [
  'button',
  'a[href]',
  'input',
  'select',
  'textarea',
  'summary',
  '[contenteditable=true]',
  '[role=button]',
  '[role=combobox]',
  '[role=checkbox]',
  '[role=switch]',
  '[role=tab]',
  '[role=menuitem]',
  '[role=menuitemradio]',
  '[role=option]',
].join(', ');

/** Returns the names of the controls that can be seen, from top to bottom. What is in another control is part of it. */
export function controlsInView(chat: Chat): Promise<readonly string[]> {
  return chat.page.evaluate((selector) => {
    const isInView = (element: Element) => {
      const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
      const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return (
        isInWindow &&
        width > 1 &&
        height > 1 &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      );
    };
    return [...document.querySelectorAll(selector)]
      .filter((element) => !element.parentElement?.closest(selector) && isInView(element))
      .map((element) => (element.ariaLabel ?? element.textContent).replaceAll(/\s+/g, ' ').trim());
  }, controls);
}

/** Counts what is done from here on. */
export async function countEffort(chat: Chat): Promise<() => Promise<Effort>> {
  await chat.page.evaluate(() => {
    const effort = { keys: 0, clicks: 0 };
    Object.assign(window, { effort });
    const held = new Set(['Control', 'Shift', 'Alt', 'Meta']);
    const onKey = ({ isTrusted, repeat, key }: KeyboardEvent) => {
      if (isTrusted && !repeat && !held.has(key)) effort.keys += 1;
    };
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('pointerdown', ({ isTrusted }) => (effort.clicks += Number(isTrusted)), true);
  });
  return () => chat.page.evaluate(() => (window as unknown as { readonly effort: Effort }).effort);
}
