import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentId } from '../../src/shared/values/ids';
import type { ListedAgent, ListedPart, ListedPreset, SetupShown } from '../../src/shared/pages/setUpTabs';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';

/* The page “Parley”: its tabs, and those of agents, presets, and the setup. */

const browser = useBrowser();

const agent = (name: string, fields: Partial<ListedAgent> = {}): ListedAgent => ({
  id: `settings:${name}` as AgentId,
  name,
  detail: `npx ${name.toLowerCase()}-acp`,
  source: 'settings',
  isDefault: false,
  isRunning: false,
  takesProviders: false,
  ...fields,
});
const agents = [
  agent('Claude', { isDefault: true, isRunning: true, takesProviders: true, detail: 'Anthropic · 0.99.2' }),
  agent('Codex', { source: 'added' }),
  agent('An agent of the team with a long name\u202e', { source: 'workspace', detail: `node ${'long/'.repeat(30)}` }),
  agent('Tour agent', { source: 'builtin', detail: 'See how Parley works.' }),
];
const presets: readonly ListedPreset[] = [
  { name: 'Fixes', detail: 'Claude · opus · plan', isDefault: true, isOfWorkspace: false },
  { name: 'Team', detail: 'Codex', isDefault: false, isOfWorkspace: true },
];
const parts: readonly ListedPart[] = [
  { name: 'Codex', state: 'problem', summary: 'Problem · no login', detail: 'It wants a login.', fix: 'Log in' },
  { name: 'Sandbox', state: 'note', summary: 'Note · off', detail: 'bubblewrap isn’t installed.', fix: 'Copy command' },
  { name: 'Git', state: 'ok', summary: 'OK · 2.47', detail: '/usr/bin/git' },
  { name: 'Gemini', summary: 'Checking…', detail: '' },
];

const showAgents = async (chat: Chat) => {
  await chat.receive({ type: 'tab', tab: 'agents' });
  await chat.receive({ type: 'agents', agents });
};
const showPresets = async (chat: Chat, deleted?: string) => {
  await chat.receive({ type: 'tab', tab: 'presets' });
  await chat.receive({ type: 'presets', presets, ...(deleted === undefined ? {} : { deleted }) });
};
const showSetup = async (chat: Chat, shown: Partial<SetupShown> = {}) => {
  await chat.receive({ type: 'tab', tab: 'setup' });
  await chat.receive({ type: 'setup', shown: { state: 'checked', canStopWaiting: false, parts, ...shown } });
};
const posted = (chat: Chat) =>
  chat.page.evaluate(() => (window.fakeHost.posted as unknown as readonly { readonly type: string }[]).slice(2));

const widths = [290, 420, 1200];
testLooks(browser, [
  { name: 'agents-tab', page: 'parley', height: 900, widths, reach: showAgents },
  { name: 'presets-tab', page: 'parley', widths, reach: (chat) => showPresets(chat, 'Old') },
  { name: 'setup-tab', page: 'parley', height: 800, widths, reach: (chat) => showSetup(chat) },
  {
    name: 'setup-checking',
    page: 'parley',
    widths: [290],
    reach: (chat) => showSetup(chat, { state: 'checking', canStopWaiting: true }),
  },
]);

test('arrows go through the tabs, and typed text stays', async () => {
  const chat = await browser.open({ page: 'parley', host: 'editor', width: 900 });
  const { keyboard } = chat.page;
  await chat.receive({ type: 'tab', tab: 'rules' });
  await chat.receive({
    type: 'rules',
    shown: { rules: [], notes: [], canUndo: false, locale: 'en' },
  });
  await chat.button('Add rule').click();
  const command = chat.page.getByRole('textbox', { name: 'Command', exact: true });
  await command.fill('npm test');
  await chat.page.getByRole('tab', { name: 'Rules' }).focus();
  await keyboard.press('ArrowRight');
  await keyboard.press('End');
  await keyboard.press('ArrowRight');
  const selected = () => chat.page.getByRole('tab', { selected: true }).innerText();
  assert.equal(await selected(), 'Agents');
  assert.equal(await chat.page.evaluate(() => document.activeElement?.id), 'tab-agents');
  assert.deepEqual(await posted(chat), [
    { type: 'showTab', tab: 'usage' },
    { type: 'showTab', tab: 'setup' },
    { type: 'showTab', tab: 'agents' },
  ]);
  assert.equal(await command.isVisible(), false);
  await chat.page.getByRole('tab', { name: 'Rules' }).click();
  assert.equal(await command.inputValue(), 'npm test');
  await chat.close();
});

test('each agent and preset has what can be done with it', async () => {
  const chat = await browser.open({ page: 'parley', host: 'editor' });
  await showAgents(chat);
  await chat.button('Codex: Use by default').click();
  await chat.button('Claude: Model providers…').click();
  assert.equal(await chat.button('Claude: Use by default').count(), 0);
  assert.equal(await chat.button('Tour agent: Log in…').count(), 0);
  await showPresets(chat, 'Old');
  await chat.button('Fixes: Don’t use by default').click();
  await chat.button('Team: New session').click();
  // The workspace's presets are changed in its settings.
  assert.equal(await chat.button('Team: Delete').count(), 0);
  await chat.button('Undo').click();
  assert.deepEqual(await posted(chat), [
    { type: 'useAgent', id: 'settings:Codex' },
    { type: 'openProviders', id: 'settings:Claude' },
    { type: 'usePreset', name: 'Fixes', isDefault: false },
    { type: 'startPreset', name: 'Team' },
    { type: 'undoDeletePreset' },
  ]);
  await chat.close();
});

test('the setup is checked on request, with a fix each', async () => {
  const chat = await browser.open({ page: 'parley', host: 'editor' });
  await showSetup(chat, { state: 'unchecked', parts: [] });
  await chat.button('Check').click();
  await showSetup(chat, { state: 'checking', canStopWaiting: true });
  await chat.page.getByText('Checking… 3 of 4 checked').waitFor();
  await chat.button('Stop waiting').click();
  await showSetup(chat);
  await chat.page.getByText('1 problem found').waitFor();
  await chat.button('Codex: Log in').click();
  assert.deepEqual(await posted(chat), [
    { type: 'checkSetup' },
    { type: 'stopWaiting' },
    { type: 'fixSetup', name: 'Codex', fix: 'Log in' },
  ]);
  await chat.close();
});
