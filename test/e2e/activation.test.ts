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
      await chat.page.getByRole('list', { name: 'Agents' }).waitFor();
      await chat.button('Try Tour agent').waitFor();
    },
    'the chat opens as an editor tab with the same page': async ({ workbench }) => {
      await workbench.runCommand('Parley: Open Chat in Editor');
      const page = await workbench.chatFrame('editor');
      await page.getByRole('list', { name: 'Agents' }).waitFor();
    },
  },
);

scene(
  'the start page lists the agents of the settings before the tour',
  {
    agents: { 'My Agent': { command: 'my-agent' } },
  },
  async ({ chat, openChat }) => {
    await openChat();
    const agents = chat.page.getByRole('list', { name: 'Agents' }).getByRole('listitem');
    await agents.nth(1).waitFor();
    assert.match(await agents.nth(0).innerText(), /My Agent/);
    assert.match(await agents.nth(1).innerText(), /Tour agent/);
  },
);

scene(
  'an untrusted folder starts nothing and says why',
  { untrusted: true },
  async ({ server, chat, openChat, screenshot }) => {
    await openChat();
    const notice = chat.page.getByRole('group', { name: 'Restricted Mode' });
    await notice.waitFor();
    assert.match(await notice.innerText(), /not trusted/);
    assert.equal(await chat.button('Try Tour agent').count(), 0);
    const started = (await server.processes()).filter(({ command }) => command.includes('tourAgent'));
    assert.deepEqual(started, []);
    await screenshot('untrusted');
  },
);
