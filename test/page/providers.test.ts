import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FromProvidersPage, ToProvidersPage } from '../../src/shared/pages/modelProviders';
import { useBrowser, type Chat } from './chat';
import { provider, providers, stored, tools, turnedOff } from './providersSamples';

const browser = useBrowser();

async function open(...messages: readonly ToProvidersPage[]): Promise<Chat> {
  const chat = await browser.open({ page: 'providers', host: 'editor' });
  for (const message of messages) await chat.receive(message);
  return chat;
}

/** What the page wants of the host, the first word that it is there left out. */
async function wanted(chat: Chat): Promise<readonly FromProvidersPage[]> {
  return ((await chat.allPosted()) as unknown as readonly FromProvidersPage[]).slice(1);
}

const invalid = (chat: Chat) => chat.page.locator('[aria-invalid=true]');
const focusedName = (chat: Chat) => chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const outcome = (isDone: boolean): ToProvidersPage => ({
  type: 'outcome',
  providerId: 'main',
  isDone,
  ...(isDone
    ? { title: 'Saved.', next: 'Open a new session.' }
    : { title: 'Claude didn’t accept the change.', next: 'bad key' }),
});

test('sets a provider by type, URL, and headers', async () => {
  const chat = await open(providers(provider()));
  const form = chat.page.getByRole('form', { name: 'main' });
  await form.getByText('In use: anthropic at https://api.anthropic.example').waitFor();
  await form.getByLabel('API type').selectOption('vertex');
  await form.getByLabel('Base URL').fill('https://gateway.example/v1');
  await chat.button('Add header').click();
  assert.equal(await focusedName(chat), 'Header name');
  await chat.page.keyboard.type('X-Api-Key');
  await chat.page.keyboard.press('Tab');
  assert.equal(await focusedName(chat), 'Value of X-Api-Key');
  await chat.page.keyboard.type('forest-4711');
  assert.equal(await chat.page.getByLabel('Value of X-Api-Key').getAttribute('type'), 'password');
  await chat.page.keyboard.press('Enter');
  const headers = [{ name: 'X-Api-Key', value: 'forest-4711' }];
  const draft = { providerId: 'main', apiType: 'vertex', baseUrl: 'https://gateway.example/v1', headers };
  assert.deepEqual(await wanted(chat), [{ type: 'save', draft }]);
  // Once is enough.
  await chat.button('Save').click({ force: true });
  assert.equal((await wanted(chat)).length, 1);
  await chat.close();
});

test('keeps typed values when refused and removes them when saved', async () => {
  const chat = await open(providers(provider()));
  await chat.page.getByLabel('Base URL').fill('https://gateway.example/v1');
  await chat.button('Add header').click();
  await chat.page.getByLabel('Header name').fill('X-Key');
  await chat.page.getByLabel('Value of X-Key').fill('forest-4711');
  await chat.button('Save').click();
  await chat.receive(outcome(false));
  await chat.receive(providers(provider()));
  await chat.page.getByRole('alert').getByText('bad key').waitFor();
  assert.equal(await chat.page.getByLabel('Base URL').inputValue(), 'https://gateway.example/v1');
  assert.equal(await chat.page.getByLabel('Value of X-Key').inputValue(), 'forest-4711');
  await chat.button('Save').click();
  assert.equal((await wanted(chat)).length, 2);
  await chat.receive(outcome(true));
  const initial = { apiType: 'vertex', baseUrl: 'https://gateway.example/v1', headerNames: ['X-Key'] };
  await chat.receive(providers(provider({ stored: 'config', initial })));
  await chat.page.getByRole('status').getByText('Saved.').waitFor();
  const value = chat.page.getByLabel('Value of X-Key');
  assert.deepEqual([await value.inputValue(), await value.getAttribute('placeholder')], ['', 'Saved']);
  assert.ok(!(await chat.page.content()).includes('forest-4711'));
  await chat.close();
});

