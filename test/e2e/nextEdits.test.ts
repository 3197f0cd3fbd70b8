import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { until } from '../integration/poll';
import { inRoot } from '../root.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import { scenes } from './harness';

const folder = mkdtempSync(join(tmpdir(), 'parley-next-edits-'));
const log = join(folder, 'messages.ndjson');
after(() => rmSync(folder, { recursive: true, force: true }));

const lines = Array.from({ length: 120 }, (_, at) => `.line${at} { margin: ${at}px; }`);
const css = ['.card { color:  }', ...lines, '.card:hover { color: blue; }', ''].join('\n');
const last = lines.length + 1;
const at = (line: number, character: number) => ({ line, character });
const range = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });

const lineBreak = '\n';
const rules = [
  {
    when: '[.]other . [}]\\n\\|',
    suggestions: [
      {
        kind: 'edit',
        id: 'lines',
        edits: [{ range: range(0, 9, 10), newText: ['', '  margin: 0;', '  padding: 0;', ''].join(lineBreak) }],
      },
    ],
  },
  { when: 'panel:hover . color: darkred\\|', suggestions: [{ kind: 'jump', id: 'jump', position: at(60, 3) }] },
  {
    when: 'color: r\\|',
    suggestions: [{ kind: 'edit', id: 'atCursor', edits: [{ range: range(0, 16, 16), newText: 'ed;' }] }],
  },
  {
    when: 'color: red;\\|.*hover . color: blue',
    suggestions: [{ kind: 'edit', id: 'far', edits: [{ range: range(last, 21, 25), newText: 'darkred' }] }],
  },
  {
    when: 'hover . color: darkred\\|',
    suggestions: [{ kind: 'rename', id: 'rename', position: at(last, 2), newName: '.panel' }],
  },
];

const agents = {
  Foresight: {
    command: process.execPath,
    args: [inRoot('test', 'fixtures', 'agents', 'nextEdits.mjs'), JSON.stringify(rules), log],
  },
};
/** Without the list of completions, whose selected item decides what grey text there is. */
const settings = {
  'parley.nextEditSuggestions.enabled': true,
  'editor.minimap.enabled': false,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
};
const files = { 'card.css': css, 'other.css': '.other { }\n', '.env': 'KEY=secret\n' };

interface Noted {
  readonly method: string;
  readonly id?: string;
  readonly uri?: string;
  readonly [key: string]: unknown;
}

function noted(): readonly Noted[] {
  if (!existsSync(log)) return [];
  const text = readFileSync(log, 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Noted);
}

const has = (method: string, id?: string) =>
  until(() => Promise.resolve(noted().some((one) => one.method === method && (id === undefined || one.id === id))));

const inEditor = ({ page }: Workbench, text: string) =>
  page.locator('.editor-instance .view-line', { hasText: text }).first();

scenes(
  { agents, files, settings },
  {
    'suggestions at the cursor are grey text, and those elsewhere are shown, reached, and accepted by key': async ({
      workbench,
      chat,
      openChat,
      screenshot,
    }) => {
      const { page } = workbench;
      await openChat();
      await workbench.openFile('.env');
      await chat.send('Begin');
      await chat.untilIdle();
      await has('nes/start');
      await workbench.openFile('card.css');
      await until(() =>
        Promise.resolve(noted().some(({ method, uri }) => method === 'document/didOpen' && uri?.endsWith('card.css'))),
      );
      const secret = noted().filter((one) => JSON.stringify(one).includes('.env'));
      assert.deepEqual(secret, [], 'Files with secrets are not sent.');

      // At the cursor: the editor's own grey text, and Tab.
      await inEditor(workbench, '.card { color').click();
      await page.keyboard.press('Control+Home');
      for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.type('r');
      await page.locator('.view-line [class*="ghost-text"]').first().waitFor();
      await screenshot('next edit at the cursor');
      await page.keyboard.press('Tab');
      await has('nes/accept', 'atCursor');
      await inEditor(workbench, 'color: red; }').waitFor();

      // Elsewhere: a hint at the cursor and in the status bar; the key goes there and then applies it.
      const status = page.locator('.statusbar-item', { hasText: `Next edit: line ${last + 1}` });
      await status.waitFor();
      await screenshot('next edit out of view');
      await page.keyboard.press('Shift+Alt+E');
      await inEditor(workbench, '.card:hover').waitFor();
      await screenshot('next edit in view');
      const before = noted();
      assert.ok(!before.some(({ method, id }) => method === 'nes/accept' && id === 'far'));
      await page.keyboard.press('Shift+Alt+E');
      await has('nes/accept', 'far');
      await inEditor(workbench, '.card:hover { color: darkred; }').waitFor();
      // The editor may also ask for more, or refuse what it was offered, in between.
      const since = noted().slice(before.length);
      const change = since.findIndex(({ method }) => method === 'document/didChange');
      const acceptance = since.findIndex(({ method, id }) => method === 'nes/accept' && id === 'far');
      const order = since.map(({ method, id }) => [method, id].join(' ')).join(', ');
      assert.ok(change !== -1 && change < acceptance, `The agent knows the change before its acceptance: ${order}`);

      // A rename is carried out by the language.
      await page.locator('.statusbar-item', { hasText: 'Next edit: rename to .panel' }).waitFor();
      await screenshot('next edit that renames');
      await page.keyboard.press('Shift+Alt+E');
      await has('nes/accept', 'rename');
      await inEditor(workbench, '.panel:hover { color: darkred; }').waitFor();

      // A jump only moves the cursor.
      await page.locator('.statusbar-item', { hasText: 'Next edit: line 61' }).waitFor();
      await page.keyboard.press('Shift+Alt+E');
      await has('nes/accept', 'jump');
      await page.locator('.statusbar-item', { hasText: 'Ln 61, Col 4' }).waitFor();
      await page.keyboard.press('Control+S');
      await has('document/didSave');
    },

    'a hover shows all of a suggestion, and dismisses it': async ({ workbench, chat, openChat, screenshot }) => {
      const { page } = workbench;
      rmSync(log, { force: true });
      await openChat();
      await chat.send('Begin');
      await chat.untilIdle();
      await has('nes/start');
      await workbench.openFile('other.css');
      await inEditor(workbench, '.other').click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.locator('.statusbar-item', { hasText: 'Next edit: line 1' }).waitFor();
      await workbench.setTheme('high-contrast');
      await inEditor(workbench, '.other').locator('span span', { hasText: '}' }).last().hover();
      const hover = page.locator('.monaco-hover', { hasText: 'Suggested by Foresight' }).first();
      await hover.getByText('margin: 0;').waitFor();
      await screenshot('next edit in a hover, high contrast');
      await hover.getByRole('link', { name: 'Dismiss' }).click();
      await has('nes/reject', 'lines');
      assert.equal(noted().find(({ method }) => method === 'nes/reject')?.['reason'], 'rejected');
      await workbench.setTheme('light');
      await page.locator('.statusbar-item', { hasText: 'Next edit' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+S');
    },
  },
);
