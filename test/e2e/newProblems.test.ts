import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { typeScriptSettings } from '../workbench/typeScript.mjs';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const config = '{ "compilerOptions": { "strict": true, "module": "preserve" } }\n';
const right = 'export const total: number = 1;\nexport const old: number = "one";\n';
const wrong = right.replace('= 1', '= "1"');

scene(
  'problems that a turn caused are counted beside the changes, and sent back with one click',
  { agents, settings: typeScriptSettings, files: { 'tsconfig.json': config, 'total.ts': right }, timeoutMs: 120_000 },
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
    const sent = chat.page.getByText('Your changes caused a new problem. Fix it:');
    await sent.waitFor();
    await chat.page.getByText("Type 'string' is not assignable to type 'number'. (ts 2322)").waitFor();
    assert.equal(await sent.count(), 1);
    await writeFile(total, right);
  },
);

scene(
  'a setting sends them by itself, once for a message of the user',
  {
    agents,
    settings: { ...typeScriptSettings, 'parley.sendNewProblems': true },
    files: { 'tsconfig.json': config, 'total.ts': right },
    timeoutMs: 120_000,
  },
  async ({ workbench, chat, openChat }) => {
    await openChat();
    // The file isn't open, so it is opened behind to be checked. Only the changed line counts.
    await chat.submit(JSON.stringify([{ write: workbench.file('total.ts'), text: wrong }]));
    await chat.page.getByText('Your changes caused a new problem. Fix it:').waitFor();
    await chat.page.getByText('total.ts, line 1:').waitFor();
    assert.equal(await workbench.page.getByRole('tab', { name: /total\.ts/ }).count(), 0, 'Its tab is closed again.');
  },
);
