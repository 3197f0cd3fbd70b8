import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const reviewer = {
  turns: [
    {
      steps: [
        { request: 'fs/write_text_file', params: { path: '$cwd/total.ts', content: 'reviewed\n' } },
        { report: true },
        { say: '\n\ntotal.ts:2: Is this right?\ngone.ts:1: Not there' },
      ],
    },
  ],
};

scene(
  'a second agent reviews a turn, and its writes are refused',
  {
    agents: {
      Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] },
      Other: {
        command: process.execPath,
        args: [inRoot('test', 'fixtures', 'agents', 'scripted.mjs'), JSON.stringify(reviewer)],
      },
    },
    files: { 'total.ts': 'one\ntwo\n' },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    const path = workbench.file('total.ts');
    await chat.submit(JSON.stringify([{ write: path, text: 'one\nwrong\n' }]));
    await chat.page.getByRole('group', { name: 'End of turn' }).getByRole('button', { name: 'More' }).click();
    await chat.page.getByRole('menuitem', { name: 'Second opinion…' }).click();
    await workbench.pick('Other');
    // The user stays where they are.
    const notice = chat.article('Notice').filter({ hasText: 'Other has 2 remarks' });
    await notice.getByRole('button', { name: 'Show remarks' }).waitFor();
    await notice.getByRole('button', { name: 'Open session' }).click();
    await chat.page.getByText('Parley asked for a review of the changes.', { exact: true }).waitFor();
    await chat.page.getByText('gone.ts:1: Not there').first().waitFor();
    await chat.page.getByText(/This session only reads/).waitFor();
    assert.equal(readFileSync(path, 'utf8'), 'one\nwrong\n');
    await screenshot('agent-review');
    await workbench.runCommand('Parley: Close Session');
    await chat.page.getByRole('button', { name: 'Show remarks' }).waitFor();
  },
);
