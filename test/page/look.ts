import { test } from 'node:test';
import assert from 'node:assert/strict';
import { plays } from '../runner/variants.mjs';
import { isForLooking, type Chat, type ChatOptions, type PageBrowser } from './chat';
import { lowContrast } from './contrast';
import type { Theme } from './pageServer';
import { PictureOfRows, rowsIn } from './rowPictures';

/** Something of the page that is looked at narrow and wide, and in every theme. */
export interface Look {
  /** Of its test and of its pictures; rows of `pictures.ts` name it. */
  readonly name: string;
  readonly height?: number;
  readonly page?: ChatOptions['page'];
  /** Goes, from a page that has just been opened, to what is looked at. */
  readonly reach: (chat: Chat, host: 'view' | 'editor') => Promise<void>;
  /** Brings back what another size of the page takes away: a pointer over something that has moved, for example. */
  readonly again?: (chat: Chat) => Promise<void>;
  /** What else holds in every theme at every width. */
  readonly check?: (chat: Chat, width: number) => Promise<void>;
  /** Findings of axe that are the theme's own, as in the editor, or that a test of its own answers. */
  readonly isOfTheme?: (problem: string, theme: Theme) => boolean;
  /** The page is opened anew for each theme: what it draws in colors of its own does not change when the theme does. */
  readonly anew?: boolean;
  /** The time that the page's clock always shows. */
  readonly time?: number;
  /** Widths besides the usual one. */
  readonly widths?: readonly number[];
  /** Also as a wide tab of the editor, which is another page than the view: 900 px wide, or as wide as this. */
  readonly inTab?: boolean | number;
}

/** Themes besides the dark one, which is always looked at: those only if what can differ in them has changed, or to look at pictures. */
const otherThemes: readonly Theme[] = isForLooking || plays('themes') ? ['light', 'highContrast'] : [];
/** The width at which the page is checked in all themes: themes change colors, and widths do not. Pictures are of all themes at every width. */
const usualWidth = 420;
/** How wide a tab of the editor is, unless a look says otherwise. */
const usualTab = 900;

/**
 * Declares the tests of what is looked at: at each width nothing overflows; at the usual one axe finds nothing serious, texts can be read
 * in each theme, and what rows of the protocol's checklist show looks as it did. The policy is kept and nothing is thrown.
 */
export function testLooks(browser: PageBrowser, looks: readonly Look[]): void {
  for (const look of looks) {
    test(`${look.name} fits every width and is readable and accessible in themes`, async () => {
      const problems: string[] = [];
      const widths = look.widths ?? [320];
      const kept = look.anew ? [] : otherThemes;
      await walk(browser, look, { widths: [...widths, usualWidth], themes: ['dark', ...kept] }, problems);
      for (const theme of otherThemes.filter((one) => !kept.includes(one))) {
        await walk(browser, look, { widths: [usualWidth], themes: [theme] }, problems);
      }
      if (look.inTab !== undefined && look.inTab !== false) {
        const tab = look.inTab === true ? usualTab : look.inTab;
        const more = isForLooking ? otherThemes : [];
        await walk(
          browser,
          look,
          { widths: [tab], themes: ['dark', ...(look.anew ? [] : more)], host: 'editor' },
          problems,
        );
        for (const theme of look.anew ? more : []) {
          await walk(browser, look, { widths: [tab], themes: [theme], host: 'editor' }, problems);
        }
      }
      assert.deepEqual(problems, []);
    });
  }
}

interface Walk {
  /** The last one is the one that is looked at closely. */
  readonly widths: readonly number[];
  readonly themes: readonly [Theme, ...Theme[]];
  readonly host?: ChatOptions['host'];
}

/** One page, through widths and themes. */
async function walk(browser: PageBrowser, look: Look, { widths, themes, host = 'view' }: Walk, problems: string[]) {
  const height = look.height ?? 860;
  const [first] = themes;
  const { page, time } = look;
  const options = { page, host: page === undefined ? host : 'editor', scale: 2, ...(time && { time }) } as const;
  const chat = await browser.open({ ...options, theme: first, width: widths[0] ?? usualWidth, height });
  await look.reach(chat, options.host);
  if (look.page === undefined) await chat.toolkit();
  for (const [at, width] of widths.entries()) {
    const isLast = at === widths.length - 1;
    await chat.page.setViewportSize({ width, height });
    for (const theme of isLast || isForLooking ? themes : [first]) {
      await chat.wear(theme);
      await look.again?.(chat);
      const rules = !isLast ? 'none' : theme === first ? 'all' : 'colors';
      const found = await problemsOf(chat, look, theme, rules);
      await look.check?.(chat, width);
      const name = `${look.name}-${width}-${theme}`;
      const rows = width === usualWidth ? rowsIn(look.name) : [];
      if (isForLooking || found.length > 0 || rows.length > 0) {
        // Other colors may come with other heights, to which the reader's place is then brought back.
        if (look.page === undefined) await chat.still();
        const picture = await PictureOfRows.take(chat, isForLooking ? options.scale : 1);
        if (isForLooking || found.length > 0) found.push(...(await picture.keep(name, found.length > 0)));
        for (const row of rows) found.push(...(await picture.compare(row, theme)));
      }
      problems.push(...found.map((problem) => `${theme}, ${width} px: ${problem}`));
    }
  }
  problems.push(...(await chat.violations()).map((violation) => `against the policy: ${violation}`), ...chat.errors);
  await chat.close();
}

async function problemsOf(chat: Chat, look: Look, theme: Theme, rules: 'none' | 'all' | 'colors'): Promise<string[]> {
  const found = (await chat.hasHorizontalScroll()) ? ['something is wider than the page'] : [];
  if (rules === 'none') return found;
  // Themes change colors alone: the page is the same one, so that all other rules would find the same again.
  const problems = await chat.accessibilityProblems(rules === 'all' ? undefined : ['color-contrast']);
  found.push(...problems.filter((problem) => look.isOfTheme?.(problem, theme) !== true));
  if (theme === 'highContrast') found.push(...(await lowContrast(chat.page, 4.5)));
  return found;
}
