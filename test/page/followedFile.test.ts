import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();
const uri = 'file:///w/src/upload/retry.ts';
const lines = { uri: `${uri}#L10-L24`, name: 'retry.ts' };
const whole = { uri, name: 'retry.ts' };

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  const availableCommands = [{ name: 'compact', description: 'Shorten the context' }];
  await chat.showSession(sessionA, snapshot({ availableCommands }, []));
}

async function openSession(): Promise<Chat> {
  const chat = await browser.open();
  await show(chat);
  return chat;
}

const chip = (chat: Chat, name: string, isOn: boolean) =>
  chat.page.getByRole('button', { name: `Active editor: ${name}`, exact: true, pressed: isOn });

/** Sends a message and returns what went along. */
async function send(chat: Chat, text: string): Promise<readonly unknown[]> {
  await chat.message.fill(text);
  await chat.message.press('Enter');
  return (await chat.posted('sendPrompt')).at(-1)?.attachments ?? [];
}

test('the chip follows the editor and is sent with each message', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'followedFile', file: whole });
  await chip(chat, 'retry.ts', true).waitFor();
  assert.match(
    (await chip(chat, 'retry.ts', true).getAttribute('title')) ?? '',
    /retry\.ts\nSends a link to this file/,
  );
  assert.deepEqual(await send(chat, 'One'), [{ type: 'resource_link', ...whole, linkOnly: true }]);
  await chat.receive({ type: 'followedFile', file: lines });
  await chip(chat, 'retry.ts:10–24', true).waitFor();
  assert.deepEqual(await send(chat, 'Two'), [{ type: 'resource_link', ...lines }]);
  await chat.receive({ type: 'followedFile' });
  assert.equal(await chat.page.getByRole('button', { name: /^Active editor/ }).count(), 0);
  assert.deepEqual(await send(chat, 'Three'), []);
  await chat.close();
});

test('a key turns the chip off and on, even after a reload', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'followedFile', file: lines });
  await chip(chat, 'retry.ts:10–24', true).focus();
  await chat.page.keyboard.press('Enter');
  await chip(chat, 'retry.ts:10–24', false).and(chat.page.locator(':focus')).waitFor();
  assert.equal(
    await chip(chat, 'retry.ts:10–24', false).evaluate((it) => getComputedStyle(it).borderTopStyle),
    'dashed',
  );
  assert.deepEqual(await send(chat, 'One'), []);
  await chat.receive({ type: 'followedFile', file: whole });
  await chip(chat, 'retry.ts', false).waitFor();
  await chat.reload();
  await show(chat);
  await chat.receive({ type: 'followedFile', file: whole });
  await chip(chat, 'retry.ts', false).focus();
  await chat.page.keyboard.press('Space');
  await chip(chat, 'retry.ts', true).waitFor();
  assert.equal((await send(chat, 'Two')).length, 1);
  await chat.close();
});

test('keeps the chip off for sensitive files until the user allows one', async () => {
  const chat = await openSession();
  const secret = { uri: 'file:///w/.env', name: '.env', withheld: 'secret' } as const;
  await chat.receive({ type: 'followedFile', file: secret });
  assert.match((await chip(chat, '.env', false).getAttribute('title')) ?? '', /may contain secrets/);
  assert.deepEqual(await send(chat, 'One'), []);
  await chip(chat, '.env', false).click();
  assert.equal((await send(chat, 'Two')).length, 1);
  await chat.receive({ type: 'followedFile', file: { uri: 'file:///x/a.ts', name: 'a.ts', withheld: 'outside' } });
  await chip(chat, 'a.ts', false).waitFor();
  await chat.receive({ type: 'followedFile', file: whole });
  await chip(chat, 'retry.ts', true).waitFor();
  await chat.close();
});

test('shows no attached file twice and sends a lone command alone', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'followedFile', file: lines });
  await chat.message.fill('/compact');
  await chip(chat, 'retry.ts:10–24', false).waitFor();
  assert.deepEqual(await send(chat, '/compact'), []);
  await chip(chat, 'retry.ts:10–24', true).waitFor();
  const byHand = { type: 'resource_link', ...lines } as const;
  await chat.receive({ type: 'attach', attachments: [byHand] });
  assert.equal(await chat.page.getByRole('button', { name: /^Active editor/ }).count(), 0);
  assert.deepEqual(await send(chat, 'Look'), [byHand]);
  await chat.close();
});

test('adds a request about a problem to the draft, cursor last', async () => {
  const chat = await openSession();
  await chat.message.fill('First this.');
  const attachments = [{ type: 'resource_link', ...lines }] as const;
  await chat.receive({ type: 'addDraft', text: 'Fix this:\n\n> Wrong.\n', attachments });
  assert.equal(await chat.message.inputValue(), 'First this.\n\nFix this:\n\n> Wrong.\n');
  await chat.page.keyboard.type('Soon.');
  assert.match(await chat.message.inputValue(), /> Wrong\.\nSoon\.$/);
  assert.equal(await chat.button('Remove retry.ts:10–24').count(), 1);
  assert.ok(!(await chat.allPosted()).some(({ type }) => type === 'sendPrompt'));
  await chat.close();
});

test('accepts files dropped anywhere in the chat', async () => {
  const chat = await openSession();
  const dropped = (type: string, text: string, name: string) =>
    chat.page.getByRole('feed', { name: 'Transcript' }).evaluate(
      (feed, [kind, data, fileName]) => {
        const transfer = new DataTransfer();
        if (kind === 'file') transfer.items.add(new File([data], fileName));
        else transfer.setData(kind, data);
        const isLeft = feed.dispatchEvent(
          new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
        feed.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        return isLeft;
      },
      [type, text, name] as const,
    );
  const remote = 'vscode-remote://ssh-remote%2Bhost/w/a.ts';
  assert.equal(await dropped('application/vnd.code.uri-list', remote, ''), false);
  assert.deepEqual((await chat.posted('attachUris')).at(-1)?.uris, [remote]);
  await dropped('file', 'let a;\n', 'a.ts');
  await chat.button('Remove a.ts').waitFor();
  assert.deepEqual(await send(chat, 'Look'), [
    { type: 'resource', uri: 'attachment:///a.ts', name: 'a.ts', text: 'let a;\n' },
  ]);
  await dropped('file', 'a\0b', 'a.bin');
  await chat.page
    .locator('.pl-composer .refused', { hasText: 'Only text up to 256 KB, images up to 20 MB, and audio up to 3.7 MB' })
    .waitFor();
  await chat.close();
});

testLooks(browser, [
  {
    name: 'followed file',
    reach: async (chat) => {
      await show(chat);
      await chat.receive({ type: 'followedFile', file: lines });
      await chat.receive({
        type: 'attach',
        attachments: [{ type: 'resource_link', uri: 'file:///w/docs/', name: 'docs' }],
      });
      await chat.message.fill('Look at this');
    },
  },
  {
    name: 'followed file off',
    reach: async (chat) => {
      await show(chat);
      await chat.receive({ type: 'followedFile', file: { uri: 'file:///w/.env', name: '.env', withheld: 'secret' } });
    },
  },
]);
