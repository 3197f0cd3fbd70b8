// @ts-check
// Creates the walkthrough's pictures from the product, in a light and a dark theme.
//   npm run picture
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { startBrowser } from './browser.mjs';
import { installedExtension } from './installed.mjs';
import { run } from './run.mjs';
import { startServer } from './server.mjs';
import { webpOf } from './webp.mjs';
import { Workbench } from './workbench.mjs';

const size = { width: 760, height: 500 };
/** The density at which the editor shows walkthrough pictures. */
const density = 1.5;
const folderOfPictures = join(root, 'media', 'walkthrough');

const old = await readFile(inRoot('test/workbench/sampleWorkspace/src/basket.js'), 'utf8');
const changed = old.replace('item.pieces > bulkPieces ?', 'item.pieces >= bulkPieces ?');

/** @param {object} update */
const toolCall = (update) => ({ update: { sessionUpdate: 'tool_call', status: 'completed', ...update } });
const path = '$cwd/src/basket.js';
const diff = { type: 'diff', path, oldText: old, newText: changed };

const worker = {
  turns: [
    {
      steps: [
        { say: 'The discount starts above ten pieces. I’ll make it start at ten.' },
        { request: 'fs/write_text_file', params: { path, content: changed } },
        toolCall({
          toolCallId: 'edit',
          title: 'Edit src/basket.js',
          kind: 'edit',
          locations: [{ path }],
          content: [diff],
        }),
        { say: 'Ten pieces get the discount now.' },
      ],
    },
  ],
};
const careful = {
  initialize: {
    protocolVersion: 1,
    authMethods: [
      { id: 'account', name: 'Log in with ChatGPT' },
      { id: 'key', name: 'Use an API key' },
    ],
  },
  login: { at: ['session/new'] },
};

/** @param {object} script */
const agent = (script) => ({
  command: process.execPath,
  args: [inRoot('test/fixtures/agents/scripted.mjs'), JSON.stringify(script)],
});

await mkdir(folderOfPictures, { recursive: true });
await run(process.execPath, ['test/package.mjs'], { cwd: root });
const server = await startServer({
  extensionsFolder: await installedExtension(),
  settings: {
    'parley.agents': { Claude: agent(worker), Codex: agent(careful) },
    'window.commandCenter': false,
    'editor.minimap.enabled': false,
    'breadcrumbs.enabled': false,
    'workbench.activityBar.location': 'hidden',
  },
});
const browser = await startBrowser();
try {
  const folder = await server.workspace(inRoot('test/workbench/sampleWorkspace'));
  const workbench = await Workbench.open(browser, server, folder, { viewport: size, density, stillness: true });
  const { page } = workbench;
  const blank = await browser.newPage();

  /** @param {string} name @param {import('playwright-core').Locator} part */
  const take = async (name, part) => {
    await workbench.runCommand('Notifications: Clear All Notifications');
    for (const theme of /** @type {const} */ (['dark', 'light'])) {
      await workbench.setTheme(theme);
      // The pointer would show a hover in the picture.
      await page.mouse.move(0, 0);
      const picture = await webpOf(blank, await part.screenshot({ animations: 'disabled' }), { quality: 0.8 });
      await writeFile(join(folderOfPictures, `${name}-${theme}.webp`), picture);
    }
  };

  await workbench.runCommand('Notifications: Toggle Do Not Disturb Mode');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('Parley: Open Chat in Editor');
  const editor = page.locator('.part.editor');
  const chat = await workbench.chatFrame('editor');
  await chat.getByRole('button', { name: 'Start Codex' }).waitFor();
  // Paths of this machine mean nothing to readers.
  for (const [name, line] of Object.entries({ Claude: 'claude-agent-acp', Codex: 'codex-acp' })) {
    const row = chat.getByRole('listitem').filter({ hasText: name }).locator('.s').first();
    await row.evaluate((element, text) => (element.textContent = text), line);
  }
  await take('agent', editor);

  await chat.getByRole('button', { name: 'Start Codex' }).click();
  await chat.getByRole('group', { name: 'Log in to Codex' }).waitFor();
  await take('login', editor);
  await workbench.runCommand('Parley: Close Session');

  await chat.getByRole('button', { name: 'Start Claude' }).click();
  const message = chat.getByRole('textbox', { name: 'Message' });
  await message.fill('Give ten pieces the bulk discount, too');
  await message.press('Enter');
  await chat.getByText('Ten pieces get the discount now.').waitFor();
  await chat.locator('[role=feed][aria-busy=false]').waitFor();
  await take('prompt', editor);

  await chat.getByRole('article', { name: /^You/ }).hover();
  await chat.getByRole('button', { name: 'Restore files to this point' }).click();
  await chat.getByRole('button', { name: 'Restore', exact: true }).waitFor();
  await take('restore', editor);
  await chat.getByRole('button', { name: 'Cancel', exact: true }).click();

  await workbench.openFile('src/basket.js');
  await workbench.lens('Keep').first().waitFor();
  await take('review', editor);
  await workbench.close();
} finally {
  await browser.close();
  await server.stop();
}
