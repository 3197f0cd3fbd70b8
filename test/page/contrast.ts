import type { Page } from 'playwright-core';

/**
 * Every visible text of the page whose contrast to what lies behind it is under `least`, one line each, placeholders
 * included (https://www.w3.org/TR/WCAG22/#contrast-minimum). What is disabled is exempt, as it is there.
 */
export async function lowContrast(page: Page, least: number): Promise<readonly string[]> {
  return page.evaluate((minimum) => {
    type Colour = readonly [number, number, number, number];
    const parse = (text: string): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
      const scale = text.startsWith('color(') ? 255 : 1;
      return [red * scale, green * scale, blue * scale, alpha];
    };
    const over = (front: Colour, back: Colour): Colour => {
      const mix = (at: 0 | 1 | 2) => front[at] * front[3] + back[at] * (1 - front[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const backgroundOf = (element: Element | null): Colour => {
      if (!element) return [255, 255, 255, 1];
      const own = parse(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement));
    };
    const luminance = (colour: Colour) => {
      const linear = (value: number) => (value <= 10.31 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    };
    const contrast = (element: Element, pseudo?: string) => {
      const back = backgroundOf(element);
      const front = over(parse(getComputedStyle(element, pseudo).color), back);
      const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a) as [number, number];
      return (light + 0.05) / (dark + 0.05);
    };
    const found: string[] = [];
    let seen = 0;
    const look = (element: Element, text: string, pseudo?: string) => {
      seen++;
      const ratio = contrast(element, pseudo);
      if (ratio < minimum) found.push(`${ratio.toFixed(2)} "${text.trim().slice(0, 40)}" in .${element.className}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.nodeValue ?? '';
      if (!element || text.trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest('.sr, [disabled], script, option')) continue;
      look(element, text);
    }
    for (const field of document.querySelectorAll('textarea')) look(field, field.placeholder, '::placeholder');
    if (seen === 0) found.push('there was no text to look at');
    return found;
  }, least);
}
