import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageComment, ToReviewPage } from '../../src/shared/changes/reviewPage';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { isOfDiff, ReviewHost } from './reviewHost';

const browser = useBrowser();

const before = `import { fetch } from './fetch';

export class Client {
  private done = false;

  private async sendPart(part: Part): Promise<string> {
    const res = await fetch(part.url, part.init);
    if (!res.ok) throw new UploadError(res.status);
    return res.headers.get('etag') ?? '';
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  private log(text: string): void {
    this.output.append(text);
  }

  async finish(session: Session): Promise<void> {
    await this.post(session.url, {});
    this.done = true;
  }
}
`;
const usualAfter = before
  .replace('fetch(part.url, part.init);', 'retry(() => fetch(part.url, part.init), {\n      attempts: 4,\n    });')
  .replace('(res.status)', '(res.status, part.index)')
  .replace('session.url, {}', 'session.url, { parts: this.etags }');
const old = Array.from({ length: 35 }, (_, at) => `export const value${at} = ${at};`).join('\n');
const made = `${Array.from({ length: 40 }, (_, at) => `  const line${at} = 'new';`).join('\n')}\n`;
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type DraftAct = 'deleteDraft' | 'sendComment' | 'sendCommentTo';

const author = (agentName: string) =>
  ({ kind: 'agent', agentName, session: `s ${agentName}` as never, turn: 1 }) as const;

async function open(options: ChatOptions = {}): Promise<ReviewHost> {
  const host = new ReviewHost(
    await browser.open({ page: 'review', host: 'editor', width: 900, height: 700, ...options }),
  );
  return host;
}

function writeUsual(host: ReviewHost): void {
  host.write('src/upload/client.ts', before, usualAfter);
  host.write('src/upload/retry.ts', undefined, made);
  host.write('src/vendor/legacyRetry.js', old, undefined);
}

async function openUsual(options?: ChatOptions): Promise<ReviewHost> {
  const host = await open(options);
  writeUsual(host);
  await host.open();
  return host;
}

const linesOf = (lines: readonly string[] = []) => lines.join('');

/** The title as it is drawn at the usual width. */
const shown = (chat: Chat) => chat.page.getByRole('heading', { level: 1 }).locator('.w-t').textContent();

/** Stops the page's time, so that half a second doesn't pass on a busy machine, or lets it pass. */
const stopTime = (chat: Chat) =>
  chat.page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
  });
const startTime = (chat: Chat) => chat.page.evaluate(() => void Reflect.deleteProperty(performance, 'now'));
const focused = (chat: Chat) => chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

test('shows every change of a file with words, lines, and actions', async () => {
  const host = await openUsual();
  const { chat } = host;
  assert.equal(await shown(chat), 'Claude: 3 of 3 files left');
  const file = chat.page.getByRole('article', { name: 'client.ts, src/upload' });
  const change = file.getByRole('group', { name: 'Change 1 of 2, lines 7 to 10, in sendPart' });
  for (const name of ['Keep', 'Undo', 'Comment', 'Open in editor'])
    await change.getByRole('button', { name, exact: true }).waitFor();
  assert.deepEqual(await change.locator('.l.r mark').allTextContents(), [';']);
  const lines = await change.locator('.l').allTextContents();
  assert.ok(
    lines.some((line) => line.includes('removed     const res = await fetch(')),
    lines.join('\n'),
  );
  assert.ok(
    lines.some((line) => line.includes('added       attempts: 4,')),
    lines.join('\n'),
  );
  await change.locator('.l .tk-k', { hasText: 'const' }).first().waitFor();
  // A deleted file starts folded.
  await chat.page.getByRole('button', { name: 'legacyRetry.js, src/vendor', expanded: false }).waitFor();
});

test('shows the folders of files in narrow pages', async () => {
  const host = await open({ width: 290 });
  const { chat } = host;
  const deep = 'packages/a-package-with-a-long-name/src/upload';
  host.write(`${deep}/client.ts`, 'a\n', 'b\n');
  host.write('readme.md', 'a\n', 'b\n');
  await host.open();
  for (const width of [290, 420, 599]) {
    await chat.page.setViewportSize({ width, height: 700 });
    const file = chat.page.getByRole('article', { name: `client.ts, ${deep}` });
    // Its end tells it from others, and is in sight when there is no room for all.
    const folder = file.locator('.fh .dir');
    const isEndInSight = await folder.evaluate((element) => {
      const [box, text] = [element.getBoundingClientRect(), element.firstElementChild?.getBoundingClientRect()];
      return box.width > 30 && text !== undefined && text.right <= box.right + 1;
    });
    assert.ok(isEndInSight, `${width} px`);
    assert.equal(await file.getByRole('button', { expanded: true }).getAttribute('title'), `${deep}/client.ts`);
    const heights = await chat.page.locator('.fh').evaluateAll((all) => all.map((head) => head.clientHeight));
    assert.deepEqual(heights, [31, 31]);
  }
  await chat.close();
});