test('keeps text that is typed during a save', async () => {
  const chat = await open(providers(provider()));
  await chat.page.getByLabel('Base URL').fill('https://one.example');
  await chat.button('Save').click();
  await chat.page.getByLabel('Base URL').fill('https://two.example');
  await chat.receive(outcome(true));
  await chat.receive(providers(provider()));
  assert.equal(await chat.page.getByLabel('Base URL').inputValue(), 'https://two.example');
  await chat.close();
});

test('keeps a stored value under its name; new names require one', async () => {
  const chat = await open(providers(stored));
  await chat.page.getByText('A value is saved.').first().waitFor({ state: 'attached' });
  await chat.page.getByLabel('Value of X-Team').fill('owls');
  await chat.button('Save').click();
  const [saved] = await wanted(chat);
  assert.deepEqual(saved?.type === 'save' && saved.draft.headers, [
    { name: 'Authorization' },
    { name: 'X-Team', value: 'owls' },
  ]);
  await chat.receive(outcome(false));
  await chat.page.getByLabel('Header name').first().fill('Cookie');
  await chat.button('Save').click();
  assert.equal((await wanted(chat)).length, 1);
  assert.equal(await focusedName(chat), 'Value of Cookie');
  await chat.page.getByText('Enter a value or remove the header.').waitFor();
  await chat.button('Remove Cookie').click();
  assert.equal(await focusedName(chat), 'Header name');
  assert.equal(await chat.page.getByLabel('Header name').inputValue(), 'X-Team');
  await chat.close();
});

test('shows errors at their fields only when the user saves', async () => {
  const chat = await open(providers(provider()));
  const url = chat.page.getByLabel('Base URL');
  await url.fill('gateway.example');
  assert.equal(await invalid(chat).count(), 0);
  await chat.button('Save').click();
  assert.deepEqual(await wanted(chat), []);
  assert.equal(await url.evaluate((element) => element === document.activeElement), true);
  const described = async () => chat.page.locator(`#${String(await url.getAttribute('aria-describedby'))}`).innerText();
  assert.match(await described(), /Enter a full URL/);
  await url.fill('https://me:key@gateway.example');
  assert.match(await described(), /Don’t put a user name or password in the URL/);
  await url.fill('https://gateway.example');
  assert.equal(await invalid(chat).count(), 0);
  await chat.close();
});

test('warns of an unencrypted URL but allows saving it', async () => {
  const chat = await open(providers(provider()));
  const warning = chat.page.getByText('Not encrypted');
  await chat.page.getByLabel('Base URL').fill('http://localhost:4000');
  assert.equal(await warning.count(), 0);
  await chat.page.getByLabel('Base URL').fill('http://gateway.example');
  await warning.waitFor();
  await chat.button('Save').click();
  assert.equal((await wanted(chat)).length, 1);
  await chat.close();
});

test('turns off and removes providers by button, except required ones', async () => {
  const chat = await open(providers(stored));
  await chat.button('Turn off').click();
  await chat.receive({ type: 'outcome', providerId: 'main', isDone: true, title: 'Turned off.', next: '' });
  await chat.receive(providers(turnedOff(stored)));
  await chat.page.getByText('Off.', { exact: true }).waitFor();
  assert.equal(await chat.button('Turn off').count(), 0);
  await chat.button('Clear saved settings').click();
  assert.deepEqual(await wanted(chat), [
    { type: 'turnOff', providerId: 'main' },
    { type: 'forget', providerId: 'main' },
  ]);
  await chat.receive(providers(provider({ isRequired: true })));
  await chat.page.getByText('Claude requires this provider, so it can’t be turned off.').waitFor();
  assert.equal(await chat.button('Turn off').count(), 0);
  assert.equal(await chat.button('Clear saved settings').count(), 0);
  await chat.receive(providers(provider({ isListed: false, stored: 'config', supported: [] })));
  await chat.page.getByText('Claude no longer lists this provider').waitFor();
  assert.equal(await chat.button('Save').count(), 0);
  assert.equal(await chat.button('Clear saved settings').count(), 1);
  await chat.close();
});

test('accepts any type if the agent lists none', async () => {
  const initial = { apiType: '', baseUrl: '', headerNames: [] };
  const chat = await open(providers(provider({ supported: [], initial })));
  await chat.page.getByLabel('API type').fill('of-tomorrow');
  await chat.page.getByLabel('Base URL').fill('https://gateway.example');
  await chat.button('Save').click();
  const [saved] = await wanted(chat);
  assert.equal(saved?.type === 'save' && saved.draft.apiType, 'of-tomorrow');
  await chat.close();
});

