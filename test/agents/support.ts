import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Chat } from '../e2e/chat';
import type { AgentSetting } from '../e2e/harness';
import { untilInProtocolLog } from '../e2e/protocolLogEditor';
import { vscodeServer } from '../workbench/vscodeServer.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
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
  const setting = (key: keyof typeof recipes, protocolVersion: ProtocolVersion = 1) => {
    wanted.push(key);
    return () => {
      const found = settings.get(key) ?? assert.fail(`${key} is not set up`);
      const name = nameIn(protocolVersion, recipes[key].name);
      return { [name]: protocolVersion === 1 ? found : { ...found, protocolVersion } };
    };
  };
  return { seen: () => model?.seen ?? [], setting };
}

/** What `protocolVersion` of an agent's settings says. */
export type ProtocolVersion = 1 | 'auto';

/** The versions that some agents are played in, with the end of the scene's name. */
export const bothVersions: readonly (readonly [version: ProtocolVersion, words: string])[] = [
  [1, ''],
  ['auto', ', in version 2 of the protocol'],
];

/** The name of an agent in the settings: a window would not see that only the version of a name changes. */
export function nameIn(version: ProtocolVersion, name: string): string {
  return version === 1 ? name : `${name} 2`;
}

/** Sees that the agent speaks the version that it was offered. */
export async function untilAgreed(workbench: Workbench, agent: string, version: ProtocolVersion): Promise<void> {
  if (version === 'auto') {
    await untilInProtocolLog(workbench, nameIn(version, agent), '"state_update"');
  }
}

type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

/** Installs an agent unless it is there, and gives it a home of its own. */
async function setUp(key: keyof typeof recipes, modelUrl: string, homes: string[]) {
  const recipe = recipes[key];
  const home = await mkdtemp(join(tmpdir(), 'parley-agent-'));
  homes.push(home);
  await recipe.prepare?.(home, modelUrl);
  const folder = await installAgent(recipe);
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
