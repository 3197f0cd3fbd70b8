import { test } from 'node:test';
import assert from 'node:assert/strict';
import { isForLooking, type Chat, type ChatOptions, type PageBrowser } from './chat';
import { lowContrast } from './contrast';
import type { Theme } from './pageServer';
import { PictureOfRows, rowsIn } from './rowPictures';

/** Something of the page that is looked at in every theme, narrow and wide. */
export interface Look {
  /** Of its tests and of its pictures; rows of `pictures.ts` name it. */
  readonly name: string;
  readonly height?: number;
  readonly page?: ChatOptions['page'];
  /** Goes, from a page that has just been opened, to what is looked at. */
  readonly reach: (chat: Chat) => Promise<void>;
  /** Brings back what another size of the page takes away: a pointer over something that has moved, for example. */
  readonly again?: (chat: Chat) => Promise<void>;
  /** What else holds in every theme at every width. */
  readonly check?: (chat: Chat, width: number) => Promise<void>;
  /** Findings of axe that are the theme's own, as in the editor. */
  readonly isOfTheme?: (problem: string, theme: Theme) => boolean;
  /** The page is opened anew for each theme: what it draws in colours of its own does not change when the theme does. */
  readonly anew?: boolean;
  readonly widths?: readonly number[];
  /** Widths at which it is looked at in all themes; without them one of a page: themes change colours and widths do not. */
  readonly themed?: readonly number[];
}

const themes: readonly Theme[] = ['dark', 'light', 'highContrast'];
/** The width at which rows of the protocol's checklist have their pictures. */
const usualWidth = 420;

/**
 * Declares the tests of what is looked at: at each width, and in each theme at one of them, nothing overflows, axe finds nothing serious,
 * texts can be read, the policy is kept and nothing is thrown, and what rows of the protocol's checklist show looks as it did.
 */
export function testLooks(browser: PageBrowser, looks: readonly Look[]): void {
  for (const look of looks) {
    const widths = look.widths ?? [320, usualWidth, 900];
    // A tab of the editor is another page than the view, not the same one made wider.
    const pages = [widths.filter((width) => width < 900), widths.filter((width) => width >= 900)];
    for (const [at, host] of (['view', 'editor'] as const).entries()) {
      const own = pages[at] ?? [];
      if (own.length === 0) continue;
      test(`${look.name} at ${own.join(', ')} px: all in sight, readable and accessible in every theme`, async () => {
        const problems: string[] = [];
        for (const some of look.anew ? themes.map((theme) => [theme]) : [themes]) {
          const options = { page: look.page, host: look.page === undefined ? host : 'editor', scale: 2 } as const;
          await walk(browser, look, own, some, options, problems);
        }
        assert.deepEqual(problems, []);
      });
    }
  }
}

/** One page, through its themes and widths. */
async function walk(
  browser: PageBrowser,
  look: Look,
  widths: readonly number[],
  some: readonly Theme[],
  options: ChatOptions,
  problems: string[],
): Promise<void> {
  const [first = 'dark'] = some;
  const height = look.height ?? 860;
  const chat = await browser.open({ ...options, theme: first, width: widths[0] ?? usualWidth, height });
  await look.reach(chat);
  if (look.page === undefined) await chat.toolkit();
  const themed = look.themed ?? (isForLooking ? widths : [widths.includes(usualWidth) ? usualWidth : widths[0]]);
  for (const width of widths) {
    const isThemed = themed.includes(width);
    await chat.page.setViewportSize({ width, height });
    for (const theme of isThemed ? some : some.filter((one) => one === 'dark')) {
      await chat.wear(theme);
      await look.again?.(chat);
      const rules = theme === first ? (look.themed && !isThemed ? 'none' : 'all') : 'colours';
      const found = await problemsOf(chat, look, theme, rules);
      await look.check?.(chat, width);
      const name = `${look.name}-${width}-${theme}`;
      const rows = width === usualWidth ? rowsIn(look.name) : [];
      if (isForLooking || found.length > 0 || rows.length > 0) {
        // Other colours may come with other heights, to which the reader's place is then brought back.
        if (look.page === undefined) await chat.still();
        const picture = await PictureOfRows.take(chat, isForLooking ? (options.scale ?? 1) : 1);
        if (isForLooking || found.length > 0) found.push(...(await picture.keep(name, found.length > 0)));
        for (const row of rows) found.push(...(await picture.compare(row, theme)));
      }
      problems.push(...found.map((problem) => `${theme}, ${width} px: ${problem}`));
    }
  }
  problems.push(...(await chat.violations()).map((violation) => `against the policy: ${violation}`), ...chat.errors);
  await chat.close();
}

async function problemsOf(chat: Chat, look: Look, theme: Theme, rules: 'none' | 'all' | 'colours'): Promise<string[]> {
  const found = (await chat.hasHorizontalScroll()) ? ['something is wider than the page'] : [];
  if (rules === 'none') return found;
  // Themes change colours alone: the page is the same one, so that all other rules would find the same again.
  const problems = await chat.accessibilityProblems(rules === 'all' ? undefined : ['color-contrast']);
  found.push(...problems.filter((problem) => look.isOfTheme?.(problem, theme) !== true));
  if (theme === 'highContrast') found.push(...(await lowContrast(chat.page, 4.5)));
  return found;
}
