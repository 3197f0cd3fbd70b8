import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { SessionKey } from '../../src/shared/values/ids';
import { useBrowser, type Chat } from './chat';
import { listing, newcomerState, offers, pageState, pageWithSession, sessionA, sessionB, snapshot } from './samples';

const browser = useBrowser();

test("a reloaded page keeps each session's draft and requests its place", async () => {
  const chat = await browser.open();
  const both = [listing(sessionB, { title: 'Docs pass' })];
  await chat.showPage(pageWithSession(both));
  await chat.showSession(sessionA, snapshot());
  await chat.message.fill('draft of A');
  await chat.showPage(pageWithSession(both, { active: sessionB }));
  await chat.showSession(sessionB, snapshot({ title: 'Docs pass' }));
  assert.equal(await chat.message.inputValue(), '');
  await chat.message.fill('draft of B');
  await chat.reload();
  assert.deepEqual(await chat.posted('ready'), [{ type: 'ready', session: sessionB, rev: 0 }]);
  assert.equal(await chat.message.inputValue(), 'draft of B');
  await chat.showPage(pageWithSession(both));
  await chat.showSession(sessionA, snapshot());
  assert.equal(await chat.message.inputValue(), 'draft of A');
  await chat.close();
});

test('sends what is typed on the start page with its agent', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  const hint = chat.page.getByText('Your message is sent when the agent is ready.');
  assert.equal(await hint.count(), 0);
  await chat.message.fill('Fix the retries');
  await hint.waitFor();
  await chat.button('Start Claude').click();
  assert.deepEqual(await chat.posted('startAgent'), [{ type: 'startAgent', agent: 'settings:Claude', sends: true }]);
  // It stays in the box, and can be changed, until its session is there.
  assert.equal(await chat.message.inputValue(), 'Fix the retries');
  await chat.message.fill('Fix the retries, please');
  await chat.receive({ type: 'sendTyped', session: sessionA });
  assert.equal((await chat.allPosted()).filter(({ type }) => type === 'sendPrompt').length, 0);
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ connection: { state: 'starting' } }));
  assert.deepEqual(await chat.posted('sendPrompt'), [
    { type: 'sendPrompt', session: sessionA, text: 'Fix the retries, please' },
  ]);
  assert.equal(await chat.message.inputValue(), '');
  await chat.close();
});

test('keeps what is typed on the start page without an agent', async () => {
  const chat = await browser.open();
  await chat.showPage(newcomerState({ offers }));
  await chat.message.fill('Fix the retries');
  await chat.button('Install OpenCode').click();
  assert.deepEqual(await chat.posted('addOffered'), [{ type: 'addOffered', id: 'opencode', sends: true }]);
  // The user goes to another session in the meantime.
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  assert.equal(await chat.message.inputValue(), 'Fix the retries');
  assert.equal((await chat.allPosted()).filter(({ type }) => type === 'sendPrompt').length, 0);
  await chat.close();
});

test('a new session gets the draft of one that a reload ended', async () => {
  const chat = await browser.open();
  const sessionC = 's3' as SessionKey;
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  await chat.message.fill('draft of A');
  // Nothing was sent in B, so it isn't restored.
  await chat.showPage(pageWithSession([listing(sessionB, { title: '' })], { active: sessionB }));
  await chat.showSession(sessionB, snapshot({ title: '' }));
  await chat.message.fill('draft of B');
  await chat.reload();
  // The start page comes first.
  await chat.showPage(pageState());
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  assert.equal(await chat.message.inputValue(), 'draft of A');
  await chat.showPage(pageWithSession([listing(sessionC, { title: '' })], { active: sessionC }));
  await chat.showSession(sessionC, snapshot({ title: '' }));
  assert.equal(await chat.message.inputValue(), 'draft of B');
  await chat.showPage(pageWithSession([listing(sessionC, { title: '' })]));
  await chat.showSession(sessionA, snapshot());
  assert.equal(await chat.message.inputValue(), 'draft of A');
  assert.ok((await chat.allPosted()).every(({ type }) => type !== 'sendPrompt'));
  await chat.close();
});

test('starting a session with a message sends no draft of another one', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession([listing(sessionB, { title: '' })], { active: sessionB }));
  await chat.showSession(sessionB, snapshot({ title: '' }));
  await chat.message.fill('draft of B');
  await chat.showPage(pageWithSession([listing(sessionB, { title: '' })]));
  await chat.showSession(sessionA, snapshot());
  // B is closed while A is shown.
  const sessionC = 's3' as SessionKey;
  await chat.showPage(pageWithSession([listing(sessionC, { title: '' })], { active: sessionC }));
  await chat.showSession(sessionC, snapshot({ title: '' }));
  await chat.receive({ type: 'sendTyped', session: sessionC });
  assert.equal(await chat.message.inputValue(), 'draft of B');
  assert.ok((await chat.allPosted()).every(({ type }) => type !== 'sendPrompt'));
  await chat.close();
});

test("moves a lost session's draft to the start page after reloads", async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  await chat.message.fill('still here');
  await chat.reload();
  await chat.showPage(pageState());
  assert.equal(await chat.message.inputValue(), 'still here');
  await chat.message.press('Enter');
  assert.deepEqual(await chat.posted('sendPrompt'), [{ type: 'sendPrompt', session: '', text: 'still here' }]);
  await chat.close();
});

/** How often the page has written its state, and what it wrote last. */
function writesSoFar(chat: Chat): Promise<readonly [number, string]> {
  return chat.page.evaluate(() => [window.fakeHost.writes, sessionStorage.getItem('vscode-state') ?? ''] as const);
}

test('stores typed text once with every key', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  const [before] = await writesSoFar(chat);
  await chat.message.pressSequentially('forty characters, one after the other ..');
  const [writes, kept] = await writesSoFar(chat);
  assert.match(kept, /forty characters, one after the other \.\./);
  assert.ok(writes - before <= 45, `${writes - before} writes for 40 keys`);
  await chat.close();
});

test('a gap in the revisions requests the whole session once', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ title: 'One' }, [], 5));
  await chat.apply(sessionA, 5, [{ op: 'view', fields: { title: 'Two' } }]);
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Two');
  await chat.apply(sessionA, 8, [{ op: 'view', fields: { title: 'Lost' } }]);
  await chat.apply(sessionA, 9, [{ op: 'view', fields: { title: 'Lost too' } }]);
  assert.deepEqual(await chat.posted('fetchSnapshot'), [{ type: 'fetchSnapshot', session: sessionA }]);
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Two');
  await chat.showSession(sessionA, snapshot({ title: 'Ten' }, [], 10));
  await chat.apply(sessionA, 10, [{ op: 'view', fields: { title: 'Eleven' } }]);
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Eleven');
  assert.equal((await chat.posted('fetchSnapshot')).length, 1);
  await chat.close();
});

test('uses the language that the host provides', async () => {
  const chat = await browser.open({
    words: { 'Work with any coding agent': 'Mit jedem Agenten arbeiten', Send: 'Senden' },
  });
  await chat.showPage(pageState({ agents: [] }));
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Mit jedem Agenten arbeiten');
  assert.equal(await chat.button('Senden').count(), 1);
  await chat.close();
});