test('gives the agent the mark that it has in the chat', async () => {
  const host = await openUsual();
  // Only Claude made changes, and Codex is one of the user’s agents.
  const mark = host.chat.page.locator('.pl-header .mono-mark');
  assert.equal(await mark.getAttribute('data-letters'), 'Cl');
  await host.chat.close();
});

test('two agents have a mark each, which tell them apart', async () => {
  const host = await open();
  host.write('a.txt', 'a\n', 'b\n', author('Aider'));
  host.write('b.txt', 'a\n', 'b\n', author('Amp'));
  await host.open();
  const letters = () =>
    host.chat.page
      .locator('.pl-header .mono-mark')
      .evaluateAll((all) => all.map((mark) => mark.getAttribute('data-letters')));
  assert.deepEqual(await letters(), ['Ai', 'Am']);
  host.write('c.txt', 'a\n', 'b\n', author('Codex'));
  await host.update();
  assert.deepEqual(await letters(), []);
  assert.equal(await shown(host.chat), '3 agents: 3 of 3 files left');
  await host.chat.close();
});

for (const width of [216, 260, 290, 320]) {
  test(`at ${width} px, the heading is whole`, async () => {
    const { chat } = await openUsual({ width });
    const heading = chat.page.getByRole('heading', { level: 1 });
    await heading.getByText('3 of 3 left').waitFor();
    assert.deepEqual(await heading.evaluate((one) => [one.scrollWidth <= one.clientWidth, one.textContent.trim()]), [
      true,
      'Claude: 3 of 3 files left3 of 3 left',
    ]);
    await chat.button('Keep all').click();
    assert.equal((await chat.posted('decide' as never)).length, 1);
    await chat.close();
  });
}

test('an empty file says that it is empty', async () => {
  const host = await open();
  host.write('src/empty.ts', undefined, '');
  host.write('src/gone.ts', '', undefined);
  await host.open();
  const notes = host.chat.page.getByText('The file is empty.', { exact: true });
  assert.equal(await notes.count(), 1);
  // What was deleted is folded.
  await host.chat.page.getByRole('button', { name: 'gone.ts, src' }).click();
  await host.settle();
  await notes.nth(1).waitFor();
  await host.chat.close();
});

test('Tab stops at the change with the focus, whose arrows scroll', async () => {
  const { chat } = await openUsual({ width: 290 });
  await chat.receive({ type: 'focusReview' } as never);
  await chat.page.keyboard.press('n');
  const change = chat.page.locator('.pl-hunk.is-current');
  const scrolled = () => change.locator('.pl-diff').evaluate((lines) => lines.scrollLeft);
  await change.focus();
  await chat.page.keyboard.press('ArrowRight');
  assert.equal(await scrolled(), 40);
  await chat.page.keyboard.press('ArrowLeft');
  assert.equal(await scrolled(), 0);
  const stops = await chat.page
    .locator('.pl-hunk:not(.is-current), .pl-hunk:not(.is-current) *')
    .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex >= 0 && one.localName !== 'i').length);
  assert.equal(stops, 0);
  await chat.close();
});

test('a decided file leaves, and the next one takes its place', async () => {
  const host = await openUsual();
  const { chat } = host;
  const top = (name: string) =>
    chat.page.getByRole('article', { name }).evaluate((element) => element.getBoundingClientRect().top);
  const place = await top('client.ts, src/upload');
  await chat.button('Keep client.ts').click();
  await host.settle();
  assert.equal(await shown(chat), 'Claude: 2 of 3 files left');
  assert.equal(await top('retry.ts, src/upload'), place);
  await chat.button('Undo retry.ts').click();
  await host.settle();
  await chat.button('Keep legacyRetry.js').click();
  await host.settle();
  const end = chat.page.getByRole('heading', { level: 2 });
  assert.equal((await end.textContent())?.trim(), 'All 3 files reviewed · 2 kept, 1 undone');
  assert.equal(await shown(chat), 'Claude: Retry flaky uploads');
  // The end's main button has the focus.
  await chat.page.keyboard.press('Enter');
  assert.equal((await host.asked('commit')).length, 1);
  await chat.button('Undo last').click();
  await host.settle();
  assert.equal(await shown(chat), 'Claude: 1 of 3 files left');
  // The button that had the focus is gone.
  assert.match(await focused(chat), /legacyRetry.js/);
});

test('an undo of all is taken back where it was asked', async () => {
  const host = await openUsual({ width: 290 });
  const { chat } = host;
  await chat.button('Undo all').click();
  await host.settle();
  assert.equal(await chat.button('Undo last').count(), 0);
  const redo = chat.page.locator('.pl-header').getByRole('button', { name: 'Redo' });
  await redo.click();
  await host.settle();
  assert.equal(await shown(chat), 'Claude: 3 of 3 files left');
  assert.equal(await redo.count(), 0);
  await chat.button('Undo all').waitFor();
  await chat.close();
});

