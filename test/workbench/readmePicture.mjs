// @ts-check
// Creates the README's picture from the product: a turn in the chat and the agent's change under review in the editor.
//   npm run picture
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { startBrowser } from './browser.mjs';
import { installedExtension } from './installed.mjs';
import { run } from './run.mjs';
import { startServer } from './server.mjs';
import { Workbench } from './workbench.mjs';

const size = { width: 1180, height: 700 };
/** Sharp on high-density screens. */
const density = 2;

const old = await readFile(inRoot('test/workbench/sampleWorkspace/src/basket.js'), 'utf8');
const changed = old
  .replace('const bulkPieces = 10;\n', '/** From this many pieces on, a line is cheaper. */\nconst bulkPieces = 10;\n')
  .replace('item.pieces > bulkPieces ?', 'item.pieces >= bulkPieces ?');

/** @param {object} update */
const toolCall = (update) => ({ update: { sessionUpdate: 'tool_call', status: 'completed', ...update } });

/** The script of the picture's agent. */
const script = {
  turns: [
    {
      steps: [
        { say: 'The comment promises the discount from ten pieces on, but `linePrice` only gives it above ten.' },
        toolCall({
          toolCallId: 'read',
          title: 'Read src/basket.js',
          kind: 'read',
          locations: [{ path: '$cwd/src/basket.js' }],
        }),
        { request: 'fs/write_text_file', params: { path: '$cwd/src/basket.js', content: changed } },
        toolCall({
          toolCallId: 'edit',
          title: 'Edit src/basket.js',
          kind: 'edit',
          locations: [{ path: '$cwd/src/basket.js' }],
          content: [{ type: 'diff', path: '$cwd/src/basket.js', oldText: old, newText: changed }],
        }),
        { say: 'Ten pieces get the discount now. I also wrote down what `bulkPieces` means.' },
      ],
    },
  ],
};

await run(process.execPath, ['test/package.mjs'], { cwd: root });
const agent = {
  command: process.execPath,
  args: [inRoot('test/fixtures/agents/scripted.mjs'), JSON.stringify(script)],
};
const server = await startServer({
  extensionsFolder: await installedExtension(),
  settings: {
    'parley.agents': { Claude: agent },
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
  await workbench.runCommand('Notifications: Toggle Do Not Disturb Mode');
  await workbench.runCommand('Parley: Open Chat');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  const chat = await workbench.chatFrame();
  await chat.getByRole('textbox', { name: 'Message' }).fill('Ten apples should get the bulk discount. Why don’t they?');
  await workbench.page.keyboard.press('Enter');
  await chat.locator('[role=feed][aria-busy=false] article').nth(2).waitFor();
  await chat.getByText('I also wrote down').waitFor();
  await workbench.openFile('src/basket.js');
  await workbench.lens('Keep').nth(1).waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  // The pointer and the focus would show a hover and a cursor in the picture.
  await workbench.page.mouse.move(0, 0);
  await writeFile(join(root, 'media', 'readme.png'), await workbench.page.screenshot({ animations: 'disabled' }));
  await workbench.close();
} finally {
  await browser.close();
  await server.stop();
}
