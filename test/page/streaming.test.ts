import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import { useBrowser } from './chat';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();
const finished = [
  '# What I found',
  'A first paragraph with `code` and a [link](https://example.com/).',
  '- one\n- two\n  - below two',
  '| Case | After |\n|---|---|\n| a | b |',
  '> A quotation',
  '```ts\nconst first = 1;\n```',
].join('\n\n');

declare global {
  interface Window {
    /** Finished blocks, and what was changed in them since. */
    watched: { readonly blocks: readonly Element[]; readonly changes: string[] };
  }
}

test('keeps finished blocks of a message untouched while text streams in', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const running = { activity: { state: 'running', since: Date.now() } } as const;
  const start = `${finished}\n\nOne more paragraph.\n\nThe paragraph that `;
  await chat.showSession(sessionA, snapshot(running, [userMessage('u', 'Go'), agentMessage('m', start)]));
  // Colours come later, once; after them nothing is left to be done to a block.
  await chat.page.waitForSelector('.pl-code [class^=tk-]');
  await chat.page.evaluate(() => {
    const blocks = [...document.querySelectorAll('.pl-md-group:not(.live) > *')];
    const changes: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { type, target } of records) changes.push(`${type} in ${target.nodeName}: ${target.textContent}`);
    });
    const deep = { subtree: true, childList: true, characterData: true, attributes: true };
    for (const block of blocks) observer.observe(block, deep);
    window.watched = { blocks, changes };
    const paragraph = document.querySelector('.pl-md-group:not(.live) p');
    if (paragraph) document.getSelection()?.selectAllChildren(paragraph);
  });
  const selected = () => chat.page.evaluate(() => document.getSelection()?.toString());
  const selection = await selected();
  assert.match(selection ?? '', /^A first paragraph/);
  const more = [
    'is not finished ',
    'goes on.\n\n',
    'Another one\n',
    '\n- a ',
    'list\n- of two\n\n',
    '```js\nlet a',
    ' = 1;\n',
    '```\n\nEnd',
  ];
  for (const [at, text] of more.entries()) {
    await chat.apply(sessionA, at, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text }]);
  }
  const shown = await chat.page.evaluate(() => {
    const { blocks, changes } = window.watched;
    const now = [...document.querySelectorAll('.pl-md-group > *')];
    return {
      names: blocks.map(({ tagName }) => tagName),
      same: blocks.map((one, at) => now[at] === one),
      all: now.length,
      changes,
    };
  });
  assert.ok(shown.names.length >= 6, shown.names.join(' '));
  assert.deepEqual(
    shown.same,
    shown.names.map(() => true),
  );
  assert.deepEqual(shown.changes, []);
  assert.ok(shown.all > shown.names.length + 3, `${shown.all} blocks after the text`);
  assert.equal(await selected(), selection, 'what is selected in them stays selected');
  await chat.close();
});

test('marks the feed as busy before rendering a turn', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'Go')]));
  await chat.page.getByRole('feed').evaluate((feed) => {
    const observer = new MutationObserver(() => {
      if (feed.textContent.includes('An answer')) feed.dataset['busyWhenDrawn'] ??= feed.ariaBusy ?? '';
    });
    observer.observe(feed, { subtree: true, childList: true, characterData: true });
  });
  await chat.apply(sessionA, 0, [
    { op: 'view', fields: { activity: { state: 'running', since: Date.now() } } },
    { op: 'insert', entry: agentMessage('m', 'An answer') },
  ]);
  assert.equal(await chat.page.getByRole('feed').getAttribute('data-busy-when-drawn'), 'true');
  await chat.close();
});
