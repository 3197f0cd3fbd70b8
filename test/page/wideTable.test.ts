import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat } from './chat';
import { decodePng } from './png';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

const row = (cell: string) => `| ${Array.from({ length: 12 }, () => cell).join(' | ')} |`;
const wide = [row('A heading'), row('---'), row('&nbsp;')].join('\n');

/** How bright the table is at both edges, in the empty cells. */
async function edges(chat: Chat): Promise<{ left: number; right: number }> {
  const picture = decodePng(await chat.page.locator('.pl-table').screenshot());
  const y = Math.round(picture.height * 0.75);
  const at = (x: number) => picture.pixels.subarray((y * picture.width + x) * 3).at(0) ?? 0;
  return { left: at(1), right: at(picture.width - 2) };
}

test('a wide table has a shadow at the edge that hides more', async () => {
  const chat = await browser.open({ width: 420, theme: 'light' });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'Go'), agentMessage('m', wide)]));
  const table = chat.page.locator('.pl-table');
  await table.waitFor();
  const start = await edges(chat);
  assert.ok(start.right < start.left, `no shadow at the right: ${JSON.stringify(start)}`);
  await table.evaluate((element) => (element.scrollLeft = element.scrollWidth));
  const end = await edges(chat);
  assert.ok(end.left < end.right, `no shadow at the left: ${JSON.stringify(end)}`);
  assert.equal(start.left, end.right);
  await chat.close();
});