test('offers to bring what is in a worktree, also at the end', async () => {
  const host = await open();
  const { chat } = host;
  writeUsual(host);
  await host.open();
  await chat.button('More').click();
  await chat.page.getByRole('menuitem', { name: 'All keys' }).waitFor();
  assert.equal(await chat.page.getByRole('menuitem', { name: 'Bring changes here' }).count(), 0);
  await chat.page.keyboard.press('Escape');
  host.canBring = true;
  await host.update();
  await chat.button('More').click();
  await chat.page.getByRole('menuitem', { name: 'Bring changes here' }).click();
  assert.equal((await host.asked('bringChanges')).length, 1);
  await chat.button('Keep all').click();
  await host.settle();
  await chat.button('Bring changes here').click();
  assert.equal((await host.asked('bringChanges')).length, 2);
});

test('shows decided files on request, to review them again', async () => {
  const host = await openUsual();
  const { chat } = host;
  await chat.button('Keep client.ts').click();
  await host.settle();
  const decided = chat.page.getByRole('list', { name: 'Decided' });
  assert.equal(await decided.count(), 0);
  const shows = chat.page.getByRole('button', { name: 'Show decided', pressed: false });
  await shows.click();
  assert.match(await decided.getByRole('listitem').innerText(), /client\.ts[^]*kept/);
  await decided.getByRole('button', { name: 'Review client.ts again' }).click();
  assert.deepEqual(
    (await host.asked('reviewAgain')).map(({ uri }) => uri),
    ['file:///src/upload/client.ts'],
  );
  await chat.page.getByRole('button', { name: 'Show decided', pressed: true }).click();
  await decided.waitFor({ state: 'detached' });
  await chat.close();
});

test('a wide page shows both sides unless the user chose otherwise', async () => {
  const host = await openUsual({ width: 1600 });
  const { chat } = host;
  const sides = chat.page.locator('.pl-sbs');
  await sides.first().waitFor();
  await chat.page.setViewportSize({ width: 900, height: 700 });
  await sides.first().waitFor({ state: 'detached' });
  await chat.page.setViewportSize({ width: 1600, height: 700 });
  await sides.first().waitFor();
  await chat.page.getByRole('radio', { name: 'Inline' }).click();
  await sides.first().waitFor({ state: 'detached' });
  await chat.close();
});

test('keys go through changes, decide them, and move on', async () => {
  const host = await openUsual();
  const { chat } = host;
  await chat.receive({ type: 'focusReview' });
  assert.match(await focused(chat), /^Change 1 of 2, /);
  await chat.page.keyboard.press('n');
  assert.match(await focused(chat), /^Change 2 of 2, /);
  await chat.page.keyboard.press('p');
  await chat.page.keyboard.press('k');
  await host.settle();
  assert.match(await focused(chat), /^Change 1 of 1, /);
  assert.equal(host.log.file('file:///src/upload/client.ts')?.hunks.length, 1);
  await stopTime(chat);
  await chat.page.keyboard.press('u');
  await host.settle();
  assert.match(await focused(chat), /^Change 1 of 1, lines 1 to 40$/);
  // A key for the next file waits until the user has seen it, and is taken back.
  await chat.page.keyboard.press('k');
  await chat.page.getByText('Keeps in a moment. Escape takes it back.').waitFor();
  await chat.page.keyboard.press('Escape');
  assert.deepEqual([(await host.asked('decide')).length, await host.asked('returnToChat')], [2, []]);
  await startTime(chat);
  await chat.page.keyboard.press('Shift+P');
  await chat.page.keyboard.press('Shift+N');
  assert.match(await focused(chat), /legacyRetry.js/);
});

test('no key is lost while the page rearranges', async () => {
  const host = await open();
  const { chat } = host;
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => `${letter}\n`);
  const changed = letters.map((line, at) => (at % 12 === 0 ? line.toUpperCase() : line)).join('');
  for (const name of ['a', 'b', 'c', 'd']) host.write(`${name}.txt`, letters.join(''), changed);
  await host.open();
  await chat.receive({ type: 'focusReview' });
  // All of them before the host has carried out the first.
  for (let at = 0; at < 11; at++) await chat.page.keyboard.press(at === 4 ? 'u' : 'k');
  const frame = () => chat.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  for (let frames = 0; (await host.asked('decide')).length < 11 && frames < 600; frames++) {
    await host.settle();
    await frame();
  }
  await host.settle();
  const decided = (await host.asked('decide')).map(({ action, changes }) => [
    action,
    changes.length,
    !!changes[0]?.hunk,
  ]);
  assert.deepEqual(
    decided,
    Array.from({ length: 11 }, (_, at) => [at === 4 ? 'undo' : 'keep', 1, true]),
  );
  assert.equal(host.log.pending.length, 1);
  // A key that is held down is one press.
  await chat.page.evaluate(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', repeat: true })));
  assert.equal((await host.asked('decide')).length, 11);
  await chat.close();
});

