import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { inRoot } from '../root.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import { until } from './poll';
import { waitingChanges } from './reviewParts';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const numbered = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);

/** Resolves once this many lenses are shown. */
async function count(workbench: Workbench, name: string, wanted: number): Promise<void> {
  if (wanted > 0)
    await workbench
      .lens(name)
      .nth(wanted - 1)
      .waitFor();
  await workbench.lens(name).nth(wanted).waitFor({ state: 'detached' });
}

/** A line of a visible editor. */
const line = (within: Locator, text: string | RegExp) =>
  within.locator('.view-line:visible', { hasText: text }).first();

/** Everything that extensions have colored or added inside visible editors. */
const decorations = (within: Locator) => within.locator('[class*="TextEditorDecorationType"]:visible');

/** A line's text, a text that is shown beside it, and how that is decorated. */
type Beside = readonly [line: string, text: string, decoration: string];

/** Resolves once the editor shows exactly these texts beside its lines. They are content of styles, not of elements. */
async function untilBeside(editor: Locator, wanted: readonly Beside[]): Promise<void> {
  const now = async () =>
    JSON.stringify((await editor.locator('.view-line:visible').evaluateAll(textsBeside)).sort(byLine));
  await until(async () => (await now()) === JSON.stringify(wanted), now);
}

/** Lines are drawn in any order. */
const byLine = ([a]: Beside, [b]: Beside) => Number(/\d+/.exec(a) ?? 3) - Number(/\d+/.exec(b) ?? 3);

function textsBeside(lines: readonly Element[]): Beside[] {
  return lines.flatMap((line) =>
    [...line.querySelectorAll('span')].flatMap((part) =>
      ['::before', '::after'].flatMap((side) => {
        const { content, textDecorationLine } = getComputedStyle(part, side);
        if (!content.startsWith('"') || content === '""') return [];
        const text = content.slice(1, -1).replace(/\\(.)/g, '$1');
        return [[line.textContent.replace(/\u00a0/g, ' '), text, textDecorationLine] as const];
      }),
    ),
  );
}

/** Resolves once a file has this text. */
async function untilText(path: string, text: string): Promise<void> {
  const now = () => readFile(path, 'utf8');
  await until(
    async () => (await now()) === text,
    async () => `The file is: ${await now()}`,
  );
}

scene(
  "keeps and undoes changes in Git's peek and counts files once",
  // After a crash of the extension host, as in a scene before, VS Code draws no change bars in that window.
  { agents, files: { 'a.txt': numbered, '.gitignore': '*.log\n' }, fresh: true },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const path = join(folder, 'a.txt');
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'one');
    const mine = numbered.replace('line 25\n', 'my line\n');
    await writeFile(path, mine);
    const badge = waitingChanges(workbench);
    await badge.filter({ hasText: /^1$/ }).waitFor();
    await openChat();
    const removed = mine.replace('line 10\nline 11\nline 12\nline 13\n', '');
    const written = removed.replace('line 3\n', 'line three\n');
    const others = ['new.txt', 'ignored.log'].map((name) => ({ write: join(folder, name), text: 'new\n' }));
    await chat.submit(JSON.stringify([{ write: path, text: written }, ...others]));
    await chat.untilIdle();
    // Git counts a.txt and new.txt, which are not counted again.
    await badge.filter({ hasText: /^3$/ }).waitFor();
    await workbench.runCommand('Source Control: Focus on Changes View');
    const rows = page.locator('.scm-view .monaco-list-row');
    await rows.filter({ hasText: /^Parley/ }).waitFor();
    assert.equal(await rows.filter({ hasText: 'Agent Changes' }).count(), 1);

    await workbench.openFile('a.txt');
    const editor = page.locator('.part.editor');
    await count(workbench, 'Keep', 2);
    const peek = page.locator('.peekview-widget:visible');
    const button = (name: string) => peek.locator(`.action-label[aria-label^="${name}"]`);
    const openPeek = async (text: string) => {
      await line(editor, text).click();
      await page.keyboard.press('Alt+F3');
      // The peek of Git, not ours.
      await button('Revert Change').waitFor();
    };

    // Nobody's change but the user's.
    await openPeek('my line');
    await button('Undo Agent Change').click();
    // Looked for without the palette, because the peek gives its focus back to the editor at this moment.
    const told = page.locator('.notification-toast:visible', { hasText: 'No agent changed these lines.' });
    await told.first().waitFor();
    await openPeek('my line');
    await button('Keep Agent Change').click();
    await peek.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Home');
    await count(workbench, 'Keep', 2);
    assert.equal(await readFile(path, 'utf8'), written);

    // The first change is last, because the peek moves on when one before it goes.
    await openPeek('line 9');
    await peek.getByText('2 of 3 changes').waitFor();
    await button('Undo Agent Change').click();
    await peek.waitFor({ state: 'detached' });
    await count(workbench, 'Keep', 1);
    await untilText(path, mine.replace('line 3\n', 'line three\n'));

    await openPeek('line three');
    await screenshot('git-peek');
    const iconOf = async (name: string) =>
      /codicon-[a-z-]+/.exec((await button(name).getAttribute('class')) ?? '')?.[0];
    assert.notEqual(await iconOf('Undo Agent Change'), await iconOf('Revert Change'));
    await button('Keep Agent Change').click();
    await peek.waitFor({ state: 'detached' });
    await count(workbench, 'Keep', 0);
    assert.equal(await readFile(path, 'utf8'), mine.replace('line 3\n', 'line three\n'));

    await workbench.runCommand('Git: Close Repository');
    await badge.filter({ hasText: /^2$/ }).waitFor();
    await rm(join(folder, '.git'), { recursive: true });
  },
);

