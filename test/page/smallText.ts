import type { Chat } from './chat';

/** Returns texts in sight that are smaller than 11 px, which is the smallest size of a text: only keys and an agent's letters are smaller. */
export function smallTexts(chat: Chat): Promise<string[]> {
  return chat.page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>('*')].flatMap((element) => {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '',
      );
      if (!hasText || element.closest('kbd, .mono-mark, .codicon, .sr, style, script') || !element.checkVisibility())
        return [];
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      // 11.0 is a fraction of a fraction.
      return size < 10.95 ? [`${element.className || element.localName} ${size.toFixed(1)}: ${element.innerText}`] : [];
    }),
  );
}
