import assert from 'node:assert/strict';
import { agentScene } from './agentScene';
import { playOutside } from './outsideSession';
import { startModel } from './support';

const said = 'The lighthouse was built in 1852.';
const { setting } = startModel(() => ({ text: said }));

for (const [key, name] of [
  ['claude', 'Claude'],
  ['codex', 'Codex'],
  ['opencode', 'opencode'],
] as const) {
  const agents = setting(key);
  agentScene(
    1,
    `lists a command-line session of ${name} and opens it`,
    { agents, files: { 'notes.md': 'notes\n' } },
    async ({ desk, chat, folder }) => {
      const agent = agents()[name] ?? assert.fail();
      await playOutside(agent, folder, 'When was the lighthouse built?');
      await desk.run('parley.showSessions');
      const list = chat.page.getByRole('listbox', { name: 'Sessions', exact: true });
      const row = list.getByRole('option').filter({ hasText: 'stored by the agent' });
      const ask = chat.button(`Show sessions from ${name}`);
      await ask.waitFor();
      assert.equal(await row.count(), 0, 'No agent is asked without a click.');
      await ask.click();
      await row.waitFor({ timeout: 60_000 });
      await row.click();
      await chat.untilText(chat.article(name).last(), said);
      await chat.article('You').filter({ hasText: 'When was the lighthouse built?' }).waitFor();
    },
  );
}
