import assert from 'node:assert/strict';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as breath } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { inRoot } from '../root.mjs';
import { installedExtension } from '../workbench/installed.mjs';
import { startServer, type Server } from '../workbench/server.mjs';
import { typeScriptSettings } from '../workbench/typeScript.mjs';
import { Workbench } from '../workbench/workbench.mjs';
import { Chat } from './chat';
import type { AgentSettings, SceneOptions } from './harness';
import { waitingChanges } from './reviewParts';

/** VS Code gives its extension host 5 s of its own to end; the rest is for a busy machine. */
const untilGoneMs = 30_000;
const usualSize = { width: 1280, height: 800 };

/** A VS Code with a window of its own, for one test or for several that follow one another. */
export class Stage {
  readonly server: Server;
  readonly workbench: Workbench;
  readonly chat: Chat;

  private constructor(server: Server, workbench: Workbench) {
    this.server = server;
    this.workbench = workbench;
    this.chat = new Chat(workbench.chatView());
  }

  static async open(browser: Browser, options: SceneOptions): Promise<Stage> {
    const server = await startServer({
      extensionsFolder: await installedExtension(),
      settings: settingsOf(options),
      workspaceTrust: options.untrusted ?? false,
      // The tour agent's words come as slowly as a model's, and in a scene nobody reads them.
      env: { PARLEY_TOUR_PAUSE: '2', ...options.env?.() },
    });
    try {
      const folder = await server.workspace();
      await fill(folder, options);
      // What moves is drawn anew sixty times a second, and nobody looks.
      const view = { viewport: options.viewport ?? usualSize, stillness: true };
      const workbench = await Workbench.open(browser, server, folder, view);
      return new Stage(server, workbench);
    } catch (error) {
      await server.stop({ graceMs: 1000 });
      throw error;
    }
  }

  /** Makes a clear window ready for the next test: its size, its settings and the files of the folder. */
  async prepare(options: SceneOptions): Promise<void> {
    const { page, folder } = this.workbench;
    await page.setViewportSize(options.viewport ?? usualSize);
    // A sandbox of the test before may be taking away what it has put there.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    await fill(folder, options);
    await this.server.replaceSettings(settingsOf(options));
    const [first] = Object.keys(agentsOf(options));
    // What the page shows of the settings comes last: what else is in them is known by then.
    // The whole name: another agent's may begin with it.
    const agents = this.start.getByRole('list', { name: 'Agents', exact: true }).getByRole('listitem');
    if (first === undefined)
      await this.start
        .getByRole('button', { name: /^Start / })
        .first()
        .waitFor({ state: 'detached' });
    else await agents.first().getByText(first, { exact: true }).waitFor();
    await this.workbench.untilTheme('light');
  }

  /** Opens the chat view unless it is open, and resolves when it is there. */
  async openChat(): Promise<void> {
    const shown = this.chat.message.or(this.start).first();
    if (await shown.isVisible()) return;
    await this.workbench.runCommand('Parley: Open Chat');
    await shown.waitFor();
  }

  /** Closes what a test has opened, so that the next one finds no session, no draft, no change, no editor and no process of an agent. */
  async clear(): Promise<void> {
    const { page } = this.workbench;
    const waiting = waitingChanges(this.workbench);
    if ((await waiting.count()) > 0) {
      await this.workbench.runCommand('Parley: Keep All Changes');
      await waiting.waitFor({ state: 'hidden' });
    }
    // Newer versions of VS Code show settings and keys above everything else.
    const above = page.locator('.monaco-modal-editor-block');
    if (await above.isVisible()) await above.getByRole('button', { name: /^Close/ }).click();
    await above.waitFor({ state: 'detached' });
    const editors = page.locator('.part.editor .tabs-container .tab');
    if ((await editors.count()) > 0) {
      await this.workbench.runCommand('View: Close All Editors');
      await editors.first().waitFor({ state: 'detached' });
    }
    // They would cover the message.
    const notifications = page.locator('.notification-list-item:visible');
    if ((await notifications.count()) > 0) {
      await this.workbench.runCommand('Notifications: Clear All Notifications');
      await notifications.first().waitFor({ state: 'detached' });
    }
    await this.openChat();
    // By its tab: opening the palette takes more than a second of a processor.
    const close = this.chat.page.locator('.pl-tab[data-selected=true] .close');
    if ((await close.count()) > 0) await close.dispatchEvent('click');
    else if ((await this.chat.transcript.count()) > 0) await this.workbench.runCommand('Parley: Close Session');
    await this.start.waitFor();
    await this.chat.message.fill('');
    const until = Date.now() + untilGoneMs;
    while ((await this.agentProcesses()).length > 0) {
      assert.ok(Date.now() < until, 'The agents of closed sessions still run.');
      await breath(50); // Processes of others: there is no event to wait for.
    }
  }

  /** Closes the window and ends the server; fails when something outlives them, unless the test before has `failed`: that says enough. */
  async close(failed: boolean): Promise<void> {
    await this.workbench.close();
    const left = await this.server.stop({ graceMs: failed ? 1000 : untilGoneMs });
    if (!failed) assert.deepEqual(left, [], 'These processes outlived the window.');
  }

  private get start() {
    return this.chat.page.getByRole('region', { name: 'Start' });
  }

  private async agentProcesses() {
    return (await this.server.processes()).filter(
      // The watchdog waits a while for the next agent.
      ({ command }) => command.includes('parley.parley-acp') && !command.includes('watchdog.js'),
    );
  }
}

function settingsOf(options: SceneOptions): Record<string, unknown> {
  const { agents, settings } = options;
  const others = typeof settings === 'function' ? settings() : settings;
  // The first scene that opens a file of TypeScript decides whether its support works in the window.
  return { ...typeScriptSettings, ...(agents ? { 'parley.agents': agentsOf(options) } : {}), ...others };
}

function agentsOf({ agents = {} }: SceneOptions): AgentSettings {
  return typeof agents === 'function' ? agents() : agents;
}

/** Puts the files of a test into its folder, which is empty. */
async function fill(folder: string, { files }: SceneOptions): Promise<void> {
  if (!files) await cp(inRoot('test', 'workbench', 'sampleWorkspace'), folder, { recursive: true });
  for (const [path, text] of Object.entries(files ?? {})) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
