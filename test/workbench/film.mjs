// @ts-check
// Creates the README's film from the product, in a light and a dark theme: an edit is allowed, reviewed, and undone.
//   npm run picture, or for one theme: node test/workbench/film.mjs light
import { readFile, writeFile } from 'node:fs/promises';
import { inRoot, root } from '../root.mjs';
import { startBrowser } from './browser.mjs';
import { installedExtension } from './installed.mjs';
import { run } from './run.mjs';
import { startServer } from './server.mjs';
import { filmOf } from './webp.mjs';
import { Workbench } from './workbench.mjs';

const size = { width: 1000, height: 600 };
/** Sharp at the width that readers see. */
const density = 1.5;
const quality = 0.85;
/** The largest film that a page should load, in bytes. */
const largest = 3_000_000;

const old = await readFile(inRoot('test/workbench/sampleWorkspace/src/basket.js'), 'utf8');
const changed = old
  .replace('item.pieces > bulkPieces ?', 'item.pieces >= bulkPieces ?')
  .replace('const bulkDiscount = 0.1;', 'const bulkDiscount = 0.15;');
const path = '$cwd/src/basket.js';
const call = {
  toolCallId: 'edit',
  title: 'Edit src/basket.js',
  kind: 'edit',
  locations: [{ path }],
  content: [{ type: 'diff', path, oldText: old, newText: changed }],
};
const options = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];
/** @param {object} update */
const update = (update) => ({ update });
const script = {
  turns: [
    {
      steps: [
        { say: 'The discount starts above ten pieces. I’ll make it start at ten.' },
        update({ sessionUpdate: 'tool_call', status: 'pending', ...call }),
        { request: 'session/request_permission', params: { sessionId: '$session', toolCall: call, options } },
        { request: 'fs/write_text_file', params: { path, content: changed } },
        update({ sessionUpdate: 'tool_call_update', toolCallId: 'edit', status: 'completed' }),
        { say: 'Ten pieces get the discount now.' },
      ],
    },
  ],
};
const agent = {
  command: process.execPath,
  args: [inRoot('test/fixtures/agents/scripted.mjs'), JSON.stringify(script)],
};

await run(process.execPath, ['test/package.mjs'], { cwd: root });
const server = await startServer({
  extensionsFolder: await installedExtension(),
  settings: {
    'parley.agents': { Claude: agent },
    'window.commandCenter': false,
    'editor.minimap.enabled': false,
    'breadcrumbs.enabled': false,
    'workbench.activityBar.location': 'hidden',
    'window.title': '${activeEditorShort}${separator}${rootName}',
  },
});
const browser = await startBrowser();
try {
  const blank = await browser.newPage();
  for (const theme of /** @type {const} */ (['dark', 'light'])) {
    if (process.argv.length > 2 && !process.argv.includes(theme)) continue;
    const scenes = await play(theme);
    const seconds = scenes.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    const film = await filmOf(blank, scenes, quality);
    if (film.length > largest) throw new Error(`The film has ${film.length} bytes, and may have ${largest}.`);
    await writeFile(inRoot('media', `film-${theme}.webp`), film);
    console.log(`media/film-${theme}.webp: ${seconds} s, ${Math.round(film.length / 1000)} KB`);
  }
} finally {
  await browser.close();
  await server.stop();
}

/** Plays the story once and resolves to its pictures. @param {'dark' | 'light'} theme */
async function play(theme) {
  const name = theme === 'dark' ? 'Default Dark Modern' : 'Default Light Modern';
  await server.changeSettings({ 'workbench.colorTheme': name });
  const folder = await server.workspace(inRoot('test/workbench/sampleWorkspace'));
  const workbench = await Workbench.open(browser, server, folder, { viewport: size, density, stillness: true });
  const { page } = workbench;
  /** @type {import('./webp.mjs').Scene[]} */
  const scenes = [];
  /** @param {number} ms */
  const show = async (ms) => {
    scenes.push({ png: await page.screenshot({ animations: 'disabled', caret: 'hide' }), ms });
  };
  /** Shows where the next click will be, and clicks there. @param {import('playwright-core').Locator} target */
  const press = async (target) => {
    await target.hover();
    const box = await target.boundingBox();
    if (!box) throw new Error('Nothing to press.');
    await page.evaluate(movePointer, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
    await show(1100);
    await target.click();
    await page.evaluate(movePointer, undefined);
  };
  // A window that has just opened has the class of a light theme until it knows better.
  await page.locator(`.monaco-workbench.vscode-theme-defaults-themes-${theme}_modern-json`).waitFor();
  await workbench.runCommand('Notifications: Toggle Do Not Disturb Mode');
  await workbench.openFile('src/basket.js');
  await workbench.runCommand('Parley: Open Chat');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.resizeSecondarySideBar(400);
  const chat = await workbench.chatFrame();
  const message = chat.getByRole('textbox', { name: 'Message' });
  const row = chat.getByRole('listitem').filter({ hasText: 'Claude' }).locator('.s').first();
  // The path of this machine means nothing to viewers.
  await row.evaluate((element) => (element.textContent = 'claude-agent-acp'));
  await workbench.runCommand('Notifications: Clear All Notifications');
  await message.fill('Give ten pieces');
  await show(700);
  await message.fill('Give ten pieces the bulk discount, too');
  await show(1300);
  await message.press('Enter');
  const allow = chat.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  await show(2000);
  await press(allow);
  await chat.getByText('Ten pieces get the discount now.').waitFor();
  await chat.locator('[role=feed][aria-busy=false]').waitFor();
  await workbench.lens('Keep').nth(1).waitFor();
  await show(2800);
  await press(workbench.lens('Keep').nth(1));
  await workbench.lens('Keep').nth(1).waitFor({ state: 'detached' });
  await show(1800);
  await press(workbench.lens('Undo').first());
  await workbench.lens('Undo').first().waitFor({ state: 'detached' });
  await show(3000);
  await workbench.close();
  return scenes;
}

/** Draws a pointer at a place of the window, or removes it. Runs in the page. @param {{ x: number, y: number } | undefined} place */
function movePointer(place) {
  document.querySelector('#film-pointer')?.remove();
  if (!place) return;
  const pointer = document.createElement('div');
  pointer.id = 'film-pointer';
  const shape = 'polygon(0 0, 0 78%, 22% 60%, 38% 96%, 54% 88%, 38% 54%, 66% 54%)';
  pointer.style.cssText = `position: fixed; z-index: 1000000; pointer-events: none; width: 26px; height: 26px; background: #f80; clip-path: ${shape}`;
  Object.assign(pointer.style, { left: `${place.x}px`, top: `${place.y}px` });
  document.body.append(pointer);
}