scene(
  'shows removed lines without changing the colors of diffs',
  {
    agents,
    files: { 'a.txt': numbered.replace('line 10\n', '\tline\u202e 10\n') },
    viewport: { width: 1800, height: 900 },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const path = join(folder, 'a.txt');
    const before = await readFile(path, 'utf8');
    await openChat();
    const written = before
      .replace('line 3\n', 'line three\n')
      .replace(/\tline.* 10\nline 11\nline 12\nline 13\n/, '')
      .replace('line 20\n', '  line 20\n')
      .replace('line 25\n', 'line 25\nand more\n');
    await chat.submit(JSON.stringify([{ write: path, text: written }]));
    await chat.untilIdle();
    await workbench.openFile('a.txt');
    await count(workbench, 'Keep', 4);
    const editor = page.locator('.part.editor');
    await untilBeside(editor, [
      ['line three', '3', 'line-through'],
      ['line 9', 'line\\u{202e} 10', 'line-through'],
      ['line 9', ' and 3 more', 'none'],
    ]);
    for (const theme of ['dark', 'high-contrast', 'high-contrast-light', 'light'] as const) {
      await workbench.setTheme(theme);
      await screenshot(`removed-lines-${theme}`);
    }
    // Without change bars, the lens opens the file's diff instead of the peek.
    await editor.locator('.dirty-diff-glyph').first().waitFor();
    await workbench.lens('4 lines removed').click();
    const peek = page.locator('.peekview-widget:visible');
    await line(peek, /line\s13/).waitFor();
    assert.equal(await decorations(peek).count(), 0);
    await peek.locator('.action-label.codicon-close').click();
    await peek.waitFor({ state: 'detached' });

    // The same file in an editor and in a diff beside it.
    await workbench.runCommand('View: Split Editor Right');
    const groups = editor.locator('.editor-group-container:visible');
    await groups.nth(1).waitFor();
    await groups.nth(1).locator('.title [aria-label^="Compare with Last Kept Version"]').click();
    const diff = groups.nth(1).locator('.monaco-diff-editor');
    await line(diff.locator('.modified'), 'line three').waitFor();
    await line(diff.locator('.modified'), 'line three').click();
    await workbench.runCommand('Parley: Keep Change');
    await count(workbench, 'Keep', 3);
    await decorations(groups.first()).first().waitFor();
    await screenshot('editor-beside-diff');
    assert.equal(await decorations(diff).count(), 0);
    assert.equal(await readFile(path, 'utf8'), written);
  },
);

