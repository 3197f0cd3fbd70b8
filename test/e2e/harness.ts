import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { inRoot } from '../root.mjs';
import { startBrowser } from '../workbench/browser.mjs';
import { installedExtension } from '../workbench/installed.mjs';
import { startServer, type Server } from '../workbench/server.mjs';
import { Workbench } from '../workbench/workbench.mjs';
import { Chat } from './chat';

/** How an agent stands in `parley.agents`. */
export interface AgentSetting {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What a test wants of the VS Code it gets. */
export interface SceneOptions {
  /** `parley.agents`; without it there is the tour agent alone. */
  readonly agents?: Readonly<Record<string, AgentSetting>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files of the workspace, by path; without it, a copy of the sample workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Let VS Code ask for trust, so that the folder starts untrusted. */
  readonly untrusted?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly timeoutMs?: number;
}

/** A VS Code with the packaged extension installed, opened in a browser, for one test alone. */
export interface Scene {
  readonly workbench: Workbench;
  readonly server: Server;
  /** The chat view; open it with `openChat` first. */
  readonly chat: Chat;
  readonly openChat: () => Promise<void>;
  /** Saves a picture as `out/shots/e2e/NAME.png`. */
  readonly screenshot: (name: string) => Promise<void>;
}

/** VS Code gives its extension host 5 s of its own to end; the rest is for a busy machine. */
const untilGoneMs = 30_000;

let sharedBrowser: Promise<Browser> | undefined;

after(async () => {
  await (await sharedBrowser)?.close();
});

/**
 * Declares a test in a VS Code of its own. Besides what `body` checks, it fails when Parley's page throws or offends its
 * content security policy, and when a process outlives the window.
 */
export function scene(name: string, options: SceneOptions, body: (scene: Scene) => Promise<void>): void {
  test(name, { timeout: options.timeoutMs ?? 120_000 }, async () => {
    sharedBrowser ??= startBrowser();
    const browser = await sharedBrowser;
    const server = await startServer({
      extensionsFolder: await installedExtension(),
      settings: settingsOf(options),
      workspaceTrust: options.untrusted ?? false,
    });
    let failed = true;
    try {
      await playScene(name, options, body, browser, server);
      failed = false;
    } finally {
      const left = await server.stop({ graceMs: failed ? 1000 : untilGoneMs });
      // A failed test says enough; what it left behind is only a consequence.
      if (!failed) assert.deepEqual(left, [], 'These processes outlived the window.');
    }
  });
}

async function playScene(
  name: string,
  options: SceneOptions,
  body: (scene: Scene) => Promise<void>,
  browser: Browser,
  server: Server,
): Promise<void> {
  const folder = await server.workspace(options.files ? undefined : inRoot('test', 'workbench', 'sampleWorkspace'));
  for (const [path, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const workbench = await Workbench.open(
    browser,
    server,
    folder,
    options.viewport ? { viewport: options.viewport } : {},
  );
  const chat = new Chat(workbench.chatView());
  try {
    await body({
      workbench,
      server,
      chat,
      openChat: async () => {
        await workbench.runCommand('Parley: Open Chat');
        await chat.message
          .or(chat.page.getByRole('region', { name: 'Start' }))
          .first()
          .waitFor({ timeout: 30_000 });
      },
      screenshot: async (picture) => {
        await workbench.screenshot(`e2e/${picture}`);
      },
    });
    assert.deepEqual(workbench.problems, [], 'The page reported problems.');
  } catch (error) {
    const picture = await workbench.screenshot(`e2e/failed/${name.replace(/\W+/g, '-')}`);
    const problems = workbench.problems.length > 0 ? `\nThe page reported: ${workbench.problems.join('\n')}` : '';
    throw new Error(`${describe(error)}${problems}\nPicture: ${picture}`);
  } finally {
    await workbench.close();
  }
}

function describe(error: unknown): string {
  // Playwright colours its messages.
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\u001b\[\d+m/g, '');
}

function settingsOf(options: SceneOptions): Record<string, unknown> {
  return {
    ...(options.agents ? { 'parley.agents': options.agents } : {}),
    ...options.settings,
  };
}
