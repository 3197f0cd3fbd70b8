import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser } from './chat';
import { agentMessage, listing, pageState, pageWithSession, sessionA, sessionB, snapshot } from './samples';

const browser = useBrowser();

test('a page that is made again keeps the draft of each session and asks for what it last showed', async () => {
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

test('the draft of the start page moves into the session that comes of it', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  await chat.message.fill('half a thought');
  await chat.button('Start Claude').click();
  assert.deepEqual(await chat.posted('startAgent'), [{ type: 'startAgent', agent: 'settings:Claude' }]);
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ connection: { state: 'starting' } }));
  assert.equal(await chat.message.inputValue(), 'half a thought');
  await chat.close();
});

test('after a window reload the draft of a session that is gone is on the start page', async () => {
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

test('the state is written once after a burst of changes', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  const before = await chat.page.evaluate(() => window.fakeHost.writes);
  await chat.message.pressSequentially('forty characters, one after the other ..');
  await chat.page.waitForFunction((writes) => window.fakeHost.writes > writes, before);
  const writes = await chat.page.evaluate(() => window.fakeHost.writes);
  assert.ok(writes - before <= 10, `${writes - before} writes for 40 keys`);
  await chat.close();
});

test('a gap in the revisions makes the page ask for the whole session, once', async () => {
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

test('ops that the snapshot already holds, and ops of another session, change nothing', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ title: 'Now' }, [], 5));
  await chat.apply(sessionA, 4, [{ op: 'view', fields: { title: 'Before' } }]);
  await chat.apply(sessionB, 0, [{ op: 'view', fields: { title: 'Elsewhere' } }]);
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Now');
  assert.equal(
    (await chat.allPosted()).some(({ type }) => type === 'fetchSnapshot'),
    false,
  );
  await chat.close();
});

test('the page speaks the language that the host gives it', async () => {
  const chat = await browser.open({
    words: { 'Work with any coding agent': 'Mit jedem Agenten arbeiten', Send: 'Senden' },
  });
  await chat.showPage(pageState());
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Mit jedem Agenten arbeiten');
  assert.equal(await chat.button('Senden').count(), 1);
  await chat.close();
});

test('a page that is made again goes back to where the reader was', async () => {
  const chat = await browser.open();
  const entries = Array.from({ length: 60 }, (_, at) => agentMessage(`a${at}`, `Paragraph number ${at}. `.repeat(12)));
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, entries));
  const feed = chat.page.getByRole('feed', { name: 'Transcript' });
  const topArticle = () =>
    feed.evaluate((element) => {
      const top = element.getBoundingClientRect().top;
      const all = [...element.querySelectorAll('[role=article], article')];
      return all.findIndex((article) => article.getBoundingClientRect().bottom > top + 1);
    });
  await feed.hover();
  await chat.page.mouse.wheel(0, -900);
  await chat.page.waitForFunction(() => {
    const stored: unknown = JSON.parse(sessionStorage.getItem('vscode-state') ?? '{}');
    return (stored as { scroll?: { atEnd: boolean } }).scroll?.atEnd === false;
  });
  await chat.still();
  await chat.still();
  const before = await topArticle();
  assert.ok(before > 0 && before < 59, `the reader is at article ${before}`);
  await chat.reload();
  // As after a reload of the window: the sessions come back a moment later.
  await chat.showPage(pageState());
  await chat.button('Browse agents').waitFor();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, entries));
  await chat.page.waitForFunction((wanted) => {
    const element = document.querySelector('[role=feed]');
    const top = element?.getBoundingClientRect().top ?? 0;
    const all = [...(element?.querySelectorAll('[role=article], article') ?? [])];
    return all.findIndex((article) => article.getBoundingClientRect().bottom > top + 1) === wanted;
  }, before);
  await chat.close();
});

test('the start page leads to the list of agents and to the settings', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  await chat.button('Browse agents').click();
  await chat.button('Add your own command').click();
  assert.deepEqual(
    (await chat.posted('errorAction')).map(({ action }) => action),
    ['addAgent', 'openSettings'],
  );
  await chat.button('Start goose').click();
  assert.deepEqual(await chat.posted('startAgent'), [{ type: 'startAgent', agent: 'goose' }]);
  await chat.close();
});
