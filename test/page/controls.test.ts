import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser } from './chat';
import { configOptions, pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();

for (const form of ['native', 'toolkit'] as const) {
  test(`changes the session's settings with ${form} controls`, async () => {
    const chat = await browser.open({ width: 700 });
    // Without its chunk the toolkit never arrives, and the native controls stay.
    if (form === 'native') {
      await chat.page.route('**/chunks/dist-*', (route) => route.abort());
      await chat.reload();
    }
    await chat.showPage(pageWithSession());
    await chat.showSession(sessionA, snapshot({ configOptions }));
    if (form === 'toolkit') await chat.toolkit();
    const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true });
    await mode.and(chat.page.locator(form === 'native' ? 'select' : 'button')).waitFor();
    if (form === 'native') {
      await mode.selectOption('plan');
    } else {
      await mode.click();
      await chat.page.getByRole('option', { name: 'Plan' }).click();
    }
    await chat.page.getByRole('switch', { name: 'Fast answers' }).click();
    assert.deepEqual(await chat.posted('setConfigOption'), [
      { type: 'setConfigOption', session: sessionA, configId: 'mode', value: 'plan' },
      { type: 'setConfigOption', session: sessionA, configId: 'fast', value: true },
    ]);
    await chat.apply(sessionA, 0, [
      { op: 'view', fields: { configOptions: configOptions.map((option) => ({ ...option })) } },
    ]);
    const shown = await mode.evaluate((element) => (element as HTMLSelectElement).value);
    assert.equal(shown, 'default', 'what the agent says is what is shown');
    await chat.close();
  });
}

for (const form of ['native', 'toolkit'] as const) {
  test(`shows settings that can’t be changed before the agent starts: ${form}`, async () => {
    const chat = await browser.open({ width: 700 });
    if (form === 'native') {
      await chat.page.route('**/chunks/dist-*', (route) => route.abort());
      await chat.reload();
    }
    await chat.showPage(pageWithSession());
    await chat.showSession(sessionA, snapshot({ configOptions, connection: { state: 'closed' } }));
    if (form === 'toolkit') await chat.toolkit();
    const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true });
    await mode.and(chat.page.locator(form === 'native' ? 'select' : 'button')).waitFor();
    const fast = chat.page.getByRole('switch', { name: 'Fast answers' });
    assert.equal(await mode.evaluate((element) => (element as HTMLSelectElement).value), 'default');
    assert.deepEqual([await mode.isDisabled(), await fast.isDisabled()], [true, true]);
    await mode.click({ force: true });
    await fast.click({ force: true });
    await chat.page.getByRole('textbox', { name: 'Message' }).press('Shift+Tab');
    assert.deepEqual(
      (await chat.allPosted()).filter(({ type }) => type === 'setConfigOption'),
      [],
    );
    await chat.apply(sessionA, 0, [{ op: 'view', fields: { connection: { state: 'ready' } } }]);
    await fast.click();
    assert.equal(await mode.isDisabled(), false);
    assert.deepEqual(await chat.posted('setConfigOption'), [
      { type: 'setConfigOption', session: sessionA, configId: 'fast', value: true },
    ]);
    await chat.close();
  });
}

test("allows choosing again after the agent changed an open list's value", async () => {
  const chat = await browser.open({ width: 700 });
  await chat.showPage(pageWithSession());
  // Choices without descriptions and warnings: the toolkit's list shows neither.
  const plain = configOptions.map((one) =>
    one.type === 'select'
      ? { ...one, choices: one.choices.slice(0, 2).map(({ value, name }) => ({ value, name })) }
      : one,
  );
  await chat.showSession(sessionA, snapshot({ configOptions: plain }));
  await chat.toolkit();
  const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true });
  await mode.and(chat.page.locator('vscode-dropdown')).waitFor();
  const chosen = () => mode.evaluate((element) => (element as HTMLSelectElement).value);
  const option = (name: string) => chat.page.getByRole('option', { name, exact: true });
  const planned = plain.map((one) => (one.configId === 'mode' ? { ...one, currentValue: 'plan' } : one));
  await mode.click();
  await option('Plan').waitFor();
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { configOptions: planned as typeof configOptions } }]);
  await mode.press('Escape');
  assert.equal(await chosen(), 'plan');
  const wishes = (await chat.allPosted()).filter(({ type }) => type === 'setConfigOption');
  assert.deepEqual(wishes, [], 'to close the list is no choice');
  await mode.click();
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { configOptions: plain } }]);
  await option('Plan').click();
  assert.equal(await chosen(), 'plan');
  assert.deepEqual(await chat.posted('setConfigOption'), [
    { type: 'setConfigOption', session: sessionA, configId: 'mode', value: 'plan' },
  ]);
  await chat.close();
});

for (const form of ['native', 'toolkit', 'own'] as const) {
  test(`ignores a click on a list that the agent just changed: ${form}`, async () => {
    const chat = await browser.open({ width: 700 });
    if (form === 'native') {
      await chat.page.route('**/chunks/dist-*', (route) => route.abort());
      await chat.reload();
    }
    await chat.showPage(pageWithSession());
    const names = (...all: readonly string[]) => {
      const choices = all.map((name) => {
        return { value: name, name, ...(form === 'own' && { description: `To ${name}` }) };
      });
      return configOptions.map((one) => (one.configId === 'mode' ? { ...one, currentValue: 'Ask', choices } : one));
    };
    await chat.showSession(sessionA, snapshot({ configOptions: names('Ask', 'Plan') as typeof configOptions }));
    if (form !== 'native') await chat.toolkit();
    const tag = { native: 'select', toolkit: 'vscode-dropdown', own: 'button' }[form];
    const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true }).and(chat.page.locator(tag));
    await mode.waitFor();
    // A select opens a list outside of the page, so the choice stands for a click in it.
    const choose = async (name: string) => {
      if (form === 'native') await mode.selectOption(name);
      else await chat.page.getByRole('option', { name, exact: true }).click();
    };
    const open = () => (form === 'native' ? mode.focus() : mode.click());
    await open();
    const changed = names('Ask', 'Do everything', 'Plan') as typeof configOptions;
    await chat.apply(sessionA, 0, [{ op: 'view', fields: { configOptions: changed } }]);
    await mode.page().locator('[role=option], option', { hasText: 'Do everything' }).waitFor({ state: 'attached' });
    // The page's clock goes back, so that the click comes in time.
    await chat.page.evaluate(() => {
      const now = performance.now() - 60_000;
      performance.now = () => now;
    });
    await choose('Do everything');
    const picked = async () =>
      (await chat.allPosted()).flatMap((message) => (message.type === 'setConfigOption' ? [message.value] : []));
    assert.deepEqual(await picked(), []);
    await chat.page.evaluate(() => {
      const now = performance.timeOrigin + 60_000;
      performance.now = () => now;
    });
    if (form === 'toolkit') await open();
    await choose('Plan');
    assert.deepEqual(await picked(), ['Plan']);
    await chat.close();
  });
}

test('does not replace a control in use when the toolkit loads', async () => {
  const chat = await browser.open({ width: 700 });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await chat.page.route('**/chunks/dist-*', async (route) => {
    await held;
    await route.continue();
  });
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ configOptions }));
  const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true });
  await mode.focus();
  release();
  await chat.page.waitForFunction(() => customElements.get('vscode-dropdown') !== undefined);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { title: 'Other' } }]);
  assert.equal(await mode.evaluate((element) => element.localName), 'select');
  await chat.message.focus();
  await mode.and(chat.page.locator('button')).waitFor();
  await chat.close();
});
