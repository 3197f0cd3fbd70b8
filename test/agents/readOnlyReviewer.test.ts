// Reviewers that are real agents, whose models try to change something.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { all, asks, isDone, text, until } from '../unit-support/poolHarness';
import { editor, window as editorWindow } from '../unit-support/vscode';
import { recipes } from './agentRecipes.mjs';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowUntil, ProductAgents, type AgentName } from './productAgents';
import { tool } from './support';

const before = 'one\ntwo\nthree\n';
const changed = 'one\ntwo of the agent\nthree\n';
const command = 'touch made.txt';
/** Without this, Claude asks a model about commands. */
const asksAboutCommands = { '.claude/settings.json': '{ "permissions": { "ask": ["Bash"] } }\n' };

/** Replaces a line of the notes. */
function edits(request: ModelRequest, folder: string, from: string, to: string): ModelStep[] {
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

function runs(request: ModelRequest): ModelStep {
  if (request.tools.includes('exec_command')) {
    const input = { cmd: command, sandbox_permissions: 'require_escalated', justification: 'To make a file' };
    return { calls: [{ name: 'exec_command', input }] };
  }
  return { calls: [{ name: tool(request, 'Bash'), input: { command, description: 'Make a file' } }] };
}

/** Lets the user choose this agent in the list that opens. */
function choose(agent: string): void {
  const showQuickPick = async (items: unknown) =>
    ((await items) as readonly { readonly label: string }[]).find(({ label }) => label === agent);
  Object.assign(editorWindow, { showQuickPick });
}

for (const [key, other] of [
  ['codex', 'claude'],
  ['claude', 'codex'],
] as const satisfies readonly (readonly [AgentName, AgentName])[]) {
  const reviewer = recipes[key].name;
  test(`${reviewer} as a reviewer changes nothing`, { timeout: 240_000 }, async (context) => {
    const desk = ProductAgents.create(context, { 'notes.md': before, ...asksAboutCommands });
    await desk.add(context, other, (request) => {
      return edits(request, desk.project, 'two', 'two of the agent')[request.rounds] ?? { text: 'It is changed.' };
    });
    let tries = 0;
    await desk.add(context, key, (request) => {
      const steps = [...edits(request, desk.project, 'two of the agent', 'two of the reviewer'), runs(request)];
      const remarks = '```json\n[{ "path": "notes.md", "line": 2, "text": "Say whose" }]\n```';
      return steps[tries++] ?? { text: `${remarks}\n\nThat is all.` };
    });
    const session = await desk.send('Please change the notes.');
    await allowUntil(session, 'It is changed.');
    assert.equal(desk.file('notes.md'), changed);
    const { window } = desk.window();
    await window.review.turns.settled(session.key);

    choose(reviewer);
    await editor.commands.get('parley.reviewWithAgent')?.({ session: session.key });
    const review = window.pool.sessions.find(({ transcript }) => transcript.view.reviews?.session === session.key);
    assert.ok(review, text(session));
    // Codex ends its turn at each rejection.
    for (let turns = 1; !text(review).includes('That is all.'); turns++) {
      assert.ok(turns <= 3, text(review));
      if (turns > 1) review.sendPrompt('Go on.');
      await until(review, (one) => asks(one) || (isDone(one) && one.endedTurns.count === turns), 90_000);
      assert.ok(!asks(review), 'the user is asked');
    }
    assert.equal(desk.file('notes.md'), changed);
    assert.ok(!existsSync(join(desk.project, 'made.txt')));
    const rejected = all(review, 'tool_call').filter(
      ({ permission }) =>
        permission.state === 'answered' && permission.by === 'rule' && permission.option.kind.startsWith('reject'),
    );
    assert.equal(rejected.length, 2, text(review));
    await until(session, (one) => all(one, 'notice').some(({ title }) => title === `${reviewer} has 1 remark`));
  });
}
