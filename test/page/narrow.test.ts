import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import type { ToolCallEntry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks, type Look } from './look';
import { askingForCommand, askingForEdit, longName, manyOptions, otherSessions, showCrowd } from './narrowSamples';
import {
  agentMessage,
  asking,
  commands,
  listing,
  pageWithSession,
  sessionA,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

/* The page at the width at which VS Code opens the side bar, about 290 px, and in short panels. */

const browser = useBrowser();
const narrow = { width: 290, height: 700 };

/** Colors of code on changed lines are the theme's own, as in the editor. */
const isOfTheme: Look['isOfTheme'] = (problem) => problem.startsWith('color-contrast: <span class="tk-');

testLooks(browser, [
  { name: 'narrow-busy', widths: [240, 290, 1200], reach: (chat) => showCrowd(chat) },
  { name: 'narrow-edit', widths: [240, 290, 1200], isOfTheme, reach: (chat) => showCrowd(chat, [askingForEdit]) },
  { name: 'narrow-command', widths: [240, 290], height: 600, reach: (chat) => showCrowd(chat, [askingForCommand]) },
  { name: 'narrow-450', widths: [290], height: 450, isOfTheme, reach: (chat) => showCrowd(chat, [askingForEdit]) },
  { name: 'narrow-300', widths: [290], height: 300, reach: (chat) => showCrowd(chat) },
  {
    name: 'narrow-options',
    widths: [240, 290],
    height: 500,
    reach: (chat) => showCrowd(chat),
    again: (chat) => openMenu(chat),
  },
  {
    name: 'narrow-modes',
    widths: [240, 290],
    height: 500,
    reach: (chat) => showCrowd(chat),
    again: async (chat) => {
      if ((await chat.page.getByRole('listbox', { name: 'Mode' }).count()) === 0) await picker(chat, 'Mode').click();
    },
  },
  {
    name: 'narrow-sessions',
    widths: [240, 290],
    height: 500,
    reach: (chat) => showCrowd(chat),
    again: async (chat) => {
      if ((await sessions(chat).count()) === 0) await all(chat).click();
    },
  },
]);

const picker = (chat: Chat, name: string) => chat.page.getByRole('combobox', { name, exact: true });
const add = (chat: Chat) => chat.button('Add Context');
const menu = (chat: Chat) => chat.page.getByRole('dialog', { name: 'More options' });
const all = (chat: Chat) => chat.page.getByRole('button', { name: /^All \d+ sessions/ });
const sessions = (chat: Chat) => chat.page.getByRole('listbox', { name: 'Sessions' });

async function openMenu(chat: Chat): Promise<void> {
  if ((await menu(chat).count()) > 0) return;
  await add(chat).click();
  await chat.page.getByRole('menuitem', { name: 'More options…' }).click();
}

/** The edges of an element on the screen. */
async function box(target: Locator) {
  const found = await target.boundingBox();
  assert.ok(found, `${String(target)} is not on the screen`);
  return { ...found, right: found.x + found.width, bottom: found.y + found.height };
}

async function picked(chat: Chat): Promise<readonly unknown[]> {
  return (await chat.posted('setConfigOption')).map(({ configId, value }) => [configId, value]);
}

test('shows mode and model whole, other options in a keyboard-accessible menu', async () => {
  const chat = await browser.open(narrow);
  await showCrowd(chat);
  await chat.toolkit();
  for (const width of [700, 240, 290]) {
    await chat.page.setViewportSize({ width, height: 700 });
    const buttons = await Promise.all([add(chat), chat.button('Send'), chat.button('Stop')].map(box));
    assert.ok(buttons.every((button, at) => button.right <= width && (at !== 2 || button.x >= buttons[1]!.right)));
    const words = chat.page.locator('.pl-composer .bar .pl-pickr');
    const cut = await words.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    assert.equal(width === 240 ? 0 : cut, 0, `at ${width} px`);
  }
  await add(chat).focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.keyboard.press('End');
  await chat.page.keyboard.press('Enter');
  assert.equal(await menu(chat).evaluate((element) => element.contains(document.activeElement)), true);
  await picker(chat, 'Sandbox').focus();
  await chat.page.keyboard.press('ArrowDown');
  await chat.page.getByRole('option', { name: 'Read only' }).waitFor();
  await chat.page.keyboard.press('ArrowUp');
  await chat.page.keyboard.press('Enter');
  await menu(chat).getByRole('switch', { name: 'Search the web' }).focus();
  await chat.page.keyboard.press('Space');
  assert.deepEqual(await picked(chat), [
    ['sandbox', 'read'],
    ['web', false],
  ]);
  await chat.page.keyboard.press('Escape');
  assert.equal(await menu(chat).count(), 0);
  assert.equal(await add(chat).evaluate((element) => element === document.activeElement), true);
  // The list of models leads there, too.
  await picker(chat, 'Model').and(chat.page.locator('button')).focus();
  await chat.page.keyboard.press('ArrowDown');
  await chat.page.keyboard.press('End');
  await chat.page.keyboard.press('Enter');
  await menu(chat).waitFor();
  await chat.message.click();
  await menu(chat).waitFor({ state: 'detached' });
  await chat.close();
});

test('describes modes and warns of those that never ask', async () => {
  const chat = await browser.open(narrow);
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ configOptions: manyOptions }));
  await chat.toolkit();
  const mode = picker(chat, 'Mode');
  await mode.and(chat.page.locator('button')).focus();
  assert.equal(
    await mode.getAttribute('title'),
    'Mode: Bypass permissions\nAccepts every request by itself\nRuns without asking',
  );
  assert.equal(await chat.page.locator('.pickers .codicon-warning').first().isVisible(), true);
  assert.equal(await chat.message.getAttribute('placeholder'), 'Ask Claude (runs without asking)');
  await chat.page.keyboard.press('ArrowDown');
  const list = chat.page.getByRole('listbox', { name: 'Mode' });
  const warned = await list
    .getByRole('option')
    .evaluateAll((all) => all.map((one) => one.querySelector('.codicon-warning') !== null));
  assert.deepEqual(warned, [false, false, false, true]);
  assert.equal(await list.getByText('Edits files on its own and asks before commands').isVisible(), true);
  const active = () =>
    mode.evaluate(
      (button) =>
        document.getElementById(button.getAttribute('aria-activedescendant') ?? '')?.querySelector('.name')
          ?.textContent,
    );
  assert.equal(await active(), 'Bypass permissions');
  await chat.page.keyboard.press('Home');
  await chat.page.keyboard.press('p');
  assert.equal(await active(), 'Plan');
  await chat.page.keyboard.press('Escape');
  assert.equal(await list.count(), 0);
  await chat.page.keyboard.press('a');
  await chat.page.keyboard.press('Space');
  assert.deepEqual(await picked(chat), [['mode', 'default']]);
  await chat.close();
});

