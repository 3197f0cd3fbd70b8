import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import type { Fingerprint } from './fingerprint';
import { PictureOfRows, wrongWith } from './rowPictures';
import { asking, pageWithSession, plan, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();
const card = '.pl-tool.asking';

async function open(): Promise<Chat> {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const view = { activity: { state: 'requires_action', since: Date.now() }, plans: [plan] } as const;
  await chat.showSession(sessionA, snapshot(view, [userMessage('u', 'Fix the flaky upload'), asking('a')]));
  await chat.page.waitForSelector('.pl-perm[data-ready]');
  return chat;
}

async function look(chat: Chat, part = card): Promise<Fingerprint> {
  const picture = await PictureOfRows.take(chat, 1);
  const box = await picture.boxOf(part);
  assert.ok(typeof box !== 'string', 'it is in sight');
  return picture.fingerprint(box);
}

/** Changes the page by a rule of style, and takes it back afterwards. */
async function styled<T>(chat: Chat, selector: string, rule: string, then: () => Promise<T>): Promise<T> {
  const change = (css: string) =>
    chat.page.evaluate(
      ([which, text]) => {
        // Not the attribute, which the policy of the page forbids.
        for (const element of document.querySelectorAll<HTMLElement>(which)) element.style.cssText = text;
      },
      [selector, css] as const,
    );
  await change(rule);
  const result = await then();
  await change('');
  return result;
}

test('a fingerprint detects themes and missing, moved, empty, or unstyled elements', async () => {
  const chat = await open();
  const whole = await look(chat);
  const changes: Record<string, [selector: string, rule: string]> = {
    'a button is missing': [`${card} .opts .btn:first-child`, 'visibility: hidden'],
    'a line is missing': [`${card} .q`, 'visibility: hidden'],
    'the card is empty': [card, 'visibility: hidden'],
    'the card stands elsewhere': [card, 'position: relative; left: 30px'],
    'the buttons are stacked': [`${card} .opts`, 'flex-direction: column'],
    'a button has no colour': [`${card} .opts .primary`, 'background: none'],
    'a text is red': [`${card} .q`, 'color: red'],
  };
  const unseen: string[] = [];
  for (const [what, [selector, rule]] of Object.entries(changes)) {
    const changed = await styled(chat, selector, rule, () => look(chat));
    if (wrongWith(changed, whole) === undefined) unseen.push(what);
  }
  assert.deepEqual(unseen, []);
  assert.equal(wrongWith(await look(chat), whole), undefined);
  for (const theme of ['light', 'highContrast'] as const) {
    await chat.wear(theme);
    assert.notEqual(wrongWith(await look(chat), whole), undefined, theme);
  }
  await chat.wear('dark');
  assert.equal(wrongWith(await look(chat), whole), undefined, 'dark again');
  await chat.close();
});

test('a fingerprint ignores smoothing and subpixels, which differ between builds', async () => {
  const chat = await open();
  const [whole, strip] = [await look(chat), await look(chat, '.tray')];
  const rules = ['-webkit-font-smoothing: antialiased; text-rendering: geometricPrecision', 'letter-spacing: 0.05px'];
  for (const rule of [...rules, 'position: relative; top: 0.4px; left: 0.4px']) {
    const changed = await styled(chat, `${card}, .tray`, rule, () => look(chat));
    assert.equal(wrongWith(changed, whole), undefined, rule);
  }
  assert.equal(wrongWith(await look(chat, '.tray'), strip), undefined);
  await chat.close();
});
