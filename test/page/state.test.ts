import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat } from './chat';
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

/** How often the page has written its state, and what it wrote last. */
function writesSoFar(chat: Chat): Promise<readonly [number, string]> {
  return chat.page.evaluate(() => [window.fakeHost.writes, sessionStorage.getItem('vscode-state') ?? ''] as const);
}

test('what is typed is kept with every key, and not more often', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  const [before] = await writesSoFar(chat);
  await chat.message.pressSequentially('forty characters, one after the other ..');
  const [writes, kept] = await writesSoFar(chat);
  assert.match(kept, /forty characters, one after the other \.\./);
  assert.ok(writes - before <= 45, `${writes - before} writes for 40 keys`);
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

const articles = 150;

/** A session of many paragraphs, and what of it is at the top: the article's number and how far the top is into it, in px. */
async function openLong(chat: Chat) {
  // Before they are drawn they are thought to be lower than they are, and there must be room for every distance.
  const entries = Array.from({ length: articles }, (_, at) =>
    agentMessage(`a${at}`, `Paragraph number ${at}. `.repeat(12)),
  );
  const show = async () => {
    await chat.showPage(pageWithSession());
    await chat.showSession(sessionA, snapshot({}, entries));
  };
  await show();
  const feed = chat.page.getByRole('feed', { name: 'Transcript' });
  const top = () =>
    feed.evaluate((element) => {
      const edge = element.getBoundingClientRect().top;
      const all = [...element.querySelectorAll('[role=article], article')].map((one) => one.getBoundingClientRect());
      const at = all.findIndex(({ bottom }) => bottom > edge + 1);
      return [at, Math.round(edge - (all[at]?.top ?? 0))] as const;
    });
  const wheel = async (distance: number) => {
    await feed.hover();
    await chat.page.mouse.wheel(0, distance);
    await chat.page.waitForFunction(() => {
      const stored: unknown = JSON.parse(sessionStorage.getItem('vscode-state') ?? '{}');
      return (stored as { scroll?: { atEnd: boolean } }).scroll?.atEnd === false;
    });
    await chat.still();
    await chat.still();
  };
  /** The same, as soon as the page has kept it: a busy machine scrolls for a while. */
  const kept = async () => {
    const found = await chat.page.waitForFunction(() => {
      const element = document.querySelector('[role=feed]');
      const edge = element?.getBoundingClientRect().top ?? 0;
      const all = [...(element?.querySelectorAll('[role=article], article') ?? [])];
      const at = all.findIndex((article) => article.getBoundingClientRect().bottom > edge + 1);
      const into = Math.round(edge - (all[at]?.getBoundingClientRect().top ?? 0));
      const stored: unknown = JSON.parse(sessionStorage.getItem('vscode-state') ?? '{}');
      const { anchor, offset } = (stored as { scroll: { anchor: string; offset: number } }).scroll;
      return anchor === `a${at}` && Math.abs(offset - into) < 3 ? ([at, into] as const) : undefined;
    });
    return (await found.jsonValue()) ?? assert.fail();
  };
  return { show, top, kept, wheel };
}

// Far from the end nothing has been on screen before: what is there takes its height only when it comes near.
for (const distance of [900, 2500, 4000]) {
  test(`a page that is made again goes back to where the reader was, ${distance} px up`, async () => {
    const chat = await browser.open();
    const { show, top, kept, wheel } = await openLong(chat);
    await wheel(-distance);
    const [before, into] = await kept();
    assert.ok(before > 0 && before < articles - 1, `the reader is at article ${before}`);
    await chat.reload();
    // As after a reload of the window: the sessions come back a moment later.
    await chat.showPage(pageState());
    await chat.button('Browse agents').waitFor();
    await show();
    const back = chat.page.waitForFunction(
      ([wanted, offset]) => {
        const element = document.querySelector('[role=feed]');
        const edge = element?.getBoundingClientRect().top ?? 0;
        const all = [...(element?.querySelectorAll('[role=article], article') ?? [])];
        const at = all.findIndex((article) => article.getBoundingClientRect().bottom > edge + 1);
        return at === wanted && Math.abs(edge - (all[at]?.getBoundingClientRect().top ?? 0) - offset) < 3;
      },
      [before, into] as const,
    );
    await back.catch(async () => assert.deepEqual(await top(), [before, into]));
    await chat.still();
    assert.equal((await top())[0], before, 'and stays there');
    await chat.close();
  });
}

test('a reader who goes up a little into what was never on screen is not put back to the end', async () => {
  const chat = await browser.open();
  const { top, wheel } = await openLong(chat);
  await chat.still();
  const [end] = await top();
  await wheel(-300);
  const [place] = await top();
  assert.ok(place < end && place >= end - 4, `from article ${end} to ${place}`);
  assert.equal(await chat.button('To the end').isVisible(), true);
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