test('what is read stays at its place while others write', async () => {
  const host = await open({ height: 500 });
  const { chat } = host;
  writeUsual(host);
  host.isWriting = true;
  await host.open();
  const change = chat.page.getByRole('group', { name: /^Change 2 of 2, .*in finish/ });
  await change.evaluate((element) => element.scrollIntoView());
  const top = () => change.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  // A file above it, and lines of the change above it in its own file.
  host.write('docs/first.md', 'one\n', 'one\ntwo\nthree\n');
  host.log.agentEdit(
    'file:///src/upload/client.ts',
    { kind: 'text', text: usualAfter.replace('attempts: 4,', 'attempts: 4,\n      backoff: 2,\n      limit: 3,') },
    { kind: 'agent', agentName: 'Claude', session: 's' as never, turn: 1 },
  );
  await host.update();
  assert.equal(await top(), before);
  // The user's own lines above it.
  const label = await change.getAttribute('aria-label');
  const present = linesOf(host.log.file('file:///src/upload/client.ts')?.snapshot.text.current);
  host.log.userEdit('file:///src/upload/client.ts', { kind: 'text', text: `// Mine\n// too\n${present}` });
  await host.update();
  assert.notEqual(await change.getAttribute('aria-label'), label);
  assert.equal(await top(), before);
  assert.equal(await shown(chat), 'Claude: 4 of 4 files left');
  await chat.page.getByText('still writing').waitFor();
});

test('a review page behind another part takes no focus', async () => {
  const host = await openUsual();
  const { chat } = host;
  await chat.page.evaluate(() => (document.hasFocus = () => false));
  await chat.receive({ type: 'focusReview' });
  assert.equal(await focused(chat), '');
  await chat.page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus');
    window.dispatchEvent(new FocusEvent('focus'));
  });
  assert.match(await focused(chat), /^Change 1 of 2, /);
});

test('a change that changes in view says so and waits', async () => {
  const host = await openUsual();
  const { chat } = host;
  await chat.receive({ type: 'focusReview' });
  const keep = chat.page
    .getByRole('group', { name: /^Change 1 of 2/ })
    .getByRole('button', { name: 'Keep', exact: true });
  await stopTime(chat);
  host.log.agentEdit(
    'file:///src/upload/client.ts',
    { kind: 'text', text: usualAfter.replace('attempts: 4', 'attempts: 5') },
    { kind: 'agent', agentName: 'Claude', session: 's' as never, turn: 1 },
  );
  await host.update();
  await chat.page.getByText('Changed a moment ago').waitFor();
  assert.equal(await keep.isDisabled(), true);
  await chat.page.keyboard.press('k');
  assert.deepEqual(await host.asked('decide'), []);
  await startTime(chat);
  await chat.page.getByText('Changed a moment ago').waitFor({ state: 'detached' });
  assert.equal(await keep.isEnabled(), true);
  // The focus stayed where it was.
  await chat.page.keyboard.press('k');
  await host.settle();
  assert.equal((await host.asked('decide')).length, 1);
});

test('unchanged lines unfold and fold, and both sides stand beside each other', async () => {
  const host = await openUsual();
  const { chat } = host;
  const change = chat.page.getByRole('group', { name: /^Change 2 of 2/ });
  const fold = change.getByRole('button', { name: '6 unchanged lines' });
  const count = await change.locator('.l').count();
  await fold.click();
  await host.settle();
  assert.equal(await change.locator('.l').count(), count + 6);
  await change.getByRole('button', { name: '6 unchanged lines', expanded: true }).click();
  await host.settle();
  assert.equal(await change.locator('.l').count(), count);
  await chat.page.getByRole('radio', { name: 'Side by side' }).click();
  const sides = change.locator('.pl-sbs > .pl-diff');
  assert.equal(await sides.count(), 2);
  assert.equal(await sides.first().locator('.l').count(), await sides.last().locator('.l').count());
});

testLooks(browser, [
  {
    name: 'review',
    page: 'review',
    height: 900,
    widths: [216, 290, 1200],
    isOfTheme: isOfDiff,
    reach: async (chat) => {
      const host = new ReviewHost(chat);
      writeUsual(host);
      const uri = 'file:///docs/flow.png';
      host.log.track(uri, { kind: 'binary', hash: 'a', size: 100 });
      host.log.agentEdit(
        uri,
        { kind: 'binary', hash: 'b', size: 120 },
        { kind: 'agent', agentName: 'Claude', session: 's' as never, turn: 1 },
      );
      host.contents.set(uri, {
        kind: 'images',
        before: { source: pixel, size: 18_000 },
        after: { source: pixel, size: 22_000 },
      });
      host.write('package.json', '{}\n', '{ "a": 1 }\n');
      host.write('src/empty.ts', undefined, '');
      await host.open();
      host.log.keep('file:///package.json');
      await host.update();
      await chat.receive({ type: 'focusReview' });
      await chat.page.keyboard.press('n');
    },
  },
]);