test("a long title gives way to the context's percentage", async () => {
  const chat = await browser.open({ ...narrow, width: 420 });
  await chat.showPage(pageWithSession());
  const usage = { state: 'known', used: 53_000, size: 200_000 } as const;
  await chat.showSession(sessionA, snapshot({ title: 'Add retries with backoff to the client', usage }));
  const box = chat.page.locator('.pl-usagebox');
  await box.getByText('27%').waitFor();
  assert.equal(await box.evaluate((element) => element.scrollWidth > element.clientWidth), false);
  await chat.close();
});

test('ends a placeholder that is too long with an ellipsis', async () => {
  const chat = await browser.open({ ...narrow, width: 240 });
  await chat.showPage(pageWithSession());
  const field = () => chat.message.evaluate(({ clientHeight, scrollHeight }) => ({ clientHeight, scrollHeight }));
  await chat.showSession(sessionA, snapshot({ agentName: 'A', availableCommands: [] }));
  const short = await field();
  await chat.showSession(
    sessionA,
    snapshot({ agentName: 'The agent with the long name', availableCommands: commands }),
  );
  assert.deepEqual(await field(), short);
  // The ellipsis is part of the picture, because no element has it.
  const shown = chat.page.locator('.pl-composer > .over-box');
  for (const hasFocus of [false, true]) {
    if (hasFocus) await chat.message.focus();
    await shown.evaluate((element) => (element.style.textOverflow = ''));
    const cut = await chat.message.screenshot({ caret: 'hide' });
    await shown.evaluate((element) => (element.style.textOverflow = 'clip'));
    assert.notDeepEqual(await chat.message.screenshot({ caret: 'hide' }), cut);
  }
  assert.equal(await shown.textContent(), await chat.message.getAttribute('placeholder'));
  await chat.message.fill('words');
  assert.equal(await shown.isVisible(), false);
  await chat.close();
});

