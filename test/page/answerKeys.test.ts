import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { RequestKey } from '../../src/shared/values/ids';
import type { ToolCallEntry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { asking, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

async function open(...calls: readonly ToolCallEntry[]): Promise<Chat> {
  const chat = await browser.open({ width: 420 });
  await chat.showPage(pageWithSession());
  const activity = { state: 'requires_action', since: 1 } as const;
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Go'), ...calls]));
  await untilReady(chat);
  await chat.message.focus();
  return chat;
}

/** A request whose buttons have moved takes no answer for a moment. */
async function untilReady(chat: Chat): Promise<void> {
  await chat.page.locator('.pl-perm[data-keyed][data-ready]').first().waitFor();
}

function asked({ permission }: ToolCallEntry) {
  if (permission.state !== 'asked') throw new Error('It asks.');
  return permission;
}

/** A request to delete files. */
function destructive(): ToolCallEntry {
  const call = asking('t');
  return { ...call, permission: { ...asked(call), risks: [{ kind: 'deletes' }] } };
}

/** Chooses what isn't a button of the request. */
async function more(chat: Chat, name: string): Promise<void> {
  await chat.button('More answers').click();
  await chat.page.getByRole('menuitem', { name, exact: true }).click();
}

const answers = async (chat: Chat) =>
  (await chat.allPosted()).flatMap((posted) => (posted.type === 'answerPermission' ? [posted.optionId] : []));

test('a request has two buttons, and a menu with everything else', async () => {
  const chat = await open({ ...editable(), permission: { ...asked(editable()), takesRules: ['allow_once'] } });
  const group = chat.page.getByRole('group', { name: 'Permission: npm test' });
  await chat.receive({
    type: 'ruleOffer',
    request: 'request-t' as RequestKey,
    offer: { state: 'ready', rules: [{ command: 'npm test *', answer: 'allow_once' }] },
  });
  assert.deepEqual(
    await group
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.querySelector('span')?.textContent)),
    ['Allow', 'Reject', 'More answers'],
  );
  await chat.button('More answers').click();
  const menu = chat.page.getByRole('menu', { name: 'More answers' });
  assert.deepEqual(
    (await menu.innerText())
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    [
      'Parley remembers',
      'Always allow…',
      'npm test * in this workspace',
      'A',
      'Claude offers',
      'Always allow npm test',
      'Claude remembers',
      '2',
      'Edit…',
      'E',
      'Reject with a reason…',
      'R',
    ],
  );
  // The command stays in sight, and an open menu has keys of its own.
  const [box, card] = [await menu.boundingBox(), await group.boundingBox()];
  assert.ok(box && card && box.y > card.y + card.height - 60, 'It opens below the buttons.');
  await chat.page.keyboard.press('2');
  assert.deepEqual(await answers(chat), ['always']);
  await chat.close();
});