test('sends a comment from the page, also when its change has left', async () => {
  const host = await openUsual();
  const { chat } = host;
  const { page } = chat;
  const file = page.getByRole('article', { name: 'client.ts, src/upload' });
  await file.getByRole('group', { name: /^Change 1 of 2/ }).focus();
  await page.keyboard.press('c');
  const box = page.getByRole('group', { name: 'Comment on change 1 of 2 in client.ts' });
  await page.keyboard.type('keep the old name');
  const field = box.getByRole('textbox', { name: 'Comment' });
  assert.equal(await field.inputValue(), 'keep the old name');
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  assert.equal(await field.inputValue(), 'keep the old name');

  host.log.keep('file:///src/upload/client.ts');
  await host.update();
  await file.waitFor({ state: 'detached' });
  await page.keyboard.type(', please');
  await page.keyboard.press('Enter');
  const [comment] = await host.asked('comment');
  assert.equal(comment?.text, 'keep the old name, please');
  const { uri, id } = comment;
  await chat.receive({ type: 'commentSent', uri, id, isSent: false } satisfies ToReviewPage);
  await box.getByText('Not sent').waitFor();
  assert.equal(await field.inputValue(), 'keep the old name, please');
  await page.keyboard.press('Enter');
  await chat.receive({ type: 'commentSent', uri, id, isSent: true } satisfies ToReviewPage);
  await box.waitFor({ state: 'detached' });
  assert.match(await focused(chat), /^Change 1 of 1/);
  await chat.close();
});

test('collects comments as drafts and sends them together', async () => {
  const host = await openUsual();
  const { chat } = host;
  const { page } = chat;
  const file = page.getByRole('article', { name: 'client.ts, src/upload' });
  await file.getByRole('group', { name: /^Change 1 of 2/ }).focus();
  await page.keyboard.press('c');
  await page.keyboard.type('keep the old name');
  await page.keyboard.press('Control+Enter');
  const [draft] = await host.asked('addDraft');
  assert.equal(draft?.text, 'keep the old name');
  assert.deepEqual(await host.asked('comment'), []);
  const { uri, id } = draft;
  await chat.receive({ type: 'commentSent', uri, id, isSent: true, isDraft: true } satisfies ToReviewPage);
  const place = { uri, hunk: id, path: 'src/upload/client.ts', line: 7, isOutdated: false, target: 'Claude' } as const;
  const own = { ...place, id: 'c1', text: draft.text, state: { kind: 'draft' } } as const;
  const sent = { ...place, id: 'c2', text: 'And this?', state: { kind: 'sent', agentName: 'Claude' } } as const;
  const comments = [own, { ...sent, isOutdated: true }];
  await chat.receive({ type: 'comments', comments } satisfies ToReviewPage);
  const change = file.getByRole('group', { name: /^Change 1 of 2/ });
  assert.deepEqual(await change.locator('.pl-thread .state').allInnerTexts(), [
    'Not sent yet',
    'Sent to Claude · changed since',
  ]);
  await change.getByRole('button', { name: 'Delete comment on client.ts:7' }).last().click();
  await change.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Send only this' }).click();
  const asked = async (type: DraftAct) =>
    (await host.asked(type)).filter((one) => one.type === type).map(({ comment }) => comment);
  assert.deepEqual([await asked('deleteDraft'), await asked('sendComment')], [['c2'], ['c1']]);
  const strip = page.getByRole('region', { name: 'Comments and remarks', exact: true });
  await strip.getByText('2 comments').waitFor();
  const foot = page.getByRole('contentinfo');
  await foot.getByText('1 comment', { exact: true }).waitFor();
  await foot.getByRole('button', { name: 'Send to Claude' }).click();
  assert.equal((await host.asked('sendDrafts')).length, 1);
  // The user holds it back, as a remark.
  await change.getByRole('checkbox', { name: 'Send to Claude' }).uncheck();
  assert.deepEqual(await host.asked('chooseRemark'), [{ type: 'chooseRemark', comment: 'c1', isChosen: false }]);
  await chat.receive({ type: 'comments', comments: [{ ...own, isHeld: true }] } satisfies ToReviewPage);
  await foot.getByRole('button', { name: 'Send to Claude' }).waitFor({ state: 'detached' });
  await chat.receive({ type: 'comments', comments: [] } satisfies ToReviewPage);
  await strip.waitFor({ state: 'detached' });
  assert.equal(await page.locator('.pl-thread').count(), 0);
  await chat.close();
});

test('asks for files near the part in view, not in passing', async () => {
  const chat = await browser.open({ page: 'review', width: 700, height: 600 });
  const host = new ReviewHost(chat);
  const text = (word: string) => Array.from({ length: 40 }, (_, line) => `${word} ${line}\n`).join('');
  for (let at = 0; at < 100; at++) host.write(`src/file${at}.ts`, text('old'), text('new'));
  await host.open();
  await chat.page.locator('.pl-hunk .l').first().waitFor();
  const { length } = await host.asked('readFile');
  assert.ok(length <= 5, `${length} files`);
  // Files that a drag of the scroll bar passes by aren't asked for, and those where it ends are.
  await chat.page.locator('[role=feed]').evaluate(async (feed) => {
    for (let frame = 0; frame < 20; frame++) {
      feed.scrollTop += 2 * feed.clientHeight;
      await new Promise(requestAnimationFrame);
    }
  });
  await chat.page.waitForFunction(() => {
    const asked = window.fakeHost.posted.flatMap((message) => ('uri' in message ? [message.uri] : []));
    const files = [...document.querySelectorAll<HTMLElement>('.pl-file')];
    return files.length > 0 && files.every(({ dataset }) => asked.includes(dataset['uri'] ?? ''));
  });
  const all = (await host.asked('readFile')).length;
  assert.ok(all <= 2 * length + 5, `${all} files`);
  await chat.close();
});

