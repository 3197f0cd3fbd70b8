import assert from 'node:assert/strict';
import { scene, scenes } from './harness';

scene('nothing starts before the user acts', { fresh: true }, async ({ server, openChat }) => {
  await openChat();
  const started = (await server.processes()).filter(({ command }) => command.includes('parley.parley-acp'));
  assert.deepEqual(started, []);
});

scenes(
  {},
  {
    'the chat opens in the secondary side bar and shows the start page': async ({ workbench, chat, openChat }) => {
      await openChat();
      assert.equal(await workbench.secondarySideBar().isVisible(), true);
      await chat.page.getByRole('region', { name: 'Start' }).waitFor();
      await chat.button('Try Tour agent').waitFor();
    },
    'the chat opens as an editor tab with the same page': async ({ workbench }) => {
      await workbench.runCommand('Parley: Open Chat in Editor');
      const page = await workbench.chatFrame('editor');
      await page.getByRole('button', { name: 'Try Tour agent' }).waitFor();
    },
  },
);

scene(
  'the start page lists the agents of the settings',
  {
    agents: { 'My Agent': { command: 'my-agent' } },
  },
  async ({ chat, openChat }) => {
    await openChat();
    const agents = chat.page.getByRole('region', { name: 'Start' }).getByRole('listitem');
    await agents.first().waitFor();
    assert.match(await agents.first().innerText(), /My Agent/);
    assert.equal(await agents.count(), 1);
  },
);

const byMyself = { command: process.execPath, args: ['-e', 'process.exit(3)'] };

scene(
  'starts nothing in an untrusted folder and explains why',
  // Once it is trusted, the agents and sessions of the user are there.
  { untrusted: true, agents: { 'My Agent': byMyself } },
  async ({ server, workbench, chat, openChat, screenshot }) => {
    const started = async () => (await server.processes()).filter(({ command }) => command.includes('tourAgent'));
    const page = workbench.page.locator('.workspace-trust-editor');
    await openChat();
    const notice = chat.page.getByRole('group', { name: 'Restricted Mode' });
    await notice.waitFor();
    assert.match(await notice.innerText(), /isn’t trusted/);
    assert.equal(await chat.button('Try Tour agent').count(), 0);
    await screenshot('untrusted');
    await workbench.runCommand('Parley: New Session…');
    const refusal = await workbench.notification('agents can’t start here');
    assert.deepEqual(await started(), []);

    await refusal.getByRole('button', { name: 'Manage Trust' }).click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await chat.button('Start My Agent').waitFor();
    // Newer versions of VS Code show the page about trust above everything else.
    const above = workbench.page.locator('.monaco-modal-editor-block');
    if (await above.isVisible()) await above.getByRole('button', { name: /^Close/ }).click();
    await above.waitFor({ state: 'detached' });
    await workbench.runCommand('Parley: New Session…');
    await workbench.pick('Tour agent');
    await chat.send('/help');
    await chat.untilIdle();
    await workbench.runCommand('Parley: Close Session');
    await chat.button('Start My Agent').waitFor();

    const reloaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    const trusted = page.locator('.trusted-uris-table .monaco-table-tr').first();
    await trusted.hover();
    await trusted.getByRole('button', { name: /^Delete/ }).click();
    await reloaded;
    await workbench.untilReady();
    await openChat();
    await notice.waitFor();
    // What was said can be read.
    await workbench.runCommand('Parley: Open Session…');
    await workbench.pick('/help');
    await chat.article('You').filter({ hasText: '/help' }).waitFor();
    assert.deepEqual(await started(), []);
    await screenshot('untrusted-session');

    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    if (await above.isVisible()) await above.getByRole('button', { name: /^Close/ }).click();
    // The session goes on, which takes the agent.
    await chat.send('/text');
    await chat.untilText(chat.article('Tour agent').last(), 'Hello, ${name}!');
  },
);