scene(
  'keeps and undoes changes, files, and all in the multi-file diff',
  { agents, files: { 'a.txt': numbered, 'b.txt': 'one\n', 'c.txt': 'one\n', 'd.txt': 'one\n' } },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const [a, b, c] = [join(folder, 'a.txt'), join(folder, 'b.txt'), join(folder, 'c.txt')];
    await openChat();
    const written = numbered.replace('line 3\n', 'line three\n').replace('line 13\n', '').replace('line 23\n', 'X\n');
    const others = ['b.txt', 'c.txt', 'd.txt'].map((name) => ({ write: join(folder, name), text: `two ${name}\n` }));
    await chat.submit(JSON.stringify([{ write: a, text: written }, ...others]));
    await chat.untilIdle();
    const badge = waitingChanges(workbench);
    await badge.filter({ hasText: /^4$/ }).waitFor();
    await workbench.runCommand('Parley: Open Changes as Multi-File Diff');
    const editor = page.locator('.part.editor');
    const modified = editor.locator('.modified');
    await line(modified, 'line three').click();
    assert.equal(await decorations(editor).count(), 0);

    // At the cursor: by the palette, by the hover, and by a lens.
    await workbench.runCommand('Parley: Undo Change');
    await untilText(a, written.replace('line three\n', 'line 3\n'));
    // The next change, of which only the removed line is in the diff.
    await page.locator('.statusbar-item', { hasText: 'Ln 13, Col 1' }).waitFor();
    await line(modified, /^X$/).click();
    await workbench.runCommand('Show or Focus Hover');
    const hover = page.locator('.monaco-hover:visible');
    await hover.getByText('line 23').first().waitFor();
    await screenshot('review-changes-hover');
    await hover.locator('a', { hasText: 'Undo' }).first().click();
    await untilText(a, numbered.replace('line 13\n', ''));
    assert.equal(await workbench.lens('Keep').count(), 0);
    await editor.locator('.title [aria-label^="Show Keep and Undo in Diffs"]').click();
    await workbench.lens('1 line removed').first().waitFor();
    await screenshot('review-changes-lenses');
    await workbench.lens('Keep', editor.locator('.multiDiffEntry', { hasText: 'a.txt' })).click();
    await badge.filter({ hasText: /^3$/ }).waitFor();
    await workbench.runCommand('Parley: Hide Keep and Undo in Diffs');
    await count(workbench, 'Keep', 0);

    await line(modified, 'two b.txt').click();
    await workbench.runCommand('Parley: Undo File');
    await untilText(b, 'one\n');
    await editor.locator('.title [aria-label^="Keep All Changes"]').click();
    await badge.waitFor({ state: 'hidden' });
    assert.equal(await readFile(c, 'utf8'), 'two c.txt\n');
  },
);

scene(
  'leaves the code in place when changes are decided',
  { agents, files: { 'a.txt': numbered } },
  async ({ workbench, chat, openChat }) => {
    const { page, folder } = workbench;
    const editor = page.locator('.part.editor');
    /** A row without buttons. */
    const row = (text: string) => editor.locator('.codelens-decoration:visible', { hasText: new RegExp(`^${text}$`) });
    const topOf = async (text: string) => (await line(editor, new RegExp(`^${text}$`)).boundingBox())?.y;
    await openChat();
    await workbench.openFile('a.txt');
    await line(editor, /^line\s20$/).waitFor();
    const tops = async () => [await topOf('line\\s1'), await topOf('line\\s20')];
    const before = await tops();
    const written = numbered.replace('line 5\n', 'line five\n').replace('line 10\n', 'line ten\n');
    await chat.submit(JSON.stringify([{ write: join(folder, 'a.txt'), text: written }]));
    await chat.untilIdle();
    await count(workbench, 'Keep', 2);
    const waiting = await tops();
    await workbench.lens('Keep').first().click();
    await row('Kept').waitFor();
    await count(workbench, 'Keep', 1);
    assert.deepEqual(await tops(), waiting);
    await workbench.lens('Undo').click();
    await row('Undone').waitFor();
    await line(editor, /^line\s10$/).waitFor();
    assert.deepEqual(await tops(), waiting);
    await workbench.runCommand('View: Close Editor');
    await workbench.openFile('a.txt');
    await row('Kept').waitFor({ state: 'detached' });
    // The editor first shows the rows that it remembers.
    await until(
      async () => isDeepStrictEqual(await tops(), before),
      async () => JSON.stringify([await tops(), before]),
    );
  },
);
