import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tourAgentId, type AgentId } from '../../src/shared/values/ids';
import type { SessionFolder } from '../../src/shared/pages/messages';
import type { StartPlaces } from '../../src/shared/pages/startChoice';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { manyOptions } from './narrowSamples';
import { commands, pageState, pageWithSession, sessionA, sessionB, snapshot, userMessage } from './samples';

/* The row below the message of a new session: where it works, and who answers or tries. */

const browser = useBrowser();

const folder = { name: 'harbor', path: '/home/me/harbor', isHere: true, branch: 'main' };
const session = (() => {
  const page = pageWithSession();
  return { ...page, sessions: page.sessions.map((one) => (one.session === sessionA ? { ...one, folder } : one)) };
})();
const places: StartPlaces = {
  branch: 'main',
  worktrees: [{ name: 'retry-uploads', path: '/home/me/harbor.worktrees/retry-uploads' }],
  folders: [{ name: 'docs', path: '/home/me/docs' }],
  canCopy: true,
  ignored: ['.env'],
  bringsChanges: false,
  setup: 'npm ci',
  check: 'npm test',
};
const claude = 'settings:Claude' as AgentId;
const codex = 'settings:Codex' as AgentId;

const row = (chat: Chat) => chat.page.getByRole('group', { name: 'Where and with whom' });
const where = (chat: Chat) => row(chat).getByRole('button', { name: /^Where: / });
function entry(chat: Chat, name: string) {
  const menu = chat.page.getByRole('menu');
  const radio = menu.getByRole('menuitemradio', { name, exact: true });
  return radio.or(menu.getByRole('menuitem', { name, exact: true }));
}

/** Opens a session without messages. */
async function open(options: ChatOptions = {}, fields: object = {}): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, fields);
  return chat;
}

async function show(chat: Chat, fields: object = {}): Promise<void> {
  await chat.showPage(session);
  await chat.showSession(sessionA, snapshot({ title: '', availableCommands: commands, ...fields }));
  await row(chat).waitFor();
  await chat.posted('findPlaces');
  await chat.receive({ type: 'startPlaces', session: sessionA, places });
}

async function chooseTwo(chat: Chat): Promise<void> {
  await chat.button('Add an agent').click();
  await entry(chat, 'Codex').click();
}

testLooks(browser, [
  { name: 'start-row', widths: [290, 420], inTab: 1200, reach: (chat) => show(chat, { configOptions: manyOptions }) },
  {
    name: 'start-row-where',
    widths: [290, 420],
    inTab: 1200,
    reach: (chat) => show(chat),
    again: async (chat) => {
      if ((await chat.page.getByRole('menu').count()) === 0) await where(chat).click();
    },
  },
  {
    name: 'place-row',
    widths: [290, 420],
    inTab: 1200,
    reach: (chat) =>
      begun(chat, { branch: 'parley/retry', isWorktree: true, isHere: false, canBring: true }, { sandbox: 'files' }),
  },
  {
    name: 'start-row-tries',
    widths: [290, 420],
    inTab: 1200,
    reach: async (chat) => {
      await show(chat);
      await chat.message.fill('Port the CLI to ESM. Keep --json output byte for byte.');
      await chooseTwo(chat);
    },
    again: async (chat) => {
      if ((await chat.page.getByRole('menu').count()) === 0) {
        await row(chat)
          .getByRole('button', { name: /^Claude/ })
          .click();
      }
    },
  },
]);

/** Shows a session that has begun, in a folder. */
async function begun(
  chat: Chat,
  place: Partial<SessionFolder> = {},
  fields: Parameters<typeof snapshot>[0] = {},
): Promise<void> {
  const sessions = session.sessions.map((one) =>
    one.session === sessionA ? { ...one, folder: { ...folder, ...place } } : one,
  );
  await chat.showPage({ ...session, sessions });
  await chat.showSession(sessionA, snapshot(fields, [userMessage('u1', 'Fix it')]));
}

const placeRow = (chat: Chat) => chat.page.getByRole('group', { name: 'Where it works' });
const placeNames = (chat: Chat) =>
  placeRow(chat)
    .locator('button, .plain')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()));

