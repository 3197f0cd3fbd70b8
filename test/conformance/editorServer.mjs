// @ts-check

/** @typedef {import('./pageActions.mjs').Wish} Wish */

/**
 * Uses what the editor itself shows: its lists, boxes, notifications and questions.
 * @param {import('playwright-core').Page} window
 * @param {Wish} wish
 * @param {number} timeout
 * @returns {Promise<unknown>}
 */
export async function serveEditor(window, wish, timeout) {
  const rows = window.locator('.quick-input-list .monaco-list-row');
  const row = rows.filter({ hasText: wish.text ?? '' }).first();
  switch (wish.action) {
    case 'quickPick':
      await row.waitFor({ timeout });
      // The list moves while it opens: a click would meet another row.
      await window
        .locator('.quick-input-widget')
        .evaluate((list) => Promise.allSettled(list.getAnimations({ subtree: true }).map(({ finished }) => finished)));
      await untilSteady(window);
      return row.click({ timeout });
    case 'quickPickSees':
      return row.waitFor({ timeout });
    case 'quickPickFilter':
      return window.locator('.quick-input-widget:visible .quick-input-box input').fill(wish.text ?? '', { timeout });
    case 'quickPickTexts':
      return rows.allInnerTexts();
    case 'quickPickAccept':
      await untilSteady(window);
      return window.locator('.quick-input-widget:visible .quick-input-box input').press('Enter', { timeout });
    case 'quickPickTitleButton':
      // A hover of the row that was clicked last would lie over it.
      await window.mouse.move(0, 0);
      return window
        .locator('.quick-input-widget:visible .quick-input-titlebar')
        .getByRole('button', { name: wish.option ?? '' })
        .click({ timeout });
    case 'quickPickButton':
      await row.waitFor({ timeout });
      await untilSteady(window);
      return pressInRow(window, row, wish.option ?? '', timeout);
    case 'inputBox': {
      const box = window.locator('.quick-input-widget:visible');
      await box.filter({ hasText: wish.text ?? '' }).waitFor({ timeout });
      const input = box.locator('.quick-input-box input');
      const type = await input.getAttribute('type');
      await input.fill(wish.value ?? '', { timeout });
      await input.press('Enter');
      return type;
    }
    case 'notification': {
      const item = window.locator('.notification-list-item:visible', { hasText: wish.text ?? '' }).first();
      const isShown = await item.waitFor({ timeout: timeout / 5 }).then(
        () => true,
        () => false,
      );
      // Of many at once the editor shows only the first ones by themselves: the others are behind the bell.
      if (!isShown) await window.locator('.statusbar [id="status.notifications"] a').click({ timeout });
      const words = await item.innerText({ timeout });
      await item.getByRole('button', { name: wish.option ?? '', exact: true }).click({ timeout });
      return words;
    }
    default:
      throw new Error(`There is no ${wish.action}.`);
  }
}

/**
 * The list of sessions grows while it is open: what has just come to its place takes no choice for half a second, and a person looks
 * before they choose.
 * @param {import('playwright-core').Page} window
 */
async function untilSteady(window) {
  const list = window.locator('.quick-input-widget:visible');
  if ((await list.locator('.quick-input-titlebar').getByText('Sessions', { exact: true }).count()) === 0) return;
  // Under a pointer that rests, the editor shows a hover, which lies over the rows.
  await window.mouse.move(0, 0);
  await list.evaluate((widget) => {
    return new Promise((resolve) => {
      const rest = () => setTimeout(() => (watch.disconnect(), resolve(undefined)), 600);
      const watch = new MutationObserver(() => {
        clearTimeout(timer);
        timer = rest();
      });
      let timer = rest();
      watch.observe(widget, { subtree: true, childList: true, characterData: true });
    });
  });
}

/**
 * Presses a button of a row, which is there while the pointer is over it: a list that is filled anew meanwhile has rows that know of no
 * pointer until it moves.
 * @param {import('playwright-core').Page} window
 * @param {import('playwright-core').Locator} row
 * @param {string} name
 * @param {number} timeout
 */
async function pressInRow(window, row, name, timeout) {
  const deadline = Date.now() + timeout;
  for (;;) {
    await row.hover({ timeout });
    try {
      return await row.getByRole('button', { name }).click({ timeout: 1000 });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await window.mouse.move(0, 0);
    }
  }
}
