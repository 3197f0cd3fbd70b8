import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentId, SessionKey } from '../../src/shared/values/ids';
import type { PageState } from '../../src/shared/pages/messages';
import type { SessionRow } from '../../src/shared/pages/sessionRows';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { newcomerState, offers, pageState } from './samples';

/* The page without a session: for somebody without an agent, and with agents. */

const browser = useBrowser();

const claude = 'settings:Claude' as AgentId;
const codex = 'settings:Codex' as AgentId;
/** The time of the page's clock. */
const time = new Date(2026, 10, 28, 18).getTime();
const minute = 60_000;

function row(session: string, title: string, fields: Partial<SessionRow>): SessionRow {
  const key = session as SessionKey;
  const who = { agentId: claude, agentName: 'Claude', place: 'here', folder: 'harbor', actions: [] } as const;
  return { id: `own ${session}`, session: key, title, state: 'idle', at: time - 60 * minute, ...who, ...fields };
}

const gemini = { agentId: 'gemini' as AgentId, agentName: 'Gemini' };
const needsYou = [
  row('s2', 'Docs pass', {
    ...gemini,
    state: 'needsYou',
    words: 'Wants to run npm run docs',
    branch: 'main',
    workplace: 'thisFolder',
    at: time - 2 * minute,
  }),
];
const recent = [
  row('s3', 'Retry flaky uploads', {
    state: 'running',
    words: 'Editing client.ts',
    branch: 'retry-uploads',
    workplace: 'worktree',
    at: time - 4 * minute,
  }),
  row('s4', 'Bump eslint to 10', {
    agentId: codex,
    agentName: 'Codex',
    place: 'stored',
    state: 'closed',
    unreviewed: 3,
    added: 18,
    removed: 9,
  }),
  row('s5', 'Explain the cache keys', {
    place: 'stored',
    state: 'closed',
    workplace: 'thisFolder',
    at: time - 300 * minute,
  }),
];

/** Claude with a limit, and Codex, which needs a login. */
function withAgents(fields: Partial<PageState> = {}): PageState {
  const [first, second, ...others] = pageState().agents;
  const limit = { type: 'seven_day', state: 'ok', used: 0.38 } as const;
  const agents = [{ ...first!, limit }, { ...second!, needsLogin: true as const }, ...others];
  return pageState({ agents, isInRepository: true, ...fields });
}

const start = (chat: Chat) => chat.page.getByRole('region', { name: 'Start' });
const session = (chat: Chat, title: string) => start(chat).getByRole('button', { name: new RegExp(`^${title}`) });
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

async function showAgents(chat: Chat, fields: Partial<PageState> = {}): Promise<void> {
  await chat.showPage(withAgents(fields));
  await chat.posted('watchRecent');
  await chat.receive({ type: 'recentSessions', needsYou, recent });
  await session(chat, 'Docs pass').waitFor();
}

const hasPosted = async (chat: Chat, type: string) => (await chat.allPosted()).some((one) => one.type === type);

testLooks(browser, [
  { name: 'start', time, widths: [240, 290], inTab: true, reach: (chat) => showAgents(chat) },
  {
    name: 'start-more',
    time,
    widths: [290],
    reach: async (chat) => {
      const [first, second, goose, tour] = withAgents().agents;
      const account = { ...first!, account: 'Claude Max (owl@forest.example)' };
      const presets = [
        { name: 'Deep work', agentId: claude, detail: 'Claude · opus · plan', isDefault: true as const },
      ];
      await showAgents(chat, { agents: [account, second!, { ...goose!, update: '1.20.0' }, tour!], presets });
      await chat.message.fill('Add a test for the retry queue');
    },
  },
  {
    name: 'newcomer',
    widths: [240, 290],
    inTab: true,
    reach: (chat) => chat.showPage(newcomerState({ offers, isInRepository: true })),
  },
  {
    name: 'newcomer-without-folder',
    widths: [290],
    reach: async (chat) => {
      const [problem, line] = ['The sandbox needs these programs: socat.', 'sudo apt-get install socat'];
      await chat.showPage(newcomerState({ folder: '', sandbox: { mode: 'files', problem, line } }));
      await chat.message.fill('Add a test for the retry queue');
    },
  },
]);