test('a session that has begun shows where it works, and its sandbox', async () => {
  const chat = await browser.open();
  const cases = [
    [{}, {}, ['Where: In this folder', 'Sandbox: off']],
    // Another folder of the same name.
    [{ path: '/srv/harbor', isHere: false }, {}, ['Where: In harbor', 'Sandbox: off']],
    [{ name: 'docs', isHere: false }, { sandbox: 'files' }, ['Where: In docs', 'Files: only this folder']],
    [
      { branch: 'parley/retry', isWorktree: true, isHere: false },
      { sandbox: 'filesAndNetwork' },
      ['Where: In parley/retry', 'Sandbox: files and network'],
    ],
    [{ isCopy: true, isHere: false }, { sandbox: 'ownCopy' }, ['Where: In its own copy', 'Sandbox: own copy']],
    // Of a folder on another computer, only the path could be copied: no menu of one entry.
    [{ host: 'box', isHere: false, branch: 'main' }, { place: 'elsewhere' }, ['In harbor · box']],
  ] as const;
  for (const [place, fields, names] of cases) {
    await begun(chat, place, fields);
    await placeRow(chat).waitFor();
    assert.deepEqual(await placeNames(chat), names);
    assert.equal(await row(chat).count(), 0);
    assert.equal(await chat.page.locator('.pl-header .chip').count(), 0);
  }
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.close();
});

test('the sandbox of a session lists it, before and after it began', async () => {
  const chat = await open({}, { sandbox: 'files' });
  await chat.button('Files: only this folder').click();
  await begun(chat, {}, { sandbox: 'files' });
  await placeRow(chat).getByRole('button', { name: 'Files: only this folder' }).click();
  const asked = { type: 'showSandbox', session: sessionA };
  assert.deepEqual(await chat.posted('showSandbox'), [asked, asked]);
  await chat.close();
});

test('below 360 px, the shield stands for the sandbox', async () => {
  const chat = await browser.open({ width: 290 });
  const shown = () => placeRow(chat).locator('.chip.box').innerText();
  await begun(chat, { branch: 'parley/a-branch-with-a-name-that-does-not-fit-at-all', isWorktree: true });
  assert.equal(await shown(), 'off');
  const fits = await placeRow(chat).evaluate((one) => [one.scrollWidth <= one.clientWidth, one.clientHeight]);
  assert.deepEqual(fits, [true, 24]);
  await begun(chat, {}, { sandbox: 'files' });
  assert.equal(await shown(), '');
  await chat.page.setViewportSize({ width: 420, height: 860 });
  assert.equal(await shown(), 'Files: only this folder');
  await chat.close();
});

test('the tour of somebody without an agent has no row', async () => {
  const chat = await browser.open();
  const agents = session.agents.filter(({ agentId }) => agentId === tourAgentId);
  await chat.showPage({ ...session, agents });
  await chat.showSession(sessionA, snapshot({ agentId: tourAgentId }, [userMessage('u1', 'Fix it')]));
  await chat.page.getByText('Fix it').first().waitFor();
  assert.equal(await chat.page.locator('.pl-where').count(), 0);
  await chat.close();
});

test('two clicks and Enter start a session in a worktree', async () => {
  const chat = await open();
  await chat.message.fill('Fix the retries');
  await where(chat).click();
  await entry(chat, 'In a worktree').click();
  assert.equal(await where(chat).innerText(), 'In a worktree');
  await chat.message.press('Enter');
  const start = { place: { kind: 'worktree' }, agents: [] };
  const sent = [{ type: 'startTyped', session: sessionA, text: 'Fix the retries', start }];
  assert.deepEqual(await chat.posted('startTyped'), sent);
  // It stays until it is sent, and isn't sent twice.
  await chat.page.getByText('Creating the worktree…').first().waitFor();
  await chat.message.press('Enter');
  await chat.page.keyboard.type(' now');
  assert.equal(await chat.message.inputValue(), 'Fix the retries');
  assert.deepEqual(await chat.posted('startTyped'), sent);
  await chat.receive({ type: 'typedSent', session: sessionA, text: 'Fix the retries' });
  assert.equal(await chat.message.inputValue(), '');
  assert.equal(await where(chat).innerText(), 'In this folder');
  await chat.close();
});

test('three clicks and Enter start two tries', async () => {
  const chat = await open();
  await chat.message.fill('Port it');
  await chooseTwo(chat);
  assert.equal(await where(chat).innerText(), 'Each in a worktree');
  await row(chat).getByRole('button', { name: 'Codex, 1 try' }).click();
  await entry(chat, '2 tries').click();
  await chat.button('Try with 3').click();
  const agents = [
    { agent: claude, tries: 1 },
    { agent: codex, tries: 2 },
  ];
  assert.deepEqual((await chat.posted('startTyped'))[0]?.start, { place: { kind: 'here' }, agents });
  await chat.button('Check of the tries: npm test').click();
  assert.deepEqual(await chat.posted('changeCheck'), [{ type: 'changeCheck', session: sessionA }]);
  await chat.close();
});