/** Remarks of Codex on the usual changes: on an added line, an unchanged one, one that no change shows, and without a place. */
function remarksOn(host: ReviewHost): readonly PageComment[] {
  const uri = 'file:///src/upload/client.ts';
  const [first, second] = host.log.file(uri)?.hunks ?? [];
  const common = { uri, path: 'src/upload/client.ts', isOutdated: false, target: 'Claude' } as const;
  const draft = { ...common, state: { kind: 'draft' }, remark: { agentName: 'Codex', isChosen: false } } as const;
  return [
    { ...draft, id: 'added', hunk: first?.id ?? '', line: 8, text: 'Four attempts\nare <b>too many</b>' },
    { ...draft, id: 'same', hunk: '', line: 11, text: 'An empty ETag is an error' },
    { ...draft, id: 'far', hunk: '', line: 1, text: 'Unused import' },
    { ...draft, id: 'loose', uri: '', hunk: '', path: 'gone.ts:9', line: 9, text: 'Missing' },
    {
      ...common,
      id: 'own',
      hunk: second?.id ?? '',
      line: 23,
      text: 'Why all of them?',
      state: { kind: 'sent', agentName: 'Claude' },
      isOutdated: true,
    },
  ];
}

async function openRemarks(options?: ChatOptions): Promise<ReviewHost> {
  const host = await openUsual(options);
  await host.chat.page.locator('.pl-hunk .l').first().waitFor();
  await host.chat.receive({ type: 'comments', comments: remarksOn(host) } satisfies ToReviewPage);
  return host;
}

const lineAbove = (chat: Chat, id: string) =>
  chat.page.locator(`[data-comment="${id}"]`).evaluate((thread) => {
    const lines = thread.previousElementSibling?.querySelectorAll('.pl-diff:last-child > .l, :scope > .l');
    return [...(lines ?? [])].at(-1)?.textContent ?? '';
  });

test('shows threads below their lines, also side by side', async () => {
  const host = await openRemarks();
  const { chat } = host;
  const check = async () => {
    assert.match(await lineAbove(chat, 'added'), /attempts: 4,$/);
    assert.match(await lineAbove(chat, 'same'), /headers\.get\('etag'\) \?\? '';$/);
    assert.match(await lineAbove(chat, 'own'), /parts: this\.etags/);
  };
  await check();
  const file = chat.page.getByRole('article', { name: 'client.ts, src/upload' });
  const thread = file.getByRole('group', { name: 'Codex, remark: Four attempts\nare <b>too many</b>' });
  await thread.getByText('are <b>too many</b>').waitFor();
  assert.deepEqual(await file.locator('.floose > [data-comment]').allInnerTexts(), [
    'Codex\nclient.ts:1\nRemark\nSend to Claude\nUnused import',
  ]);
  const list = chat.page.getByRole('region', { name: 'Comments and remarks elsewhere' });
  const first = chat.page.getByRole('region', { name: 'Remarks without a place' });
  await first.getByText('Without a place: gone.ts:9').waitFor();
  await chat.page.getByRole('radio', { name: 'Side by side' }).click();
  await check();
  // What is decided takes its change from the page, and the remark stays.
  host.log.keep('file:///src/upload/client.ts');
  await host.update();
  await list.getByRole('button', { name: 'client.ts:8', exact: true }).click();
  assert.deepEqual(
    (await host.asked('openComment')).map(({ comment }) => comment),
    ['added'],
  );
  await chat.close();
});

test('walks through remarks by keys and by the strip', async () => {
  const host = await openRemarks({ height: 420 });
  const { chat } = host;
  const { page } = chat;
  await page
    .getByRole('region', { name: 'Comments and remarks', exact: true })
    .getByText('4 remarks · 1 comment')
    .waitFor();
  const current = () => page.evaluate(() => document.activeElement?.getAttribute('data-comment') ?? '');
  const seen: string[] = [];
  const next = chat.button('Next comment or remark');
  await next.click();
  seen.push(await current());
  for (let at = 0; at < 5; at++) {
    await page.keyboard.press('r');
    seen.push(await current());
  }
  assert.deepEqual(seen, ['loose', 'far', 'added', 'same', 'own', 'loose']);
  await page.keyboard.press('Shift+R');
  assert.equal(await current(), 'own');
  const box = await page.locator('[data-comment="own"]').boundingBox();
  const feed = await page.locator('.pl-rfeed').boundingBox();
  assert.ok(
    box && feed && box.y >= feed.y && box.y + box.height <= feed.y + feed.height + 1,
    JSON.stringify([box, feed]),
  );
  // Keys of changes act on the change that the thread is in.
  await page.keyboard.press('k');
  const [decided] = await host.asked('decide');
  assert.equal(decided?.changes[0]?.hunk?.id, remarksOn(host)[4]?.hunk);
  await chat.close();
});

