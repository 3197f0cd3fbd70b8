import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentBlock } from '../../src/shared/transcript/content';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();
/** 120 by 60 px. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAAA8CAIAAAAiz+n/AAAAk0lEQVR42u3QsQkAIBAEQauzOku0A8HACqzhA4XnBy7d4KatfezDGgLQoA00aNAUQIO208cMDTRo0FYROnoYNGjQoEGDBg0aNGjQoEG/gs5yGDRo0KBB54D+2YIGDRp0VugKLWjQoEGDBg0aNGjQoEHngIYFGrQWNGjQsECD1oIGDRoWaNBa0KBBwwINWgsadLn2Aq45HrL+QtFAAAAAAElFTkSuQmCC';
const image = { type: 'image', mimeType: 'image/png', data: png, uri: 'file:///w/chart.png' } as const;
const hostile = '<img src=x onerror=alert(1)>\n</pre><script>alert(2)</script>';
const said: readonly ContentBlock[] = [
  { type: 'text', text: 'Look at all of this.' },
  { type: 'resource_link', uri: 'file:///w/src/a.ts#L3-L9', name: 'a.ts' },
  { type: 'resource', uri: 'file:///w/src/b.ts#L10-L12', text: hostile },
  { type: 'resource', uri: 'attachment:///pasted/Pasted%20text%2C%2034%20lines', text: 'line 1\nline 2' },
  image,
];

async function open() {
  const chat = await browser.open({});
  await show(chat);
  return chat;
}

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  const mine = { ...userMessage('m1', ''), content: said };
  const answer = { ...agentMessage('a1', ''), content: [{ type: 'text', text: 'Here:' }, image] };
  await chat.showSession(sessionA, snapshot({}, [mine as never, answer as never]));
  await chat.page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Image' }).waitFor();
}

const dialog = (chat: Chat) => chat.page.getByRole('dialog');
const scale = (chat: Chat) => dialog(chat).locator('output').textContent();
const place = (chat: Chat) =>
  dialog(chat)
    .getByRole('img')
    .evaluate((shown) => {
      const { left, top, width } = shown.getBoundingClientRect();
      return { left: Math.round(left), top: Math.round(top), width: Math.round(width) };
    });

test("a sent message's chip shows the current lines and opens them", async () => {
  const chat = await open();
  const chip = chat.button('a.ts:3–9');
  await chip.focus();
  await chip.press('Enter');
  assert.equal((await chat.posted('previewAttachment')).at(-1)?.uri, 'file:///w/src/a.ts#L3-L9');
  await chat.receive({ type: 'attachmentPreview', uri: 'file:///w/other.ts', text: 'another file' });
  await chat.receive({ type: 'attachmentPreview', uri: 'file:///w/src/a.ts#L3-L9', text: 'const a = 1;\n' });
  assert.equal(await dialog(chat).locator('.text').textContent(), 'const a = 1;\n');
  assert.equal(await dialog(chat).getByRole('button', { name: 'Insert as text' }).count(), 0);
  await dialog(chat).press('Escape');
  assert.equal(await chip.evaluate((button) => button === document.activeElement), true);
  await chip.press('Enter');
  await dialog(chat).getByRole('button', { name: 'Open' }).click();
  assert.equal((await chat.posted('openAttachment')).at(-1)?.uri, 'file:///w/src/a.ts#L3-L9');
  assert.equal(await dialog(chat).count(), 0);
  await chat.close();
});

test("shows why a file can't be shown", async () => {
  const chat = await open();
  await chat.button('a.ts:3–9').click();
  const problem = '“a.ts” wasn’t found.';
  await chat.receive({ type: 'attachmentPreview', uri: 'file:///w/src/a.ts#L3-L9', problem });
  await dialog(chat).getByText(problem).waitFor();
  await chat.close();
});

test('shows a text exactly as sent and opens it in an editor', async () => {
  const chat = await open();
  await chat.button('b.ts:10–12').click();
  assert.equal(await dialog(chat).locator('.text').textContent(), hostile);
  assert.equal(await dialog(chat).locator('script, img').count(), 0);
  await dialog(chat).press('Escape');
  await chat.button('Pasted text, 34 lines').click();
  await dialog(chat).getByRole('button', { name: 'Open' }).click();
  const [opened] = await chat.posted('openText');
  assert.equal(opened?.text, 'line 1\nline 2');
  assert.deepEqual(await chat.violations(), []);
  await chat.close();
});

test('opens, zooms, and moves an image by keyboard and restores focus', async () => {
  const chat = await open();
  const mine = chat.page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Image' });
  await mine.focus();
  await mine.press('Enter');
  await dialog(chat).getByText('100%').first().waitFor();
  const start = await place(chat);
  assert.equal(start.width, 120);
  for (let times = 0; times < 8; times++) await chat.page.keyboard.press('+');
  assert.equal(await scale(chat), '596%');
  const large = await place(chat);
  await chat.page.keyboard.press('ArrowRight');
  assert.equal((await place(chat)).left, large.left - 40);
  await chat.page.keyboard.press('-');
  assert.equal(await scale(chat), '477%');
  await chat.page.keyboard.press('0');
  assert.deepEqual(await place(chat), start);
  await dialog(chat).locator('.stage').hover();
  await chat.page.mouse.wheel(0, -300);
  await dialog(chat).getByText('200%').waitFor();
  await chat.page.keyboard.press('1');
  assert.equal(await scale(chat), '100%');
  await chat.page.keyboard.press('Escape');
  assert.equal(await dialog(chat).count(), 0);
  assert.equal(await mine.evaluate((button) => button === document.activeElement), true);
  await chat.close();
});

test("drags an agent's image once it is larger than the page", async () => {
  const chat = await open();
  await chat.page.locator('.pl-prose .pl-zoom').click();
  await dialog(chat).getByText('100%').first().waitFor();
  for (let times = 0; times < 10; times++) await dialog(chat).getByRole('button', { name: 'Zoom in' }).click();
  const before = await place(chat);
  await dialog(chat).locator('.stage').hover();
  await chat.page.mouse.down();
  await chat.page.mouse.move(230, 200);
  await chat.page.mouse.move(180, 200);
  await chat.page.mouse.up();
  const after = await place(chat);
  assert.notEqual(after.left, before.left);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'preview',
    widths: [290, 1200],
    reach: async (chat) => {
      await show(chat);
      await chat.button('b.ts:10–12').click();
    },
  },
  {
    name: 'viewer',
    widths: [290, 1200],
    reach: async (chat) => {
      await show(chat);
      await chat.page.locator('.pl-prose .pl-zoom').click();
      await dialog(chat).getByText('100%').first().waitFor();
    },
  },
]);