test("keeps a file's name visible and shortens its folder first", async () => {
  const chat = await browser.open(narrow);
  await showCrowd(chat);
  await chat.page.getByRole('button', { name: /^5 files/ }).click();
  // A row under the pointer has buttons in the place of its counts.
  await chat.page.mouse.move(0, 0);
  // A row has less room for the name the more counts it has.
  for (const row of [
    chat.page.getByRole('article', { name: /^Tool call: Edit$/ }).locator('.head'),
    chat.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem').first(),
  ]) {
    await row.scrollIntoViewIfNeeded();
    const name = row.locator('.pl-name').first();
    const [outer, tail, counts] = [
      await box(row),
      await box(name.locator('.tail')),
      await box(row.locator('.num').first()),
    ];
    assert.ok(
      tail.width > 30 && tail.right <= counts.x && counts.right <= outer.right,
      JSON.stringify({ tail, counts }),
    );
  }
  const short = chat.page.getByRole('article', { name: 'Tool call: Read client.ts' }).locator('.lbl');
  const isWhole = await short.locator('.o').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  assert.equal(isWhole, true, 'the folder shrinks before the name');
  assert.equal(
    await chat.page.getByRole('button', { name: `Read ${longName}` }).count(),
    1,
    'its name is in one piece',
  );
  await chat.close();
});

test('keeps the shown session visible and lists six sessions for keyboards', async () => {
  const chat = await browser.open(narrow);
  await showCrowd(chat);
  assert.equal(await all(chat).getAttribute('aria-label'), 'All 6 sessions, 1 waiting for you');
  const last = otherSessions.at(-1)!.session;
  await chat.page.getByRole('tab').first().focus();
  await chat.page.keyboard.press('End');
  const strip = await box(chat.page.locator('.pl-tabs > .strip'));
  for (const tab of [chat.page.getByRole('tab').last(), chat.page.getByRole('tab', { selected: true })]) {
    const { x, right } = await box(tab);
    assert.ok(x >= strip.x - 1 && right <= strip.right + 1, 'a tab with the focus and the selected one are in sight');
  }
  await all(chat).focus();
  await chat.page.keyboard.press('ArrowDown');
  const texts = await sessions(chat).getByRole('option').allInnerTexts();
  assert.deepEqual(
    texts.map((text) => text.replace(/\s+/g, ' ').trim()),
    [
      'Retry flaky uploads , Claude',
      'Docs pass , waiting for you · Codex',
      'Temporal migration , running · Claude',
      'Bump eslint to 10 , Copilot',
      'Nightly timeout , stopped · Codex',
      'Explain the cache keys , Claude',
    ],
  );
  const marks = await sessions(chat)
    .locator('.mono-mark')
    .evaluateAll((found) => found.map((one) => one.getAttribute('data-letters')));
  assert.deepEqual(marks, ['Cl', 'Co', 'Cl', 'Cp', 'Co', 'Cl']);
  await chat.page.keyboard.press('Escape');
  assert.equal(await all(chat).evaluate((element) => element === document.activeElement), true);
  await chat.page.keyboard.press('Enter');
  for (const key of ['ArrowDown', 'n', 'Delete', 'End', 'Enter']) await chat.page.keyboard.press(key);
  assert.deepEqual(
    (await chat.posted('closeSession')).map(({ session }) => session),
    [otherSessions[3]!.session],
  );
  assert.deepEqual(
    (await chat.posted('selectSession')).map(({ session }) => session),
    [last],
  );
  assert.equal(await sessions(chat).count(), 0);
  await chat.close();
});