test("shows why the agent doesn't answer and asks again", async () => {
  const chat = await open({ type: 'providers', agentName: 'Claude', shown: { state: 'asking' } });
  await chat.page.getByRole('status').getByText('Loading model providers from Claude').waitFor();
  const shown = {
    state: 'failed',
    title: 'Couldn’t get model providers from Claude.',
    next: 'The agent has exited.',
  } as const;
  await chat.receive({ type: 'providers', agentName: 'Claude', shown });
  await chat.page.getByRole('alert').getByText('The agent has exited.').waitFor();
  await chat.button('Try again').click();
  assert.deepEqual(await wanted(chat), [{ type: 'askAgain' }]);
  await chat.receive(providers());
  await chat.page.getByText('Claude has no configurable providers.').waitFor();
  await chat.close();
});

test('leads to a required login and keeps typed values', async () => {
  const chat = await open(providers(provider()));
  await chat.page.getByLabel('Base URL').fill('https://gateway.example/v1');
  await chat.button('Save').click();
  await chat.receive({ ...outcome(false), wantsLogin: true } as ToProvidersPage);
  await chat.receive(providers(provider()));
  await chat.button('Log In…').click();
  const shown = {
    state: 'failed',
    title: 'Couldn’t get model providers from Claude.',
    next: 'It needs you to log in.',
  } as const;
  await chat.receive({ type: 'providers', agentName: 'Claude', shown: { ...shown, wantsLogin: true } });
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.button('Log In…').click();
  assert.deepEqual(
    (await wanted(chat)).map(({ type }) => type),
    ['save', 'logIn', 'logIn'],
  );
  await chat.receive(providers(provider()));
  assert.equal(await chat.page.getByLabel('Base URL').inputValue(), 'https://gateway.example/v1');
  assert.equal(await chat.button('Log In…').count(), 1);
  await chat.close();
});

test('takes no focus when opened and follows its security policy', async () => {
  const chat = await open(providers(stored, provider({ providerId: 'other' })));
  assert.equal(await chat.page.evaluate(() => document.activeElement === document.body), true);
  assert.deepEqual([await chat.violations(), chat.errors], [[], []]);
  await chat.close();
});

test("turns the editor's tools on and off, all or one", async () => {
  const chat = await open(tools());
  await chat.page.getByRole('heading', { name: 'Editor tools for Claude' }).waitFor();
  const agent = chat.page.getByRole('checkbox', { name: 'Let Claude use the editor’s tools' });
  assert.equal(await agent.isChecked(), true);
  await agent.focus();
  await chat.page.keyboard.press('Space');
  const hover = chat.page.getByRole('group', { name: 'By default' }).getByLabel('Types and documentation');
  assert.equal(await hover.isChecked(), false);
  await hover.click();
  await chat.page.getByRole('group', { name: 'More tools' }).getByLabel('Rename symbols').click();
  assert.deepEqual(await wanted(chat), [
    { type: 'setTools', isOn: false },
    { type: 'setTool', name: 'hover', isOn: true },
    { type: 'setTool', name: 'renameSymbol', isOn: false },
  ]);
  // What the settings say counts, even if they could not be changed.
  await chat.receive(tools());
  assert.deepEqual([await agent.isChecked(), await hover.isChecked()], [true, false]);
  await chat.close();
});

test('enables tools that are off for all agents; shows providers on request', async () => {
  const chat = await open(tools({ isOffForAll: true }));
  assert.equal(await chat.page.getByRole('checkbox').and(chat.page.locator(':enabled')).count(), 0);
  await chat.button('Turn on').click();
  await chat.button('Show model providers').click();
  assert.deepEqual(await wanted(chat), [{ type: 'allowTools' }, { type: 'askAgain' }]);
  await chat.receive(providers(provider()));
  await chat.page.getByRole('form', { name: 'main' }).waitFor();
  await chat.close();
});