test('somebody without an agent gets the tour and three agents', async () => {
  const chat = await browser.open();
  await chat.showPage(newcomerState({ offers, isInRepository: true }));
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'Work with any coding agent');
  assert.equal(await start(chat).locator('.lead').count(), 1);
  const names = await start(chat)
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()));
  assert.deepEqual(names, [
    'Try Tour agent',
    'Add Gemini CLI',
    'Add Claude',
    'Install OpenCode',
    'Show all 31 agents',
    'Add your own…',
  ]);
  const primary = start(chat).locator('.btn.primary');
  assert.deepEqual(await primary.evaluateAll((all) => all.map((one) => one.ariaLabel)), ['Try Tour agent']);
  assert.equal(await chat.message.getAttribute('placeholder'), 'Type anything to start the tour');
  // Nothing about worktrees, tries, or the sandbox.
  assert.equal(await chat.page.getByRole('group', { name: 'Where and with whom' }).count(), 0);
  await chat.toolkit();
  await chat.button('Add Context').click();
  const entries = await chat.page.getByRole('menuitem').allInnerTexts();
  assert.doesNotMatch(
    [...entries, await chat.page.locator('body').innerText()].join('\n'),
    /worktree|\btr(y|ies) with|sandbox/i,
  );
  await chat.page.keyboard.press('Escape');
  await chat.button('Show all 31 agents').click();
  await chat.button('Add your own…').click();
  await chat.button('Try Tour agent').click();
  assert.deepEqual(
    (await chat.posted('errorAction')).map(({ action }) => action),
    ['addAgent'],
  );
  assert.equal((await chat.posted('addOwnAgent')).length, 1);
  assert.deepEqual(await chat.posted('startAgent'), [{ type: 'startAgent', agent: 'builtin:tour' }]);
  assert.equal(await hasPosted(chat, 'watchRecent'), false);
  await chat.close();
});

test('with agents, the page leads to sessions and starts agents', async () => {
  const chat = await browser.open({ time });
  await showAgents(chat);
  assert.equal(await chat.page.getByRole('heading', { level: 1 }).textContent(), 'New session in harbor');
  const lists = await start(chat)
    .getByRole('list')
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(lists, ['Needs you', 'Recent', 'Agents']);
  const rows = await start(chat).getByRole('listitem').allInnerTexts();
  assert.deepEqual(rows.map(oneLine), [
    'Docs pass , Wants to run npm run docs , Gemini , this folder , 2 min',
    'Retry flaky uploads , Editing client.ts , Claude , retry-uploads , 4 min',
    'Bump eslint to 10 , 3 files to review , Codex , harbor , 1 h',
    'Explain the cache keys , closed , Claude , this folder , 5 h',
    'Claude default Weekly limit: 38% used',
    'Codex Log in to use it Log in',
    'goose 1.19.1 · ~/agents/goose/1.19.1/goose acp',
  ]);
  await session(chat, 'Docs pass').press('Enter');
  assert.deepEqual(await chat.posted('openRow'), [{ type: 'openRow', id: 'own s2' }]);
  await chat.button('Log in to Codex').click();
  assert.deepEqual(await chat.posted('logInAgent'), [{ type: 'logInAgent', agent: codex }]);
  // All of the row starts the agent.
  await start(chat)
    .getByRole('listitem')
    .filter({ hasText: 'goose' })
    .click({ position: { x: 200, y: 8 } });
  assert.deepEqual(await chat.posted('startAgent'), [{ type: 'startAgent', agent: 'goose' }]);
  await chat.button('Add Agent…').click();
  assert.deepEqual(
    (await chat.posted('errorAction')).map(({ action }) => action),
    ['addAgent'],
  );
  await chat.button('All sessions').click();
  assert.equal((await chat.posted('watchSessions')).at(-1)?.isOn, true);
  await chat.close();
});

test('the row below the box says where, with whom, and how held', async () => {
  const chat = await browser.open();
  await showAgents(chat);
  const group = chat.page.getByRole('group', { name: 'Where and with whom' });
  const names = await group.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(names, ['Where: In this folder', 'Agent: Claude', 'Add an agent', 'Sandbox: off']);
  await chat.button('Sandbox: off').click();
  assert.deepEqual(await chat.posted('chooseSandbox'), [{ type: 'chooseSandbox' }]);
  await chat.close();
});

