import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { SandboxMode } from '../../src/shared/limits/sandboxMode';
import { startBrowser } from '../workbench/browser.mjs';
import type { Server } from '../workbench/server.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import type { Chat } from './chat';
import { Stage } from './stage';

/** How an agent stands in `parley.agents`. */
export interface AgentSetting {
  readonly command?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly protocolVersion?: 1 | 'auto';
  readonly sandbox?: SandboxMode;
  readonly proxies?: readonly AgentSetting[];
  readonly conductor?: AgentSetting;
}

export type AgentSettings = Readonly<Record<string, AgentSetting>>;

/** What a test wants of the VS Code it gets. */
export interface SceneOptions {
  /** `parley.agents`, or what gives it when the test begins; without it there is the tour agent alone. */
  readonly agents?: AgentSettings | (() => AgentSettings);
  /** Other settings, or what gives them when the test begins. */
  readonly settings?: Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>);
  /** Files of the workspace, by path; without it, a copy of the sample workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Let VS Code ask for trust, so that the folder starts untrusted. */
  readonly untrusted?: boolean;
  /** Gives the variables of the server, which gets a window for this test alone. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** A window in which nothing was opened before. */
  readonly fresh?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly timeoutMs?: number;
}

/** A VS Code with the packaged extension installed, opened in a browser. */
export interface Scene {
  readonly workbench: Workbench;
  readonly server: Server;
  /** The chat view; open it with `openChat` first. */
  readonly chat: Chat;
  readonly openChat: () => Promise<void>;
  /** Saves a picture as `out/shots/e2e/NAME.png`. */
  readonly screenshot: (name: string) => Promise<void>;
}

let sharedBrowser: Promise<Browser> | undefined;
/** The window of the test before: starting one takes longer than most tests. */
let kept: Stage | undefined;

after(async () => {
  try {
    await kept?.close(false);
  } finally {
    await (await sharedBrowser)?.close();
  }
});

/**
 * Declares a test in a VS Code that is as if it had just been opened: what the test before has opened is closed, and a test that failed
 * takes its window with it. Besides what `body` checks, it fails when Parley's page throws or offends its content security policy, and
 * when a process of an agent outlives its session, or any its window.
 */
export function scene(name: string, options: SceneOptions, body: (scene: Scene) => Promise<void>): void {
  test(name, { timeout: options.timeoutMs ?? 240_000 }, async () => {
    const stage = await stageFor(options);
    let failed = true;
    try {
      await play(name, stage, body);
      if (!isAlone(options)) {
        await stage.clear();
        kept = stage;
      }
      failed = false;
    } finally {
      if (kept !== stage) await stage.close(failed);
    }
  });
}

/** Trust and variables are the server's: its window is for one test alone. */
function isAlone({ untrusted, env }: SceneOptions): boolean {
  return untrusted === true || env !== undefined;
}

async function stageFor(options: SceneOptions): Promise<Stage> {
  const open = async () => Stage.open(await (sharedBrowser ??= startBrowser()), options);
  if (isAlone(options)) return open();
  const before = kept;
  kept = undefined;
  if (!before || options.fresh) {
    await before?.close(false);
    return open();
  }
  try {
    await before.prepare(options);
    return before;
  } catch (error) {
    await before.close(true);
    throw error;
  }
}

/** Declares tests, by their names, that want the same of their VS Code. */
export function scenes(options: SceneOptions, bodies: Readonly<Record<string, (scene: Scene) => Promise<void>>>): void {
  for (const [name, body] of Object.entries(bodies)) scene(name, options, body);
}

async function play(name: string, stage: Stage, body: (scene: Scene) => Promise<void>): Promise<void> {
  const { workbench, server, chat } = stage;
  try {
    await body({
      workbench,
      server,
      chat,
      openChat: () => stage.openChat(),
      screenshot: async (picture) => {
        await workbench.screenshot(`e2e/${picture}`);
      },
    });
    assert.deepEqual(workbench.problems, [], 'The page reported problems.');
  } catch (error) {
    const picture = await workbench.screenshot(`e2e/failed/${name.replace(/\W+/g, '-')}`);
    const problems = workbench.problems.length > 0 ? `\nThe page reported: ${workbench.problems.join('\n')}` : '';
    throw new Error(`${describe(error)}${problems}\nPicture: ${picture}`);
  }
}

function describe(error: unknown): string {
  // Playwright colours its messages.
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\u001b\[\d+m/g, '');
}
