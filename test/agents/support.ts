import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Chat } from '../e2e/chat';
import type { AgentSetting } from '../e2e/harness';
import { vscodeServer } from '../workbench/vscodeServer.mjs';
import { recipes } from './agentRecipes.mjs';
import { agentSetting, installAgent } from './installAgent.mjs';
import { startModelServer, type ModelRequest, type ModelStep } from './modelServer.mjs';

/** A scripted model for the tests of one file, and how real agents are set up to ask it. Both end with the file. */
export async function startModel(script: (request: ModelRequest) => ModelStep) {
  const model = await startModelServer(script);
  const homes: string[] = [];
  after(async () => {
    await model.close();
    for (const home of homes) await rm(home, { recursive: true, force: true });
  });
  const setting = async (key: keyof typeof recipes): Promise<Record<string, AgentSetting>> => {
    const recipe = recipes[key];
    const home = await mkdtemp(join(tmpdir(), 'parley-agent-'));
    homes.push(home);
    await recipe.prepare?.(home, model.url);
    const installed = await installAgent(recipe);
    const { node } = await vscodeServer();
    return { [recipe.name]: agentSetting(recipe, { folder: installed, node, home, modelUrl: model.url }) };
  };
  return { model, setting };
}

/** The tool of the agent at hand, by any of the names that agents give it. */
export function tool(request: ModelRequest, ...names: readonly string[]): string {
  const name = names.find((candidate) => request.tools.includes(candidate));
  assert.ok(name, `None of ${names.join(', ')} among ${request.tools.join(', ')}`);
  return name;
}

/** Allows whatever the agent asks, and resolves when the turn is over. */
export async function allowAll(chat: Chat): Promise<void> {
  // A request takes no answer for its first half second, against slips.
  const allow = chat.page
    .locator('[role=group][data-ready=true]')
    .getByRole('button', { name: /^(Allow|Allow once|Yes)$/i })
    .first();
  const over = chat.page.locator('[role=feed][aria-busy=false]');
  for (;;) {
    await allow.or(over).first().waitFor({ timeout: 60_000 });
    if (!(await allow.isVisible())) break;
    const title = (await chat.permission().first().getAttribute('aria-label')) ?? '';
    const question = chat.page.getByRole('group', { name: title, exact: true });
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
