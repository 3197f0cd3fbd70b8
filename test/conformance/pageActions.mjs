// @ts-check

/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').FrameLocator | import('playwright-core').Frame} Document */
/** @typedef {{ role?: any, name?: string, exact?: boolean, css?: string, text?: string, hasText?: string, place?: string }} Target */
/** @typedef {Target & { action: string, title?: string, option?: string, value?: string, attribute?: string }} Wish */

/** What takes longer (ms) does not come; a busy machine takes its time. */
export const timeout = 20_000;

/**
 * What can be read of elements; after a frame, for before it the browser leaves out what has just come and what it may skip. A page that
 * is hidden has no frames, and does not hold anything up.
 * @param {readonly Element[]} elements
 */
async function innerTexts(elements) {
  const frame = new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await Promise.race([frame, new Promise((resolve) => setTimeout(resolve, 500))]);
  return elements.map((element) => (element instanceof HTMLElement ? element.innerText : (element.textContent ?? '')));
}

/**
 * Looks at a page and uses it.
 * @param {Document} chat
 * @param {Wish} wish
 * @param {() => Promise<unknown>} elsewhere does what is none of the page's
 * @returns {Promise<unknown>}
 */
export async function servePage(chat, wish, elsewhere) {
  const found = () => locate(chat, wish);
  switch (wish.action) {
    case 'see':
      return found().first().waitFor({ timeout });
    case 'miss':
      return found().first().waitFor({ state: 'hidden', timeout });
    case 'click':
      return found().first().click({ timeout });
    case 'menu':
      return found().first().click({ button: 'right', timeout });
    case 'type':
      return found()
        .first()
        .fill(wish.value ?? '', { timeout });
    case 'texts':
      return found().evaluateAll(innerTexts);
    case 'attribute':
      return found()
        .first()
        .getAttribute(wish.attribute ?? '', { timeout });
    case 'attributes': {
      const all = await found().all();
      const seen = await Promise.all(all.map(async (one) => ((await one.isVisible()) ? [one] : [])));
      return Promise.all(seen.flat().map((one) => one.getAttribute(wish.attribute ?? '')));
    }
    case 'choose': {
      const list = await reveal(chat, wish.name ?? '');
      const form = await list.evaluate((element) => element.localName);
      if (form === 'select') return list.selectOption({ label: wish.option ?? '' });
      await list.click({ timeout });
      // One with a search opens beside its button.
      const opened = form === 'button' ? chat.getByRole('listbox', { name: wish.name ?? '', exact: true }) : list;
      return opened.getByRole('option', { name: wish.option ?? '', exact: true }).click({ timeout });
    }
    case 'value':
      return setting(chat, wish.name ?? '').evaluate((element) => /** @type {any} */ (element).value);
    case 'turnOver':
      return (await reveal(chat, wish.name ?? '')).click({ timeout });
    case 'reveal':
      return void (await reveal(chat, wish.name ?? ''));
    case 'open': {
      const head = chat
        .locator('article button.tog')
        .filter({ hasText: wish.hasText ?? '' })
        .first();
      if ((await head.getAttribute('aria-expanded', { timeout })) !== 'true') await head.click({ timeout });
      return;
    }
    case 'write': {
      const message = chat.getByRole('textbox', { name: 'Message', exact: true });
      await message.click({ timeout });
      return message.fill(wish.text ?? '');
    }
    case 'send': {
      const message = chat.getByRole('textbox', { name: 'Message', exact: true });
      await message.click({ timeout });
      await message.fill(wish.text ?? '');
      return message.press('Enter');
    }
    case 'answer': {
      const question = chat.getByRole('group', { name: beginsWith(`Permission: ${wish.title}`) });
      // For its first half second a request takes no answer, against slips.
      const ready = question.and(chat.locator('[data-ready=true]'));
      const name = holding(wish.option ?? '');
      const button = ready.getByRole('button', { name }).first();
      const more = ready.getByRole('button', { name: 'More answers', exact: true });
      // A request that is edited gets its button a moment later, so what isn't there yet is looked for again.
      for (;;) {
        await button.or(more).first().waitFor({ timeout });
        if (await button.isVisible()) return answerWith(button);
        // Of several requests, the one whose menu has it is meant.
        for (const one of await more.all()) {
          await one.click({ timeout });
          const item = chat.getByRole('menuitem', { name }).first();
          if (await item.isVisible()) return item.click({ timeout });
          await chat.getByRole('menu', { name: 'More answers' }).press('Escape', { timeout });
        }
      }
    }
    case 'startAgain': {
      const byItself = chat.getByRole('alert').filter({ hasText: 'restarts by itself' });
      const byUser = chat.getByRole('button', { name: 'Restart and continue' });
      await byItself.or(byUser).first().waitFor({ timeout });
      if (await byUser.isVisible()) await byUser.click({ timeout });
      return;
    }
    case 'fill':
      return chat
        .getByRole('form', wish.title === undefined ? {} : { name: wish.title, exact: true })
        .getByLabel(wish.name ?? '', { exact: true })
        .fill(wish.value ?? '', { timeout });
    case 'answerForm': {
      const form = chat.getByRole('form', { name: wish.title ?? '', exact: true });
      const button = form.getByRole('button', { name: wish.option ?? '', exact: true });
      // A form that moves takes no answer for half a second, scrolling included.
      await button.scrollIntoViewIfNeeded({ timeout });
      await form.and(chat.locator('[data-ready=true]')).waitFor({ timeout });
      return answerWith(button);
    }
    default:
      return elsewhere();
  }
}

/**
 * Presses a button of a question. One that a page moves in that moment takes no answer, and a person presses it again.
 * @param {Locator} found
 */
async function answerWith(found) {
  const button = await found.elementHandle({ timeout });
  await button?.click({ timeout });
  const isOver = () => /** @type {const} */ (true);
  const isAnswered = await button?.waitForElementState('hidden', { timeout: 2000 }).then(isOver, () => false);
  if (isAnswered === false) await button?.click({ timeout });
}

/** @param {Document} chat @param {Target} target @returns {Locator} */
function locate(chat, { role, name, exact, css, text, hasText }) {
  const found = role
    ? chat.getByRole(role, name === undefined ? {} : { name, exact: exact ?? false })
    : css
      ? chat.locator(css)
      : // What is covered by another view has its text all the same.
        chat.getByText(text ?? '', { exact: exact ?? false }).filter({ visible: true });
  // What is said to screen readers for a moment stands beside what is shown.
  const shown = found.and(chat.locator(':not(.pl-speech *)'));
  return hasText === undefined ? shown : shown.filter({ hasText });
}

/** A setting of the session's, of either form. @param {Document} chat @param {string} name */
function setting(chat, name) {
  return chat
    .getByRole('combobox', { name, exact: true, includeHidden: true })
    .or(chat.getByRole('switch', { name, exact: true, includeHidden: true }))
    .first();
}

/** Brings a setting into sight. @param {Document} chat @param {string} name */
async function reveal(chat, name) {
  const found = setting(chat, name);
  await found.waitFor({ state: 'attached', timeout });
  if (!(await found.isVisible())) {
    await chat.getByRole('button', { name: 'Add Context' }).click({ timeout });
    await chat.getByRole('menuitem', { name: 'More options…' }).click({ timeout });
  }
  await found.waitFor({ timeout });
  return found;
}

/** @param {string} text */
function beginsWith(text) {
  return new RegExp(`^${holding(text).source}`);
}

/** @param {string} text */
function holding(text) {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
