// @ts-check
// Writes test/fixtures/defaultKeys.tsv: the default keybindings of VS Code on Windows, Linux, and macOS. The workbench in a browser gets
// the system from the user agent, so one server is enough for all three. Run it with "node test/workbench/defaultKeys.mjs" after a new
// release of VS Code was added to vscodeServer.mjs. Keys that only the desktop build has are in keybindings.test.ts.
import { writeFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { Workbench } from './workbench.mjs';

/** @typedef {{ key: string, command: string, when?: string }} Binding */

/** User agents by the fixture's letter for the system. */
const userAgents = {
  w: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  l: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  m: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

const [browser, server] = await Promise.all([startBrowser(), startServer()]);
try {
  /** The systems of each binding, ordered by the first system that has it. @type {Map<string, string>} */
  const systems = new Map();
  for (const [system, userAgent] of Object.entries(userAgents)) {
    for (const { key, command, when = '' } of await bindingsOn(userAgent)) {
      const line = [key, command, when].join('\t');
      const before = systems.get(line) ?? '';
      if (!before.includes(system)) systems.set(line, before + system);
    }
  }
  const lines = [...systems].map(([line, letters]) => `${letters}\t${line}\n`).sort();
  await writeFile(inRoot('test', 'fixtures', 'defaultKeys.tsv'), lines.join(''));
  console.log(`${lines.length} keybindings`);
} finally {
  await browser.close();
  await server.stop({ graceMs: 1000 });
}

/** @param {string} userAgent @returns {Promise<readonly Binding[]>} */
async function bindingsOn(userAgent) {
  const workbench = await Workbench.open(browser, server, await server.workspace(), { userAgent });
  try {
    await workbench.runCommand('Preferences: Open Default Keyboard Shortcuts (JSON)');
    await workbench.page.locator('.editor-instance .view-line', { hasText: 'command' }).first().click();
    // Selecting uses the key of the editor's system, and copying that of the browser's.
    await workbench.page.keyboard.press(userAgent.includes('Macintosh') ? 'Meta+a' : 'Control+a');
    await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
    await workbench.page.keyboard.press('Control+c');
    const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
    // Commands without a default key follow in a comment.
    return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
  } finally {
    await workbench.close();
  }
}