test('the host follows sessions only while the page leads to them', async () => {
  const chat = await browser.open();
  await showAgents(chat);
  await chat.showPage(withAgents({ locale: 'de' }));
  await chat.showPage(newcomerState());
  assert.equal(await start(chat).getByRole('list', { name: 'Recent' }).count(), 0);
  assert.deepEqual(await chat.posted('watchRecent'), [
    { type: 'watchRecent', isOn: true },
    { type: 'watchRecent', isOn: false },
  ]);
  await chat.close();
});

test('a preset starts with what is typed, and the default is marked', async () => {
  const chat = await browser.open();
  const presets = [
    { name: 'Quick <b>fixes</b>', agentId: claude, detail: 'Claude · haiku · acceptEdits' },
    { name: 'Deep work', agentId: claude, detail: 'Claude · opus · plan', isDefault: true as const },
  ];
  await chat.showPage(pageState({ presets }));
  const rows = await start(chat).getByRole('list', { name: 'Presets' }).getByRole('listitem').allInnerTexts();
  assert.deepEqual(rows.map(oneLine), [
    'Quick <b>fixes</b> Claude · haiku · acceptEdits',
    'Deep work default Claude · opus · plan',
  ]);
  assert.equal(await start(chat).getByText('default', { exact: true }).count(), 1);
  await chat.message.fill('Fix the retries');
  await chat.button('Start Quick <b>fixes</b>').click();
  assert.deepEqual(await chat.posted('startPreset'), [
    { type: 'startPreset', preset: 'Quick <b>fixes</b>', sends: true, words: 'Fix the retries' },
  ]);
  await chat.close();
});

test('says on the start page what a sandbox is missing', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  const [problem, line] = ['The sandbox needs these programs: socat.', 'sudo apt-get install socat'];
  await chat.showPage(pageState({ sandbox: { mode: 'files', problem, line } }));
  await chat.button('Files: only this folder').waitFor();
  const note = chat.page.getByRole('group', { name: 'No sandbox' });
  assert.match(oneLine(await note.innerText()), /can’t start in their sandbox\. The sandbox needs .*socat\. Run/);
  await chat.button('Copy command').click();
  assert.deepEqual(await chat.posted('copyText'), [{ type: 'copyText', text: line }]);
  await chat.button('Check again').click();
  assert.equal((await chat.posted('checkSandbox')).length, 2);
  await chat.close();
});

test('says in a row that its agent is installed, and cancels it', async () => {
  const chat = await browser.open();
  const [, , opencode] = offers;
  await chat.showPage(newcomerState({ offers: [{ ...opencode!, isBusy: true }] }));
  const row = chat.page.getByRole('listitem').filter({ hasText: 'OpenCode' });
  assert.equal(await row.getByRole('status').innerText(), 'Installing…');
  const cancel = chat.button('Cancel installing OpenCode');
  // The second click of a double click on Install.
  await cancel.dispatchEvent('click', { detail: 2 });
  await cancel.press('Enter');
  assert.deepEqual(await chat.posted('cancelOffered'), [{ type: 'cancelOffered', id: 'opencode' }]);
  await chat.showPage(newcomerState({ offers: [{ ...opencode!, problem: 'The download is incomplete.' }] }));
  assert.match(await row.innerText(), /The download is incomplete\.\s+Try again/);
  await chat.close();
});

test('agents are added, installed, and updated by their buttons', async () => {
  const chat = await browser.open();
  await chat.showPage(newcomerState({ offers: offers.filter(({ id }) => id !== 'claude-acp') }));
  await chat.button('Add Gemini CLI').press('Enter');
  await chat.button('Install OpenCode').press('Space');
  await chat.button('Get Node.js for Codex').press('Enter');
  const [first, ...others] = pageState().agents;
  await chat.showPage(pageState({ agents: [{ ...first!, update: '0.102.0' }, ...others], offers }));
  await chat.button('Update to 0.102.0: Claude').click();
  assert.deepEqual(
    (await chat.posted('addOffered')).map(({ id }) => id),
    ['gemini', 'opencode', 'codex-acp', 'settings:Claude'],
  );
  assert.equal(await hasPosted(chat, 'startAgent'), false);
  // Not with each change.
  assert.equal((await chat.posted('findAgents')).length, 1);
  await chat.close();
});