test('numbers sessions of one agent with the same title', async () => {
  const chat = await browser.open(narrow);
  await chat.showPage(pageWithSession([{ ...otherSessions[1]!, title: 'Retry flaky uploads', state: 'idle' }]));
  const names = await chat.page
    .getByRole('tab')
    .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('aria-label')));
  assert.deepEqual(names, ['Retry flaky uploads', 'Retry flaky uploads (2)']);
  await chat.close();
});

test('keeps room for the transcript and composer buttons in short panels', async () => {
  const chat = await browser.open(narrow);
  await showCrowd(chat, [askingForCommand]);
  await chat.page.getByRole('button', { name: /^Plan/ }).click();
  await chat.message.fill('line\n'.repeat(40));
  for (const height of [450, 300]) {
    await chat.page.setViewportSize({ width: 290, height });
    const feed = await box(chat.page.getByRole('feed'));
    assert.ok(feed.height >= 72, `at ${height} px, the transcript is ${feed.height} px high`);
    for (const name of ['Add Context', 'Send', 'Stop']) {
      const button = await box(chat.button(name));
      assert.ok(button.y >= feed.bottom && button.bottom <= height, `${name} at ${height} px`);
    }
    const tray = await box(chat.page.locator('.tray'));
    assert.ok(tray.height >= 24 && tray.bottom <= (await box(chat.page.locator('.pl-composer'))).y + 1);
  }
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Retry flaky uploads');
  await chat.close();
});

test('shows the jump button below the transcript without covering text', async () => {
  const chat = await browser.open({ width: 290, height: 450 });
  const paragraphs = Array.from({ length: 30 }, (_, at) => agentMessage(`m${at}`, `Paragraph ${at}. `.repeat(12)));
  await showCrowd(chat, [...paragraphs, askingForCommand]);
  await chat.page.getByRole('feed').hover();
  await chat.page.mouse.wheel(0, -400);
  const jump = chat.button('Jump to latest');
  await jump.waitFor();
  assert.ok((await box(jump)).y >= (await box(chat.page.getByRole('feed'))).bottom);
  await jump.click();
  await jump.waitFor({ state: 'hidden' });
  await chat.still();
  const left = await chat.page
    .getByRole('feed')
    .evaluate((feed) => feed.scrollHeight - feed.scrollTop - feed.clientHeight);
  assert.ok(left <= 1, 'it leads to the end');
  await chat.close();
});

test("keeps a request's file and header visible while its content scrolls", async () => {
  const chat = await browser.open(narrow);
  await showCrowd(chat, [askingForEdit]);
  await chat.page.setViewportSize({ width: 290, height: 560 });
  const card = chat.page.getByRole('article', { name: /^Tool call: Write/ });
  assert.equal(await card.locator('.q').textContent(), `Let Claude create ${longName}?`);
  assert.equal(
    await card.getByText(`packages/services/authentication/src/internal/${longName}`, { exact: true }).count(),
    1,
  );
  const feed = chat.page.getByRole('feed');
  await card.getByRole('button', { name: 'Reject', exact: true }).scrollIntoViewIfNeeded();
  await chat.still();
  const [head, view] = [await box(card.locator('.head').first()), await box(feed)];
  assert.ok(head.y >= view.y - 1 && head.bottom <= view.bottom, JSON.stringify({ head, view }));
  await card.getByText('waiting for you').waitFor();
  const diff = card.locator('.pl-diff');
  const shadow = () => diff.evaluate((element) => getComputedStyle(element, '::after').content);
  assert.equal(await shadow(), '""');
  await diff.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await chat.page.waitForFunction(() => {
    const element = document.querySelector('.asking .pl-diff');
    return element !== null && getComputedStyle(element, '::after').content === 'none';
  });
  await chat.close();
});

