import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import { useBrowser, type Chat } from './chat';
import { asked, form } from './elicitationSamples';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

/** A chat whose clock stands still; a request appears in it when the test says so. */
async function open() {
  const chat = await browser.open({ width: 420, ownWindow: true });
  await chat.showPage(pageWithSession());
  const activity = { state: 'requires_action', since: 1 } as const;
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Go'), agentMessage('m', 'I begin.')]));
  await chat.message.focus();
  const { clock } = chat.page;
  await clock.install();
  await clock.pauseAt(Date.now() + 60_000);
  const request = chat.page.locator('.pl-perm');
  let rev = 0;
  return {
    chat,
    request,
    pass: (ms: number) => clock.runFor(ms),
    appear: async () => {
      const drawn = chat.apply(sessionA, rev++, [{ op: 'insert', entry: asking('t') }]);
      await clock.runFor(20);
      await drawn;
      await request.waitFor();
    },
    apply: async (op: Parameters<Chat['apply']>[2][number]) => {
      const drawn = chat.apply(sessionA, rev++, [op]);
      await clock.runFor(20);
      await drawn;
    },
  };
}

const answers = async (chat: Chat) =>
  (await chat.allPosted()).flatMap((posted) => (posted.type === 'answerPermission' ? [posted.optionId] : []));

test('a key pressed before a request is ready counts in a moment', async () => {
  const { chat, request, pass, appear } = await open();
  await appear();
  await pass(250);
  await chat.page.keyboard.press('Control+Enter');
  await pass(20);
  assert.deepEqual(await answers(chat), []);
  assert.equal(await request.locator('.wait').innerText(), 'allows in a moment');
  assert.equal(await request.locator('.btn.held').count(), 1);
  await pass(300);
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('the key that allows counts right after a message was sent', async () => {
  const { chat, request, pass, appear } = await open();
  await chat.message.fill('Go on');
  await chat.page.keyboard.press('Enter');
  await appear();
  await pass(500);
  await request.and(chat.page.locator('[data-ready]')).waitFor();
  await chat.page.keyboard.press('Control+Enter');
  await pass(20);
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('Escape takes back a press that hasn’t counted yet', async () => {
  const { chat, request, pass, appear } = await open();
  await appear();
  await pass(250);
  await chat.page.keyboard.press('Control+Enter');
  await chat.page.keyboard.press('Escape');
  await pass(500);
  await request.and(chat.page.locator('[data-ready]')).waitFor();
  assert.deepEqual(await answers(chat), []);
  const stops = (await chat.allPosted()).filter(({ type }) => type === 'cancelTurn');
  assert.deepEqual(stops, [], 'It took back the press, and stopped nothing.');
  await chat.close();
});

test('a press that comes sooner than anybody reads answers nothing', async () => {
  const { chat, request, pass, appear } = await open();
  await appear();
  await chat.page.keyboard.press('Control+Enter');
  assert.match((await chat.page.locator('.sr[aria-live]').allInnerTexts()).join(), /Read it, and press again/);
  await pass(600);
  await request.and(chat.page.locator('[data-ready]')).waitFor();
  assert.deepEqual(await answers(chat), []);
  await chat.page.keyboard.press('Control+Enter');
  await pass(20);
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('keys don’t wait anew when a request moves', async () => {
  const { chat, request, pass, appear, apply } = await open();
  await appear();
  await pass(500);
  await request.and(chat.page.locator('[data-ready]')).waitFor();
  const before = await request.boundingBox();
  await apply({ op: 'appendText', id: 'm' as EntryId, block: 0, text: '\n\nAnd more.\n\nAnd more.' });
  await pass(20);
  assert.notDeepEqual(await request.boundingBox(), before);
  await chat.page.keyboard.press('Control+Enter');
  await pass(20);
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('a click on what has just come under the pointer doesn’t count', async () => {
  const { chat, request, pass, appear, apply } = await open();
  await appear();
  await pass(500);
  const allow = request.getByRole('button', { name: 'Allow', exact: true });
  const box = await allow.boundingBox();
  assert.ok(box);
  const { mouse } = chat.page;
  await mouse.move(box.x + 10, box.y + 10);
  await apply({ op: 'appendText', id: 'm' as EntryId, block: 0, text: '\n\nAnd' });
  await pass(20);
  const moved = await allow.boundingBox();
  assert.ok(moved && moved.y > box.y);
  await mouse.move(moved.x + 12, moved.y + 10);
  await mouse.down();
  await mouse.up();
  await pass(20);
  assert.deepEqual(await answers(chat), []);
  await pass(600);
  await mouse.down();
  await mouse.up();
  await pass(20);
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('a form takes no answer in its first half second', async () => {
  const { chat, pass, apply } = await open();
  await apply({ op: 'insert', entry: asked('e', form([])) });
  const decline = chat.page.locator('.pl-ask').getByRole('button', { name: 'Decline' });
  await decline.waitFor();
  const posted = async () => (await chat.allPosted()).filter(({ type }) => type === 'answerElicitation').length;
  await decline.dispatchEvent('click');
  await pass(100);
  assert.equal(await posted(), 0);
  await pass(500);
  await decline.dispatchEvent('click');
  await pass(20);
  assert.equal(await posted(), 1);
  await chat.close();
});
