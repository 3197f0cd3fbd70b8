import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../src/shared/values/ids';
import { useBrowser } from './chat';
import { agentMessage, pageWithSession, sessionA, snapshot } from './samples';
const browser = useBrowser();
test('keeps a selection in a paragraph that ends', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot({ activity: { state: 'running', since: Date.now() } }, [agentMessage('m', 'Some words here')]),
  );
  await chat.still();
  await chat.page.evaluate(() => {
    const text = document.querySelector('.pl-md p')!.firstChild!;
    document.getSelection()!.setBaseAndExtent(text, 5, text, 10);
  });
  await chat.apply(sessionA, 0, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text: ' now.\n\nNext' }]);
  await chat.still();
  assert.equal(await chat.page.evaluate(() => String(document.getSelection())), 'words');
  await chat.close();
});
