import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { until } from './poll';

const agents = (...path: string[]) => inRoot('test', 'fixtures', 'agents', ...path);
const counting = { turns: [{ steps: [{ say: 'There are 3 files.' }] }] };

scene(
  'an agent gives another one a task once the user agrees',
  {
    agents: {
      Told: { command: process.execPath, args: [agents('doesAsTold.mjs')], env: { TOLD_MCP: '1' } },
      Other: { command: process.execPath, args: [agents('scripted.mjs'), JSON.stringify(counting)] },
    },
    settings: { 'parley.editorTools.more': ['listAgents', 'startSession', 'readAnswer'] },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const into = (name: string) => workbench.file(name);
    const answer = async (name: string) => {
      await until(
        () => existsSync(into(name)),
        () => name,
      );
      return readFileSync(into(name), 'utf8');
    };
    const start = (prompt: string, name: string) =>
      chat.submit(JSON.stringify([{ mcp: 'startSession', args: { agent: 'Other', prompt }, into: into(name) }]));
    await openChat();
    await start('Delete all files', 'refused.txt');
    const title = 'Start a session with Other';
    await chat.page.getByText('Let Told start a session with Other?').waitFor();
    await chat.toolCall(title).getByText('Delete all files').waitFor();
    await screenshot('agents-ask-agents');
    await chat.answer(title, 'Reject');
    assert.match(await answer('refused.txt'), /^The user rejected this/);
    await chat.untilIdle();

    await start('Count the files', 'started.txt');
    await chat.answer(title);
    await chat.page.getByText('Told started a session with Other').waitFor();
    const started = /session-\S+:\d+/.exec(await answer('started.txt'))?.[0] ?? '';
    await chat.untilIdle();
    await chat.submit(JSON.stringify([{ mcp: 'readAnswer', args: { session: started }, into: into('answer.txt') }]));
    assert.equal(await answer('answer.txt'), 'There are 3 files.');
    await chat.untilIdle();

    await workbench.runCommand('Parley: Sessions');
    const rows = chat.page.getByRole('listbox', { name: 'Sessions' }).getByRole('option');
    const child = rows.filter({ hasText: 'started by Told' });
    await child.waitFor();
    assert.equal(await child.getAttribute('title'), 'Count the files');
    await screenshot('started-session');
    await child.click();
    await chat.page.getByText('There are 3 files.').waitFor();
    await chat.page.getByText('Started by Told').waitFor();
  },
);
