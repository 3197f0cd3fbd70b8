import assert from 'node:assert/strict';
import { scene } from '../e2e/harness';
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
  scene(
    `lists a command-line session of ${name} and opens it`,
    { agents, files: { 'notes.md': 'notes\n' }, timeoutMs: 180_000 },
    async ({ workbench, chat, openChat, screenshot }) => {
      const agent = agents()[name] ?? assert.fail();
      await playOutside(agent, workbench.folder, 'When was the lighthouse built?');
      await openChat();
      await workbench.runCommand('Parley: Sessions');
      const list = chat.page.getByRole('listbox', { name: 'Sessions', exact: true });
      const row = list.getByRole('option').filter({ hasText: 'stored by the agent' });
      const ask = chat.button(`Show sessions from ${name}`);
      await ask.waitFor();
      assert.equal(await row.count(), 0, 'No agent is asked without a click.');
      await ask.click();
      await row.waitFor({ timeout: 60_000 });
      await screenshot(`${key}-listed`);
      await row.click();
      await chat.untilText(chat.article(name).last(), said);
      await chat.article('You').filter({ hasText: 'When was the lighthouse built?' }).waitFor();
    },
  );
}
