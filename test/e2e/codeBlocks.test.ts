import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const before = 'function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n';
const fence = '```';
const text = `See \`src/a.ts:6\`.

${fence}ts src/a.ts
function two() {
  return 20;
}
${fence}

${fence}bash
echo ran > ran.txt
${fence}
`;

scene(
  'applies, saves, and runs code from the chat, and opens paths',
  { agents, files: { 'src/a.ts': before } },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await workbench.resizeSecondarySideBar(420);
    const say = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    await chat.submit(JSON.stringify([{ tell: say }]));
    await chat.untilIdle();
    const { page } = workbench;

    // The message still has the focus.
    const detail = (name: string) => chat.page.getByRole('button', { name: `Tool detail: ${name}` });
    for (const name of ['Everything', 'Compact', 'Normal']) {
      await page.keyboard.press('Shift+Alt+M');
      await detail(name).waitFor();
    }
    await screenshot('tool-detail');

    await chat.transcript.getByRole('link', { name: 'src/a.ts:6' }).click();
    await page.locator('.part.editor .tab.active', { hasText: 'a.ts' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Ln 6, Col 1' }).waitFor();

    const block = chat.transcript.locator('.pl-code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Apply to file…' }).click();
    await page.locator('.part.editor .tab.active', { hasText: 'agent changes' }).waitFor();
    const path = join(workbench.folder, 'src', 'a.ts');
    assert.equal(await readFile(path, 'utf8'), before.replace('return 2;', 'return 20;'));
    await screenshot('code-applied');
    await chat.page.getByRole('list', { name: 'Changed files' }).getByText('a.ts').waitFor({ state: 'attached' });
    await workbench.runCommand('View: Close Editor');
    await workbench.lens('Undo').first().click();
    await page.locator('.view-line', { hasText: 'return 2;' }).waitFor();
    await chat.page.getByRole('list', { name: 'Changed files' }).waitFor({ state: 'detached' });

    await block.hover();
    await block.getByRole('button', { name: 'Create file…' }).click();
    const input = page.locator('.quick-input-widget:visible input[type="text"]');
    assert.equal(await input.inputValue(), 'src/a-2.ts');
    await input.fill('src/a.ts');
    await page.locator('.quick-input-widget', { hasText: 'This file already exists.' }).waitFor();
    await input.fill('src/b.ts');
    await page.locator('.quick-input-widget', { hasText: 'This file already exists.' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.locator('.part.editor .tab.active', { hasText: 'b.ts' }).waitFor();
    await chat.page.getByRole('list', { name: 'Changed files' }).getByText('b.ts').waitFor({ state: 'attached' });
    assert.equal(await readFile(join(workbench.folder, 'src', 'b.ts'), 'utf8'), 'function two() {\n  return 20;\n}\n');

    const shell = chat.transcript.locator('.pl-code').last();
    await shell.hover();
    await shell.getByRole('button', { name: 'Run in terminal…' }).click();
    const dialog = workbench.dialog();
    await dialog.getByText('echo ran > ran.txt').waitFor();
    await screenshot('code-run');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await assert.rejects(readFile(join(workbench.folder, 'ran.txt')), { code: 'ENOENT' });
  },
);