test('breaks no file name of a narrow request', async () => {
  const chat = await browser.open(narrow);
  const diff = { type: 'diff', path: '/w/README.md', oldText: 'a', newText: 'b' } as const;
  const call = {
    ...asking('r'),
    title: 'Edit README.md',
    toolKind: 'edit',
    content: [diff],
    rawInput: undefined,
  } as const;
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'Go'), call]));
  const head = chat.page.locator('.pl-tool.asking .head').first();
  const lines = await head.locator('.lbl').evaluate((label) => {
    const range = new Range();
    range.selectNodeContents(label);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4))).size;
  });
  assert.equal(lines, 1, await head.innerText());
  const [name, state] = [await box(head.locator('.lbl')), await box(head.getByText('waiting for you'))];
  assert.ok(state.y >= name.bottom - 1 || state.x >= name.right, JSON.stringify({ name, state }));
  await chat.close();
});

test('marks the edge of a diff that is too wide', async () => {
  const chat = await browser.open({ ...narrow, theme: 'highContrast' });
  await chat.showPage(pageWithSession());
  const wide = toolCall('wide', {
    title: 'Edit a.ts',
    toolKind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: '/home/me/harbor/a.ts', oldText: 'a\n', newText: `${'wide '.repeat(40)}\n` }],
  });
  await chat.showSession(sessionA, snapshot({}, [wide]));
  await chat.still();
  const edge = () =>
    chat.page
      .locator('.pl-diff .l')
      .first()
      .evaluate((line) => {
        const { content, borderInlineEndWidth, borderInlineEndColor } = getComputedStyle(line, '::after');
        return { content, borderInlineEndWidth, borderInlineEndColor };
      });
  assert.deepEqual(await edge(), {
    content: '""',
    borderInlineEndWidth: '1px',
    borderInlineEndColor: 'rgb(111, 195, 223)',
  });
  await chat.page.locator('.pl-diff').evaluate((element) => element.scrollTo(element.scrollWidth, 0));
  await chat.page.waitForFunction(() => {
    const line = document.querySelector('.pl-diff .l');
    return line !== null && getComputedStyle(line, '::after').content === 'none';
  });
  await chat.close();
});

test('in a dark theme, the edge of what scrolls is a shade', async () => {
  const chat = await browser.open({ ...narrow, theme: 'dark' });
  await showCrowd(chat);
  const strength = await chat.page.locator('.pl').evaluate((page) => {
    const probe = document.createElement('div');
    probe.style.color = 'var(--pl-scroll-shade)';
    page.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return Number(/(?:\/|,)\s*([\d.]+)\)$/.exec(color)?.[1] ?? 1);
  });
  assert.ok(strength > 0 && strength <= 0.4, `the shade has a strength of ${strength}`);
  await chat.close();
});

test('shows a whole answer beside a call', async () => {
  const chat = await browser.open(narrow);
  await chat.showPage(pageWithSession());
  const option = { optionId: 'allow', name: 'Yes, and do not ask again', kind: 'allow_once' } as const;
  const call = (id: string, permission: ToolCallEntry['permission']) =>
    toolCall(id, {
      rawInput: { command: 'npm test -- --run upload/retry' },
      status: 'completed',
      startedAt: 0,
      endedAt: 8000,
      permission,
    });
  const byRule = call('b', { state: 'answered', option, by: 'rule', rule: 'npm test *' });
  await chat.showSession(sessionA, snapshot({}, [call('a', { state: 'answered', option, by: 'you' }), byRule]));
  const answers = chat.page.locator('.pl-tool .ans');
  await answers.nth(1).waitFor();
  for (const [width, words] of [
    [290, ['allowed', 'allowed']],
    [420, ['allowed', 'allowed by rule']],
  ] as const) {
    await chat.page.setViewportSize({ width, height: 700 });
    assert.deepEqual(await answers.allInnerTexts(), words);
    const isWhole = await answers.evaluateAll((all) => all.every((one) => one.scrollWidth <= one.clientWidth));
    assert.ok(isWhole, `at ${width} px`);
  }
  assert.deepEqual(await answers.evaluateAll((all) => all.map((one) => one.getAttribute('title'))), [
    'You allowed this (Yes, and do not ask again)',
    'Allowed by rule: npm test *',
  ]);
  await chat.close();
});