test('an entry of the menu answers no later request', async () => {
  const chat = await open(asking('t'));
  await chat.button('More answers').click();
  const call = asking('t');
  const permission = { ...asked(call), request: 'request-2' as RequestKey };
  await chat.apply(sessionA, 0, [{ op: 'patch', id: call.id, kind: 'tool_call', fields: { permission } }]);
  await chat.page.getByRole('menuitem', { name: 'Always allow npm test' }).click();
  await untilReady(chat);
  assert.deepEqual(await answers(chat), []);
  await chat.page.keyboard.press('Control+Enter');
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('a number in the message is text while no button shows it', async () => {
  const chat = await open(asking('t'));
  await chat.page.keyboard.press('2');
  assert.equal(await chat.message.inputValue(), '2');
  assert.deepEqual(await answers(chat), []);
  await chat.message.fill('');
  await chat.page.getByRole('group', { name: 'Permission: npm test' }).focus();
  await chat.page.keyboard.press('2');
  assert.deepEqual(await answers(chat), ['always']);
  await chat.close();
  const options = ['Blue', 'Green'].map(
    (name, at) => ({ optionId: name, name, kind: at === 0 ? 'allow_once' : 'unknown' }) as const,
  );
  const own = await open({ ...asking('t'), permission: { ...asked(asking('t')), options } });
  await own.page.keyboard.press('2');
  assert.deepEqual(await answers(own), ['Green']);
  await own.close();
});

for (const [keys, optionId] of [
  ['Control+Enter', 'allow'],
  ['Control+Backspace', 'reject'],
] as const) {
  test(`${keys} in an empty message answers the request in sight`, async () => {
    const chat = await open(asking('t'));
    await chat.page.keyboard.press(keys);
    assert.deepEqual(await answers(chat), [optionId]);
    assert.equal(await chat.message.inputValue(), '');
    await chat.close();
  });
}

test('no key answers, stops, or finds what the list covers', async () => {
  const chat = await open(asking('t'));
  await chat.receive({ type: 'showSessions' });
  await chat.receive({ type: 'sessions', rows: [], ends: [], deleted: 0 });
  const blur = () => chat.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (const key of ['Control+Enter', 'Control+Backspace', '1', 'Control+f', 'F3']) {
    await chat.page.keyboard.press(key);
    await blur();
    await chat.page.keyboard.press(key);
  }
  await blur();
  await chat.page.keyboard.press('Escape');
  assert.deepEqual(await answers(chat), []);
  assert.ok(!(await chat.allPosted()).some(({ type }) => type === 'cancelTurn'));
  assert.equal(await chat.page.locator('.pl-find').count(), 0);
  // The key has closed the list, so the request is in sight again.
  await chat.page.keyboard.press('Control+Enter');
  assert.deepEqual(await answers(chat), ['allow']);
  await chat.close();
});

test('no key answers or stops a session behind the start page', async () => {
  const chat = await open(asking('t'));
  await chat.showPage({ ...pageWithSession(), active: '' });
  await chat.message.focus();
  for (const key of ['Control+Enter', 'Control+Backspace', '1', 'Backspace', 'Escape'])
    await chat.page.keyboard.press(key);
  assert.deepEqual(await answers(chat), []);
  assert.ok(!(await chat.allPosted()).some(({ type }) => type === 'cancelTurn'));
  await chat.close();
});

test('keys in the find widget answer and stop nothing', async () => {
  const chat = await open(asking('t'));
  await chat.page.keyboard.press('Control+f');
  await chat.page.locator('.pl-find input').waitFor();
  for (const key of ['Control+Enter', 'Control+Backspace', '1', 'Escape']) await chat.page.keyboard.press(key);
  assert.deepEqual(await answers(chat), []);
  assert.ok(!(await chat.allPosted()).some(({ type }) => type === 'cancelTurn'));
  await chat.close();
});

test('keys answer the request whose question is in sight', async () => {
  const chat = await browser.open({ width: 420, height: 400 });
  await chat.showPage(pageWithSession());
  const activity = { state: 'requires_action', since: 1 } as const;
  const entries = [userMessage('u', 'Go'), asking('t1'), asking('t2')];
  await chat.showSession(sessionA, snapshot({ activity }, entries));
  await untilReady(chat);
  // Only the last button of the first request is left in sight.
  const [first, second] = [chat.page.locator('.pl-perm').first(), chat.page.locator('.pl-perm').nth(1)];
  await chat.page.locator('.pl-feed').hover();
  const bottom = async () => {
    const [feed, box] = [await chat.page.locator('.pl-feed').boundingBox(), await first.boundingBox()];
    return (box?.y ?? 0) + (box?.height ?? 0) - (feed?.y ?? 0);
  };
  await chat.page.mouse.wheel(0, Math.round((await bottom()) - 30));
  await chat.page.locator('.pl-perm[data-keyed]').and(second).waitFor();
  assert.ok((await bottom()) > 5, 'The first request is in sight in part.');
  await chat.page.locator('.pl-perm[data-keyed][data-ready]').waitFor();
  await chat.message.focus();
  await chat.page.keyboard.press('Control+Backspace');
  const answered = (await chat.posted('answerPermission')).map(({ request }) => request);
  assert.deepEqual(answered, ['request-t2']);
  await chat.close();
});

test('keys of answers are text while a message is being typed', async () => {
  const chat = await open(asking('t'));
  await chat.page.keyboard.type('a1');
  await chat.page.keyboard.press('Control+Enter');
  await chat.page.keyboard.press('Backspace');
  await chat.page.keyboard.press('Backspace');
  // The message is empty again, but the user is still typing.
  await chat.page.keyboard.type('2');
  assert.equal(await chat.message.inputValue(), '2');
  assert.deepEqual(await answers(chat), []);
  await chat.close();
});

test('no key in the message allows what is destructive', async () => {
  const chat = await open(destructive());
  const group = chat.page.getByRole('group', { name: 'Permission: npm test' });
  assert.deepEqual(await group.locator('.opts kbd:visible').allInnerTexts(), ['Ctrl+Backspace']);
  await chat.page.keyboard.press('Control+Enter');
  await chat.page.keyboard.press('1');
  assert.deepEqual(await answers(chat), []);
  assert.equal(await chat.message.inputValue(), '1');
  await chat.message.fill('');
  await untilReady(chat);
  await group.focus();
  await chat.page.keyboard.press('Control+Backspace');
  assert.deepEqual(await answers(chat), ['reject']);
  await chat.close();
});

test('shows and announces the keys of a request', async () => {
  const chat = await open(asking('t'));
  const options = chat.page.locator('.pl-perm .opts');
  assert.deepEqual(await options.locator('kbd:visible').allInnerTexts(), ['Ctrl+Enter', 'Ctrl+Backspace']);
  assert.equal(await chat.page.getByRole('button', { name: 'Reject', exact: true }).count(), 1);
  const spoken = await chat.page.locator('.pl-speech').innerText();
  assert.match(spoken, /Claude wants to run npm test.*\. Ctrl\+Enter allows, Ctrl\+Backspace rejects\./);
  await chat.close();
});

test('rejects and sends what is typed, by the button or its key', async () => {
  for (const isByKey of [true, false]) {
    const chat = await open(asking('t'));
    await more(chat, 'Reject with a reason…');
    await chat.page.keyboard.type('Use pnpm');
    assert.deepEqual(await answers(chat), [], 'Letters are text.');
    const reject = chat.page.getByRole('button', { name: 'Reject and send message', exact: true });
    await reject.waitFor();
    await untilReady(chat);
    if (isByKey) await chat.page.keyboard.press('Control+Shift+Enter');
    else await reject.click();
    const [answer] = await chat.posted('answerPermission');
    assert.deepEqual([answer?.optionId, answer?.reply], ['reject', { text: 'Use pnpm' }]);
    assert.equal(await chat.message.inputValue(), '');
    assert.equal((await chat.allPosted()).filter(({ type }) => type === 'sendPrompt').length, 0);
    await chat.close();
  }
});

test('sends nothing with a rejection while nothing is typed', async () => {
  const chat = await open(asking('t'));
  await chat.page.keyboard.press('Control+Shift+Enter');
  assert.deepEqual(await answers(chat), []);
  await chat.page.getByRole('group', { name: 'Permission: npm test' }).focus();
  await chat.page.keyboard.press('r');
  await chat.page.keyboard.type('No');
  await chat.message.fill('');
  const reject = chat.page.getByRole('button', { name: 'Reject', exact: true });
  await reject.waitFor();
  await untilReady(chat);
  await reject.click();
  const [answer] = await chat.posted('answerPermission');
  assert.deepEqual([answer?.optionId, answer?.reply], ['reject', undefined]);
  await chat.close();
});

/** A request whose change the user can edit, or has edited. */
function editable(isEdited = false): ToolCallEntry {
  const call = asking('t');
  return { ...call, permission: { ...asked(call), takesEdit: true, isEdited } };
}

test('opens the change of a request for editing, by button or key', async () => {
  const chat = await open(editable());
  await more(chat, 'Edit…');
  await chat.page.getByRole('group', { name: 'Permission: npm test' }).focus();
  await chat.page.keyboard.press('e');
  assert.equal((await chat.posted('editProposal')).length, 2);
  assert.equal(await chat.page.getByRole('button', { name: 'Allow my version' }).count(), 0);
  await chat.close();
});

test('sends comments on a plan, by button or key', async () => {
  const plan = (isEdited: boolean): ToolCallEntry => ({ ...editable(isEdited), toolKind: 'switch_mode' });
  for (const isByKey of [true, false]) {
    const chat = await open(plan(true));
    if (isByKey) {
      await chat.page.getByRole('group', { name: 'Permission: npm test' }).focus();
      await chat.page.keyboard.press('s');
    } else await chat.page.getByRole('button', { name: 'Send comments', exact: true }).click();
    const [sent] = await chat.posted('sendPlanComments');
    assert.equal(sent?.session, sessionA);
    assert.deepEqual(await answers(chat), []);
    await chat.close();
  }
  const typed = await open(plan(true));
  await typed.page.keyboard.type('s');
  assert.equal(await typed.message.inputValue(), 's', 'Letters are text.');
  assert.deepEqual(
    (await typed.allPosted()).filter(({ type }) => type === 'sendPlanComments'),
    [],
  );
  await typed.close();
  // Without comments there is nothing to send, and only plans have them.
  for (const call of [plan(false), editable(true)]) {
    const chat = await open(call);
    assert.equal(await chat.page.getByRole('button', { name: 'Send comments' }).count(), 0);
    await chat.page.getByRole('group', { name: 'Permission: npm test' }).focus();
    await chat.page.keyboard.press('s');
    assert.deepEqual(
      (await chat.allPosted()).filter(({ type }) => type === 'sendPlanComments'),
      [],
    );
    await chat.close();
  }
});

test('offers the version that was closed without saving', async () => {
  const call = editable();
  const chat = await open({ ...call, permission: { ...asked(call), hasUnsaved: true } });
  await more(chat, 'Reopen my version…');
  const [posted] = await chat.posted('editProposal');
  assert.equal(posted?.isUnsaved, true);
  await chat.close();
});

test('the key that allows an edited request allows the user’s version', async () => {
  const chat = await open(editable(true));
  await chat.page.keyboard.press('Control+Enter');
  assert.equal((await chat.posted('allowProposal')).length, 1);
  assert.deepEqual(await answers(chat), []);
  await chat.close();
  const other = await open(editable(true));
  await other.page.getByRole('button', { name: 'Allow my version', exact: true }).click();
  assert.equal((await other.posted('allowProposal')).length, 1);
  await other.close();
});