test('a remark is chosen, sent, or dismissed, and keeps the focus', async () => {
  const host = await openRemarks();
  const { chat } = host;
  const { page } = chat;
  const thread = page.locator('[data-comment="added"]');
  await thread.getByRole('checkbox', { name: 'Send to Claude' }).click();
  assert.deepEqual(
    (await host.asked('chooseRemark')).map(({ comment, isChosen }) => [comment, isChosen]),
    [['added', true]],
  );
  const [first, ...others] = remarksOn(host);
  assert.ok(first);
  const chosen = { ...first, remark: { agentName: 'Codex', isChosen: true } };
  await chat.receive({ type: 'comments', comments: [chosen, ...others] } satisfies ToReviewPage);
  await page.getByRole('contentinfo').getByText('1 remark', { exact: true }).waitFor();
  await page.getByRole('contentinfo').getByRole('button', { name: 'Send to Claude' }).click();
  assert.equal((await host.asked('sendDrafts')).length, 1);
  await thread.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Send only this' }).click();
  assert.deepEqual(
    (await host.asked('sendComment')).map(({ comment }) => comment),
    ['added'],
  );
  const sent = { ...chosen, state: { kind: 'sent', agentName: 'Claude' } } as const;
  await chat.receive({ type: 'comments', comments: [sent, ...others] } satisfies ToReviewPage);
  await thread.getByText('Sent to Claude').waitFor();
  assert.equal(await focused(chat), await thread.getAttribute('aria-label'));
  await chat.button('Dismiss remark on gone.ts:9').click();
  assert.deepEqual(
    (await host.asked('deleteDraft')).map(({ comment }) => comment),
    ['loose'],
  );
  await chat.receive({
    type: 'comments',
    comments: [sent, ...others.filter(({ id }) => id !== 'loose')],
  } satisfies ToReviewPage);
  assert.equal(await focused(chat), 'Codex, remark: Unused import');
  await chat.close();
});

test('a reply is typed in the box and shown in its thread', async () => {
  const host = await openRemarks();
  const { chat } = host;
  const { page } = chat;
  const thread = page.locator('[data-comment="added"]');
  await thread.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Send to…' }).click();
  assert.equal((await host.asked('sendCommentTo')).length, 1);
  await thread.getByRole('button', { name: 'Reply' }).click();
  await page.getByRole('group', { name: 'Reply to Codex on client.ts:8' }).waitFor();
  await page.keyboard.type('Two are enough');
  await page.keyboard.press('Control+Enter');
  const [draft] = await host.asked('addDraft');
  const { uri } = remarksOn(host)[0]!;
  assert.deepEqual(draft, { type: 'addDraft', uri, id: 'added', text: 'Two are enough' });
  const reply = {
    ...remarksOn(host)[4]!,
    id: 'reply',
    hunk: remarksOn(host)[0]!.hunk,
    line: 8,
    text: 'Two are enough',
    isOutdated: false,
    state: { kind: 'draft' },
    replyTo: 'added',
  } as const;
  await chat.receive({ type: 'comments', comments: [...remarksOn(host), reply] } satisfies ToReviewPage);
  await chat.receive({ type: 'commentSent', uri, id: 'added', isSent: true, isDraft: true } satisfies ToReviewPage);
  const answer = thread.getByRole('group', { name: 'You, reply: Two are enough' });
  await answer.getByText('Not sent yet').waitFor();
  assert.equal(await focused(chat), await thread.getAttribute('aria-label'));
  await answer.getByRole('button', { name: 'Delete reply on client.ts:8' }).click();
  assert.deepEqual(
    (await host.asked('deleteDraft')).map(({ comment }) => comment),
    ['reply'],
  );
  // Without what it answers, it is a comment of its own.
  const left = [...remarksOn(host).filter(({ id }) => id !== 'added'), reply];
  await chat.receive({ type: 'comments', comments: left } satisfies ToReviewPage);
  await page.locator('[data-comment="reply"]').getByText('Two are enough').waitFor();
  await chat.close();
});

/** The remarks, and a draft of the user's own on the second change. */
async function openDraft(options?: ChatOptions): Promise<{ host: ReviewHost; comments: readonly PageComment[] }> {
  const host = await openRemarks(options);
  const comments = remarksOn(host).map((one): PageComment =>
    one.id === 'own' ? { ...one, state: { kind: 'draft' }, isOutdated: false } : one,
  );
  await host.chat.receive({ type: 'comments', comments } satisfies ToReviewPage);
  return { host, comments };
}

const editOwn = 'Edit comment on client.ts:23';

