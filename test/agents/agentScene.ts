// Real agents in the whole product in plain Node, with its chat page in a browser: the user's side of a turn, without VS Code.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Desk } from '../desk/desk';
import { Chat } from '../e2e/chat';
import type { AgentSettings } from '../e2e/harness';
import { until } from '../e2e/poll';
import { lives } from '../unit-support/poolHarness';
import { tempFolder } from '../unit-support/tempFolder';
import { editor, Uri, workspace, type Range } from '../unit-support/vscode';
import { settingsIn, skipIn, type Way } from './support';

export interface AgentSceneOptions {
  readonly agents: () => AgentSettings;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files of the workspace folder, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** A window of the product with agents, and the user before it. */
export interface AgentScene {
  readonly desk: Desk;
  readonly chat: Chat;
  readonly folder: string;
  /** The absolute path of a file in the folder. */
  readonly file: (name: string) => string;
}

after(() => Desk.end());

/**
 * Declares a test with an agent that is played so. Besides what `body` checks, it fails if the page throws or offends its content security
 * policy, and if a process of an agent outlives the window.
 */
export function agentScene(
  way: Way,
  name: string,
  options: AgentSceneOptions,
  body: (scene: AgentScene) => Promise<void>,
): void {
  test(name, { timeout: 300_000, ...skipIn(way) }, async (context) => {
    const folder = tempFolder(context);
    for (const [path, content] of Object.entries(options.files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const agents = options.agents();
    const settings = { 'parley.agents': agents, ...options.settings, ...settingsIn(way) };
    const desk = await Desk.open({ folders: [folder], settings });
    const pids = () => editor.logged.flatMap((line) => /as process (\d+)/.exec(line)?.[1] ?? []).map(Number);
    const errors: Error[] = [];
    let started: readonly number[] = [];
    try {
      const frame = await desk.chat();
      const note = (error: Error) => void errors.push(error);
      frame.page().on('pageerror', note);
      try {
        await body({ desk, chat: new Chat(frame), folder, file: (path) => join(folder, path) });
      } catch (error) {
        const shown = await frame.locator('body').innerText();
        throw new Error(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n${shown}`);
      } finally {
        frame.page().off('pageerror', note);
      }
      assert.deepEqual([errors, desk.violations], [[], []], 'The page reported problems.');
      started = pids();
      assert.ok(started.length > 0, 'No agent has started.');
    } finally {
      await desk.close();
    }
    assert.deepEqual(started.filter(lives), [], 'These processes outlived the window.');
  });
}

/** Resolves when the protocol log of the agent, as it is shown, has this text. */
export async function untilLogged({ desk }: AgentScene, text: string): Promise<void> {
  await desk.run('parley.showProtocolLog');
  await until(
    () => desk.documents.text.includes(text),
    () => `${text} is not in the protocol log: ${desk.documents.text.slice(0, 2000)}`,
  );
}

/** Sees that the agent speaks the version that it was offered, and that it is held if it is to be. */
export async function untilAgreed(scene: AgentScene, way: Way): Promise<void> {
  if (way === 'auto') await untilLogged(scene, '"state_update"');
  if (way === 'held') await scene.chat.page.getByRole('button', { name: 'Sandbox: files and network' }).waitFor();
}

/** A row above a change in an editor. */
export interface Lens {
  readonly title: string;
  readonly tooltip: string;
  readonly press: () => Promise<unknown>;
}

interface RawLens {
  readonly range: Range;
  readonly command: {
    readonly title: string;
    readonly tooltip?: string;
    readonly command: string;
    readonly arguments?: unknown[];
  };
}

/** Opens a file in an editor, and resolves when it has so many rows with this title. */
export async function untilLenses(
  { desk, file }: AgentScene,
  name: string,
  title: string,
  count: number,
): Promise<readonly Lens[]> {
  const uri = Uri.file(file(name));
  await desk.run('vscode.open', uri);
  const [, provider] =
    editor.made.findLast(({ what }) => what === 'languages.registerCodeLensProvider')?.args ?? assert.fail();
  const look = () => {
    const all = workspace.textDocuments as unknown as readonly { readonly uri: Uri }[];
    const document = all.find((one) => one.uri.toString() === uri.toString()) ?? assert.fail(`${name} is not open`);
    const lenses = (provider as { provideCodeLenses(of: unknown): readonly RawLens[] }).provideCodeLenses(document);
    return lenses.filter(({ command }) => command.title.replace(/^\$\([\w-]+\)\s*/, '') === title);
  };
  await until(
    () => look().length === count,
    () => `${name} has ${look().length} rows with ${title}, not ${count}.`,
  );
  return look().map(({ command }) => ({
    title,
    tooltip: command.tooltip ?? '',
    press: () => desk.run(command.command, ...(command.arguments ?? [])),
  }));
}
