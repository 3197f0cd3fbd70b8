import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ToWebview } from '../../shared/pages/messages';
import type { ChatPage } from '../pages/chatPage';
import { PageNotifier } from './pageNotifier';

const page = undefined as unknown as ChatPage;

/** A page that answers whether it has shown a notification. */
function withPage(isShown: boolean) {
  const posted: ToWebview[] = [];
  const notifier: PageNotifier = new PageNotifier((message) => {
    posted.push(message);
    if (message.type === 'notify') {
      notifier.handlers.notificationShown(page, { type: 'notificationShown', id: message.id, isShown });
    }
    return true;
  });
  return { notifier, posted };
}

it('shows a plain text, reports a click, and is withdrawn', async () => {
  const { notifier, posted } = withPage(true);
  let clicks = 0;
  const shown = await notifier.show({ title: 'Claude is done', body: '<b>\u202Ex' }, () => clicks++);
  const [first] = posted;
  assert.ok(first?.type === 'notify');
  assert.doesNotMatch(first.body, /[<>\u202E]/);
  notifier.handlers.notificationClicked(page, { type: 'notificationClicked', id: first.id });
  assert.equal(clicks, 1);
  shown?.dispose();
  assert.deepEqual(posted.at(-1), { type: 'withdrawNotification', id: first.id });
  notifier.handlers.notificationClicked(page, { type: 'notificationClicked', id: first.id });
  assert.equal(clicks, 1, 'A notification that was withdrawn leads nowhere.');
});

it("can't be shown without a page or by one that lacks permission", async () => {
  const { notifier } = withPage(false);
  assert.equal(await notifier.show({ title: 'a', body: 'b' }, () => undefined), undefined);
  assert.equal(await new PageNotifier(() => false).show({ title: 'a', body: 'b' }, () => undefined), undefined);
});