test('edits a comment in its row, and returns to the row', async () => {
  const { host, comments } = await openDraft();
  const { chat } = host;
  const { page } = chat;
  const thread = page.locator('[data-comment="own"]');
  const field = thread.getByRole('group', { name: editOwn }).getByRole('textbox', { name: 'Comment' });
  await chat.button(editOwn).click();
  await page.keyboard.type(' Tell me');
  assert.equal(await field.inputValue(), 'Why all of them? Tell me');
  // Taken back.
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.equal(await focused(chat), 'You, comment: Why all of them?');
  assert.deepEqual(await host.asked('editComment'), []);
  await chat.button(editOwn).click();
  await page.keyboard.press('Shift+Enter');
  // Keys of the page are letters in the field.
  await page.keyboard.type('knock, please');
  const text = 'Why all of them?\nknock, please';
  assert.equal(await field.inputValue(), text);
  assert.deepEqual(await host.asked('decide'), []);
  await page.keyboard.press('Enter');
  const { uri, hunk: id } = comments.find((one) => one.id === 'own')!;
  assert.deepEqual(await host.asked('editComment'), [{ type: 'editComment', comment: 'own', uri, id, text }]);
  // The words stay until they are saved.
  await chat.receive({ type: 'commentEdited', comment: 'own', isSaved: false } satisfies ToReviewPage);
  await thread.getByText('Not saved').waitFor();
  assert.equal(await field.inputValue(), text);
  await page.keyboard.press('Control+Enter');
  assert.equal((await host.asked('editComment')).length, 2);
  await chat.receive({ type: 'commentEdited', comment: 'own', isSaved: true } satisfies ToReviewPage);
  const saved = comments.map((one) => (one.id === 'own' ? { ...one, text } : one));
  await chat.receive({ type: 'comments', comments: saved } satisfies ToReviewPage);
  await thread.locator('.words').getByText('knock, please').waitFor();
  assert.equal(await focused(chat), `You, comment: ${text}`);
  await chat.close();
});

test('typing goes on in the field while its row moves', async () => {
  const { host, comments } = await openDraft();
  const { chat } = host;
  const { page } = chat;
  await chat.button(editOwn).click();
  await page.keyboard.type(' Tell');
  // Its change is decided elsewhere, so the row is in the list below.
  host.log.keep('file:///src/upload/client.ts');
  await host.update();
  const list = page.getByRole('region', { name: 'Comments and remarks elsewhere' });
  await list.getByRole('textbox', { name: 'Comment' }).waitFor();
  await page.keyboard.type(' me');
  // It is deleted elsewhere.
  const left = comments.filter(({ id }) => id !== 'own');
  await chat.receive({ type: 'comments', comments: left } satisfies ToReviewPage);
  await page.keyboard.type(' now');
  await page.keyboard.press('Enter');
  const [edit] = await host.asked('editComment');
  assert.equal(edit?.text, 'Why all of them? Tell me now');
  const renewed = { ...comments.find(({ id }) => id === 'own')!, id: 'new', text: edit.text };
  await chat.receive({ type: 'commentEdited', comment: 'own', isSaved: true } satisfies ToReviewPage);
  await chat.receive({ type: 'comments', comments: [...left, renewed] } satisfies ToReviewPage);
  await list.getByText('Why all of them? Tell me now').waitFor();
  assert.equal(await page.locator('[data-comment="own"]').count(), 0);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'review-edit',
    page: 'review',
    height: 700,
    widths: [290, 1200],
    isOfTheme: isOfDiff,
    reach: async (chat) => {
      const host = new ReviewHost(chat);
      host.write('src/upload/client.ts', before, usualAfter);
      await host.open();
      const [own] = remarksOn(host).filter(({ id }) => id === 'own');
      if (!own) throw new Error('There is no comment.');
      const draft = { ...own, state: { kind: 'draft' }, isOutdated: false } as const;
      const reply = { ...draft, id: 'reply', text: 'And in which order?', replyTo: 'own' };
      await chat.receive({ type: 'comments', comments: [draft, reply] satisfies readonly PageComment[] });
      await chat.receive({ type: 'focusReview' });
      await chat.page.keyboard.press('r');
      await chat.button(editOwn).click();
      await chat.page.locator('.pl-redit textarea:focus').waitFor();
    },
  },
  {
    name: 'review-remarks',
    page: 'review',
    height: 900,
    widths: [290, 420, 1200],
    isOfTheme: isOfDiff,
    reach: async (chat) => {
      const host = new ReviewHost(chat);
      writeUsual(host);
      await host.open();
      const [first, ...others] = remarksOn(host);
      if (!first) throw new Error('There are no remarks.');
      const chosen = { ...first, remark: { agentName: 'Codex', isChosen: true } };
      const reply = { ...first, id: 'reply', text: 'Two are enough', replyTo: first.id, remark: undefined };
      await chat.receive({ type: 'comments', comments: [chosen, reply, ...others] as readonly PageComment[] });
      await chat.receive({ type: 'focusReview' });
      await chat.page.keyboard.press('r');
    },
  },
]);

test('a question mark lists the keys under a heading', async () => {
  const host = await openUsual();
  const { chat } = host;
  await chat.page.getByRole('article', { name: 'client.ts, src/upload' }).waitFor();
  await chat.page.keyboard.press('?');
  const list = chat.page.getByRole('dialog', { name: 'Keys' });
  await list.getByRole('heading', { name: 'Keys', level: 2 }).waitFor();
  assert.ok((await list.getByRole('row').count()) > 5);
  await chat.page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await chat.close();
});