test('hides tabs of which only a stripe is in sight', async () => {
  const chat = await browser.open(narrow);
  const key = (at: number) => (at === 2 ? sessionA : (`t${at}` as SessionKey));
  const sessions = Array.from({ length: 5 }, (_, at) => listing(key(at), { state: at === 2 ? 'idle' : 'closed' }));
  await chat.showPage({ ...pageWithSession(), sessions, active: sessionA });
  await chat.showSession(sessionA, snapshot());
  const marks = chat.page.locator('.pl-tab .dot.err');
  // Each mark is either all in sight or hidden.
  const halves = () =>
    marks.evaluateAll((all) =>
      all.flatMap((mark) => {
        const tab = mark.closest('.pl-tab');
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        const isThere = (x: number) => tab?.contains(document.elementFromPoint(x, (top + bottom) / 2)) === true;
        const isHidden = tab !== null && getComputedStyle(tab).opacity === '0';
        return isHidden || isThere(left + 4) === isThere(right - 4) ? [] : [`${left} to ${right}`];
      }),
    );
  for (const width of [240, 260, 290, 300, 420]) {
    await chat.page.setViewportSize({ width, height: 700 });
    await chat.still();
    assert.deepEqual(await halves(), [], `at ${width} px`);
    const selected = await box(chat.page.locator('.pl-tab[data-selected="true"]'));
    assert.ok(selected.right <= (await box(chat.page.locator('.pl-tabs > .strip'))).right + 1, `at ${width} px`);
  }
  // A hidden tab shows itself with the focus.
  await chat.page.setViewportSize(narrow);
  await chat.page.getByRole('tab').first().focus();
  assert.equal(
    await chat.page
      .locator('.pl-tab')
      .first()
      .evaluate((tab) => getComputedStyle(tab).opacity),
    '1',
  );
  await chat.close();
});

test('tabs show their marks whole, and no half letter', async () => {
  const chat = await browser.open({ ...narrow, width: 420 });
  await showCrowd(chat);
  const tabs = () =>
    chat.page.locator('.pl-tab').evaluateAll((all) => {
      const strip = document.querySelector('.pl-tabs > .strip')?.getBoundingClientRect() ?? new DOMRect();
      const sight = (element: Element | null) => {
        const { left, right, width } = element?.getBoundingClientRect() ?? new DOMRect();
        const isHidden =
          element === null || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        if (isHidden || right <= strip.left || left >= strip.right || width === 0) return 'none';
        return left >= strip.left - 0.5 && right <= strip.right + 0.5 ? 'whole' : 'cut';
      };
      return all.map((tab) => {
        const title = tab.querySelector('.label > .clip');
        const ends = title === null ? '' : getComputedStyle(title).textOverflow;
        return {
          tab: sight(tab),
          mark: sight(tab.querySelector('.label > :first-child')),
          letters: sight(tab.querySelector('.mono-mark')),
          title: sight(title),
          ends,
        };
      });
    });
  for (const width of [420, 290]) {
    await chat.page.setViewportSize({ width, height: 700 });
    await chat.still();
    const shown = (await tabs()).filter(({ tab }) => tab !== 'none');
    assert.ok(shown.length >= 2, `at ${width} px, ${shown.length} tabs are in sight`);
    for (const { mark, letters, title, ends } of shown) {
      assert.deepEqual([mark, letters, ends], ['whole', 'whole', 'ellipsis'], `at ${width} px`);
      assert.notEqual(title, 'cut', `at ${width} px`);
    }
  }
  await chat.close();
});

test("leaves the tour's end room, and cuts file names by letters", async () => {
  const chat = await browser.open({ ...narrow, width: 240 });
  await showCrowd(chat, [
    {
      id: 'end' as EntryId,
      turn: 1,
      kind: 'notice',
      severity: 'info',
      title: 'That was the tour. Continue with an agent of your own, in this folder.',
      offer: 'agent',
    },
  ]);
  const lines = await chat.page.locator('.pl-notice .text').evaluate((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
  assert.ok(lines <= 4, `${lines} lines`);
  const tails = chat.page.locator('.pl-name > .tail');
  const cut = await tails.evaluateAll((all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow !== 'ellipsis'),
  );
  assert.equal(cut.length, 0);
  await chat.close();
});
