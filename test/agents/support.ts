import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Chat } from '../e2e/chat';
import type { AgentSetting } from '../e2e/harness';
import { plays } from '../runner/variants.mjs';
import { inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { vscodeServer } from '../workbench/vscodeServer.mjs';
import { recipes } from './agentRecipes.mjs';
import { agentSetting, installAgent } from './installAgent.mjs';
import { startModelServer, type ModelRequest, type ModelStep } from './modelServer.mjs';

/**
 * A scripted model for the tests of one file, and how real agents are set up to ask it; both are there when the first test begins, and
 * end with the file. Nothing is waited for while tests are declared: where only some of them run, those before would be taken for all.
 */
export function startModel(script: (request: ModelRequest) => ModelStep | Promise<ModelStep>) {
  let model: ModelServer | undefined;
  const settings = new Map<keyof typeof recipes, AgentSetting>();
  const wanted: (keyof typeof recipes)[] = [];
  const homes: string[] = [];
  before(async () => {
    model = await startModelServer(script);
    for (const key of new Set(wanted)) settings.set(key, await setUp(key, model.url, homes));
  });
  after(async () => {
    await model?.close();
    for (const home of homes) await rm(home, { recursive: true, force: true });
  });
  const setting = (key: keyof typeof recipes, way: Way = 1) => {
    wanted.push(key);
    return () => {
      const found = settings.get(key) ?? assert.fail(`${key} is not set up`);
      return { [nameIn(way, recipes[key].name)]: settingIn(way, found, model?.url ?? '') };
    };
  };
  return { seen: () => model?.seen ?? [], setting };
}

/** What `protocolVersion` of an agent's settings says. */
export type ProtocolVersion = 1 | 'auto';

/** How an agent is played: in a version of the protocol, or held by a sandbox for files and network. */
export type Way = ProtocolVersion | 'held';

const first = [1, ''] as const;
/** The same once more, unless the run leaves such variants out. */
const second = plays('version2') ? ([['auto', ', in version 2 of the protocol']] as const) : [];
const held = plays('sandboxed') ? ([['held', ', in a sandbox']] as const) : [];

/** The versions that some agents are played in, with the end of the test's name. */
export const bothVersions: readonly (readonly [version: ProtocolVersion, words: string])[] = [first, ...second];
/**
 * For what a sandbox could break: edits, commands, plans, and the editor's tools. What is only about messages, such as a
 * rejection or a list of sessions, isn't played in one, and neither is what goes on after a turn: a sandbox knows no turns.
 */
export const openAndHeld: readonly (readonly [way: 1 | 'held', words: string])[] = [first, ...held];
export const allWays: readonly (readonly [way: Way, words: string])[] = [...bothVersions, ...held];

/** The name of an agent in the settings: a window would not see that only the version of a name changes. */
export function nameIn(way: Way, name: string): string {
  if (way === 'held') return `${name} inside`;
  return way === 1 ? name : `${name} 2`;
}

/** The entry of an agent in `parley.agents`. In a sandbox, the model is the only host that it reaches. */
export function settingIn(way: Way, setting: AgentSetting, modelUrl: string): AgentSetting {
  if (way === 1) return setting;
  if (way === 'auto') return { ...setting, protocolVersion: way };
  // Codex and opencode have the address in their own files, about which the user would be asked.
  const env = { ...setting.env, PATH: pathForSandbox, SCRIPTED_BASE_URL: modelUrl };
  return { ...setting, env, sandbox: 'filesAndNetwork' };
}

/** Further settings for an agent that is played so. */
export function settingsIn(way: Way): Readonly<Record<string, unknown>> {
  return way === 'held' ? { 'parley.permissions': [{ host: '*', answer: 'reject_once' }] } : {};
}

/** Why an agent can't be played so. */
export function skipIn(way: Way): { readonly skip?: string | false } {
  return way === 'held' ? inSandbox : {};
}

type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

/** Installs an agent unless it is there, and gives it a home of its own. */
async function setUp(key: keyof typeof recipes, modelUrl: string, homes: string[]) {
  const recipe = recipes[key];
  const home = await mkdtemp(join(tmpdir(), 'parley-agent-'));
  homes.push(home);
  await recipe.prepare?.(home, modelUrl);
  const folder = await installAgent(recipe);
  // Some need a newer Node.js than the tests.
  const { node } = await vscodeServer();
  return agentSetting(recipe, { folder, node, home, modelUrl });
}

/** The tool of the agent at hand, by any of the names that agents give it. */
export function tool(request: ModelRequest, ...names: readonly string[]): string {
  const name = names.find((candidate) => request.tools.includes(candidate));
  assert.ok(name, `None of ${names.join(', ')} among ${request.tools.join(', ')}`);
  return name;
}

/** What a question showed before it was allowed: its command as it is read, or the names of its diffs. */
interface ShownQuestion {
  readonly title: string;
  readonly command: string | undefined;
  readonly diffs: readonly string[];
}

/**
 * Allows whatever the agent asks, once it is in sight, and resolves when the turn is over, to what was asked. With `asksInWords`, a
 * question may show neither a command nor a diff.
 */
export async function allowAll(chat: Chat, asksInWords = false): Promise<readonly ShownQuestion[]> {
  const shown: ShownQuestion[] = [];
  // A request takes no answer for its first half second, against slips.
  const allow = chat.page
    .locator('[role=group][data-ready=true]')
    .getByRole('button', { name: /^(Allow|Allow once|Yes)$/i })
    .first();
  const over = chat.page.locator('[role=feed][aria-busy=false]');
  for (;;) {
    await allow.or(over).first().waitFor({ timeout: 60_000 });
    if (await over.isVisible()) return shown;
    // A request that is drawn again takes no answer for another half second.
    if (!(await allow.isVisible())) continue;
    const title = (await chat.permission().first().getAttribute('aria-label')) ?? '';
    const question = chat.page.getByRole('group', { name: title, exact: true });
    const asked = await whatIsAsked(title, question);
    const isShown = asksInWords || asked.command !== undefined || asked.diffs.length > 0;
    assert.ok(isShown, `nothing to see in the question "${title}"`);
    shown.push(asked);
    await allow.click();
    // A click that makes the page scroll first meets a request that takes no answer for another half second.
    const isAnswered = await question.waitFor({ state: 'detached', timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (!isAnswered) {
      await allow.click();
      await question.waitFor({ state: 'detached' });
    }
  }
}

async function whatIsAsked(title: string, question: Locator): Promise<ShownQuestion> {
  const card = question.locator('xpath=ancestor::article[1]');
  const command = card.getByRole('group', { name: /^Command/ });
  const diffs = await card.getByRole('figure', { name: /^Diff: / }).all();
  return {
    title,
    command: (await command.isVisible()) ? await command.innerText() : undefined,
    diffs: await Promise.all(diffs.map(async (diff) => (await diff.getAttribute('aria-label')) ?? '')),
  };
}

/** Replaces a line of the notes in a folder, with the tools that a model of Codex or Claude has. */
export function replacesLine(request: ModelRequest, folder: string, from: string, to: string): ModelStep[] {
  if (request.tools.includes('apply_patch')) {
    const input = `*** Begin Patch\n*** Update File: notes.md\n@@\n-${from}\n+${to}\n*** End Patch\n`;
    return [{ calls: [{ name: 'apply_patch', input: { input } }] }];
  }
  const file_path = join(folder, 'notes.md');
  return [
    { calls: [{ name: tool(request, 'Read'), input: { file_path } }] },
    { calls: [{ name: tool(request, 'Edit'), input: { file_path, old_string: from, new_string: to } }] },
  ];
}