test('a start that fails leaves message and choice, with the reason', async () => {
  const chat = await open();
  await chat.message.fill('Fix it');
  await where(chat).click();
  await entry(chat, 'In retry-uploads').click();
  await chat.message.press('Enter');
  await chat.posted('startTyped');
  await chat.receive({ type: 'startFailed', session: sessionA, problem: 'The folder is gone. Choose another one.' });
  await chat.page.locator('.pl-composer .refused').getByText('The folder is gone.').waitFor();
  assert.equal(await chat.message.inputValue(), 'Fix it');
  assert.equal(await where(chat).innerText(), 'In retry-uploads');
  await chat.message.press('Enter');
  assert.equal((await chat.posted('startTyped')).length, 2);
  await chat.close();
});

test('one agent instead of another answers where the session was to be', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  await row(chat).getByRole('button', { name: 'Agent: Claude' }).click();
  assert.equal(await chat.page.getByRole('menuitemradio').count(), 0, 'without a repository, there are no tries');
  await entry(chat, 'Codex').click();
  await chat.message.fill('Go');
  await chat.message.press('Enter');
  const start = { place: { kind: 'here' }, agents: [{ agent: codex, tries: 1 }] };
  assert.deepEqual(await chat.posted('startTyped'), [{ type: 'startTyped', session: '', text: 'Go', start }]);
  await chat.receive({ type: 'typedSent', session: '', text: 'Go' });
  await chat.message.fill('Go');
  await chat.message.press('Enter');
  assert.deepEqual(await chat.posted('sendPrompt'), [{ type: 'sendPrompt', session: '', text: 'Go' }]);
  await chat.close();
});

test('the row is used by keys alone', async () => {
  const chat = await open();
  await chat.message.focus();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await chat.page.keyboard.press(key);
  };
  const focused = () => chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await chat.message.fill('x');
  const names: unknown[] = [];
  while (names.at(-1) !== 'Add an agent') {
    await press('Tab');
    names.push(await focused());
    assert.ok(names.length < 9, String(names));
  }
  assert.deepEqual(names.slice(-3), ['Where: In this folder', 'Agent: Claude', 'Add an agent']);
  await press('Enter', 'Enter');
  assert.deepEqual(
    await row(chat)
      .getByRole('button', { name: / 1 try$/ })
      .count(),
    2,
  );
  await row(chat).getByRole('button', { name: 'Codex, 1 try' }).focus();
  await press('+', '+', '+', '-');
  assert.equal(await focused(), 'Codex, 2 tries');
  await press('Delete');
  assert.equal(await focused(), 'Agent: Claude');
  await where(chat).focus();
  await press('Enter', 'ArrowDown', 'Enter');
  assert.equal(await focused(), 'Where: In a worktree');
  await chat.close();
});

test('place and agents belong to the draft, also after a reload', async () => {
  const chat = await open();
  await chat.message.fill('Later');
  await where(chat).click();
  await entry(chat, 'In its own copy (sandbox)').click();
  await chat.reload();
  await show(chat);
  assert.equal(await where(chat).innerText(), 'In its own copy');
  await chat.showPage({ ...session, active: sessionB });
  await chat.showSession(sessionB, snapshot({}, [userMessage('u1', 'Hello')]));
  await row(chat).waitFor({ state: 'detached' });
  await show(chat);
  assert.equal(await where(chat).innerText(), 'In its own copy');
  await chat.close();
});

test('shows no row without trust, without an agent, or in a worktree', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState({ trusted: false, isInRepository: true }));
  assert.equal(await row(chat).count(), 0);
  const { agents } = pageState();
  await chat.showPage(pageState({ agents: agents.filter(({ source }) => source === 'builtin') }));
  assert.equal(await row(chat).count(), 0);
  const inWorktree = { ...folder, isWorktree: true as const };
  await chat.showPage({ ...session, sessions: session.sessions.map((one) => ({ ...one, folder: inWorktree })) });
  await chat.showSession(sessionA, snapshot({ title: '' }));
  assert.equal(await row(chat).count(), 0);
  await chat.close();
});
