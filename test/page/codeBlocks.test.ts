import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

const text = `The limit is in \`src/limits.ts:12\`, see also src/a.ts:3-9 and (docs/no.md).

\`\`\`ts title="src/limits.ts"
export const limit = 5;
\`\`\`

Then run:

\`\`\`bash
npm test
\`\`\`

- in a list:
  \`\`\`ts src/b.ts
  const b = 1;
  \`\`\`
`;

async function open(options?: ChatOptions, markdown = text): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, markdown);
  return chat;
}

async function show(chat: Chat, markdown = text): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'Go'), agentMessage('m', markdown)]));
}

async function answerPaths(chat: Chat, files: readonly string[]): Promise<void> {
  const asked = (await chat.posted('findPaths')).flatMap(({ paths }) => paths);
  const found = asked.filter((path) => files.includes(path)).map((path) => ({ path, file: `/work/${path}` }));
  await chat.receive({ type: 'foundPaths', session: sessionA, asked, found });
}

test('turns paths of files into links that open at their lines', async () => {
  const chat = await open();
  const links = chat.page.locator('.pl-md a[data-path]');
  await chat.posted('findPaths');
  assert.equal(await links.count(), 0);
  await answerPaths(chat, ['src/limits.ts', 'src/a.ts']);
  assert.deepEqual(await links.allInnerTexts(), ['src/limits.ts:12', 'src/a.ts:3-9']);
  assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute('title'))), [
    '/work/src/limits.ts:12',
    '/work/src/a.ts:3–9',
  ]);
  await links.first().click();
  await links.last().focus();
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await chat.posted('openLocation'), [
    { type: 'openLocation', session: sessionA, path: '/work/src/limits.ts', line: 12 },
    { type: 'openLocation', session: sessionA, path: '/work/src/a.ts', line: 3, endLine: 9 },
  ]);
  const asked = (await chat.posted('findPaths')).flatMap(({ paths }) => paths);
  assert.deepEqual(asked, ['src/limits.ts', 'src/a.ts', 'docs/no.md']);
  await chat.close();
});

test('turns a path into a link when its file appears later', async () => {
  const chat = await open();
  await answerPaths(chat, ['src/a.ts']);
  await chat.receive({ type: 'filesAppeared', names: ['other.md'] });
  await chat.receive({ type: 'filesAppeared', names: ['no.md'] });
  await chat.page.waitForFunction(() => window.fakeHost.posted.filter(({ type }) => type === 'findPaths').length === 2);
  assert.deepEqual((await chat.posted('findPaths'))[1]?.paths, ['docs/no.md']);
  await chat.receive({
    type: 'foundPaths',
    session: sessionA,
    asked: ['docs/no.md'],
    found: [{ path: 'docs/no.md', file: '/work/docs/no.md' }],
  });
  await chat.page.getByRole('link', { name: 'docs/no.md' }).waitFor();
  await chat.close();
});

test('waits for all paths of a text, so that no answer interferes', async () => {
  const chat = await open();
  await answerPaths(chat, ['src/a.ts']);
  await chat.apply(sessionA, 0, [
    { op: 'insert', entry: agentMessage('n', 'From src/a.ts:1 to lib/late.ts:2 and src/a.ts.') },
  ]);
  await chat.page.waitForFunction(() => window.fakeHost.posted.filter(({ type }) => type === 'findPaths').length === 2);
  const message = chat.page.getByRole('article', { name: 'Claude' }).last();
  assert.equal(await message.getByRole('link').count(), 0);
  await answerPaths(chat, ['src/a.ts', 'lib/late.ts']);
  assert.deepEqual(await message.getByRole('link').allInnerTexts(), ['src/a.ts:1', 'lib/late.ts:2', 'src/a.ts']);
  assert.equal(await message.innerText(), 'From src/a.ts:1 to lib/late.ts:2 and src/a.ts.');
  await chat.close();
});

test('applies, saves, and runs code with its info and preceding paths', async () => {
  const chat = await open();
  const [first, second, third] = await chat.page.locator('.pl-code').all();
  assert.ok(first && second && third);
  assert.equal(await first.getByRole('button', { name: 'Run in terminal…' }).count(), 0);
  await first.getByRole('button', { name: 'Apply to file…' }).click();
  await second.getByRole('button', { name: 'Run in terminal…' }).click();
  await third.getByRole('button', { name: 'Create file…' }).click();
  const used = await chat.posted('useCode');
  assert.deepEqual(
    used.map(({ action, text: code, info }) => [action, code, info]),
    [
      ['apply', 'export const limit = 5;', 'ts title="src/limits.ts"'],
      ['run', 'npm test', 'bash'],
      ['create', 'const b = 1;', 'ts src/b.ts'],
    ],
  );
  assert.deepEqual(used[0]?.hints, ['docs/no.md', 'src/a.ts', 'src/limits.ts']);
  assert.deepEqual(used[1]?.hints, []);
  await chat.close();
});

test('offers only copying while code is being written', async () => {
  const chat = await open({}, 'Look:\n\n```ts\nconst a = 1;\n');
  const names = () =>
    chat.page
      .locator('.pl-code .ib')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label')));
  await chat.page.locator('.pl-code').hover();
  const whole = await names();
  assert.ok(whole.includes('Apply to file…'));
  await chat.showSession(
    sessionA,
    snapshot({ activity: { state: 'running', since: Date.now() } }, [
      agentMessage('m', 'Look:\n\n```ts\nconst a = 1;\n'),
    ]),
  );
  assert.deepEqual(await names(), ['Copy']);
  await chat.apply(sessionA, 0, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text: '```\n' }]);
  assert.ok((await names()).includes('Apply to file…'));
  await chat.close();
});

test('moves actions into a menu on a narrow page', async () => {
  const chat = await open({ width: 290 });
  const block = chat.page.locator('.pl-code').first();
  const more = block.getByRole('button', { name: 'More actions for this code' });
  assert.equal(await block.getByRole('button', { name: 'Apply to file…' }).isVisible(), false);
  assert.equal(await block.getByRole('button', { name: 'Insert at cursor' }).isVisible(), true);
  await more.focus();
  await chat.page.keyboard.press('Enter');
  const items = chat.page.getByRole('menuitem');
  assert.deepEqual(await items.allInnerTexts(), ['Apply to file…', 'Create file…']);
  await chat.page.keyboard.press('ArrowDown');
  assert.equal(await items.nth(1).evaluate((item) => item === document.activeElement), true);
  await chat.page.keyboard.press('Escape');
  assert.equal(await items.count(), 0);
  assert.equal(await more.evaluate((button) => button === document.activeElement), true);
  await more.click();
  await items.filter({ hasText: 'Create file…' }).click();
  assert.equal((await chat.posted('useCode'))[0]?.action, 'create');
  await more.click();
  await chat.message.click();
  assert.equal(await items.count(), 0);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'code-actions',
    widths: [290, 1200],
    reach: async (chat) => {
      await show(chat);
      await answerPaths(chat, ['src/limits.ts', 'src/a.ts']);
    },
    again: async (chat) => {
      await chat.page.locator('.pl-code').first().hover();
    },
  },
  {
    name: 'code-menu',
    widths: [290],
    reach: (chat) => show(chat),
    again: async (chat) => {
      const more = chat.page.getByRole('button', { name: 'More actions for this code' }).first();
      if ((await more.isVisible()) && (await chat.page.getByRole('menu').count()) === 0) await more.click();
    },
  },
]);
