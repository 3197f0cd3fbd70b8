import assert from 'node:assert/strict';
import { inRoot } from '../root.mjs';
import { scene, type Scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const config = '{ "compilerOptions": { "strict": true, "module": "preserve" } }\n';
const right = 'export const total: number = 1;\nexport const old: number = "one";\n';
const wrong = right.replace('= 1', '= "1"');

/** The message that the agent was sent. */
const reported = (page: Scene['chat']['page']) =>
  page
    .locator('p')
    .filter({ hasText: /^Your changes caused a new problem\. Fix it:\s+total\.ts, line 1:\s+> Type 'string' is/ });

scene(
  "counts a turn's problems and sends them with one click",
  {
    agents,
    files: { 'tsconfig.json': config, 'total.ts': right },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    await workbench.openFile('total.ts');
    // The problem that is there before the turn.
    await workbench.page.locator('.squiggly-error').first().waitFor({ state: 'attached' });
    await openChat();
    const total = workbench.file('total.ts');
    await chat.submit(JSON.stringify([{ write: total, text: wrong }]));
    const strip = chat.page.getByRole('region', { name: 'New problems' });
    await strip.getByText('1 new problem', { exact: true }).first().waitFor();
    await screenshot('new-problems');
    await strip.getByRole('button', { name: 'Send to Agent' }).click();
    await strip.waitFor({ state: 'detached' });
    await reported(chat.page).waitFor();
  },
);

scene(
  'a setting sends problems automatically once per message',
  {
    agents,
    settings: { 'parley.sendNewProblems': true },
    files: { 'tsconfig.json': config, 'total.ts': right },
  },
  async ({ workbench, chat, openChat }) => {
    await openChat();
    // The file isn't open, so it is opened behind to be checked. Only the changed line counts.
    await chat.submit(JSON.stringify([{ write: workbench.file('total.ts'), text: wrong }]));
    await reported(chat.page).waitFor();
    assert.equal(await workbench.page.getByRole('tab', { name: /total\.ts/ }).count(), 0, 'Its tab is closed again.');
  },
);
