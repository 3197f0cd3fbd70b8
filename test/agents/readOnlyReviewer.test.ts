// Reviewers that are real agents, whose models try to change something.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Session } from '../../src/session/session';
import { all, asks, isDone, text, until } from '../unit-support/poolHarness';
import { editor, window as editorWindow } from '../unit-support/vscode';
import { recipes } from './agentRecipes.mjs';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowUntil, ProductAgents, type AgentName } from './productAgents';
import { replacesLine, tool } from './support';

const before = 'one\ntwo\nthree\n';
const changed = 'one\ntwo of the agent\nthree\n';
const command = 'touch made.txt';
/** What a reviewer gets that ended its turn after a rejection. */
const asked = 'Your request was rejected because this is a review';
/** Without this, Claude asks a model about commands. */
const asksAboutCommands = { '.claude/settings.json': '{ "permissions": { "ask": ["Bash"] } }\n' };

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
      return (
        replacesLine(request, desk.project, 'two', 'two of the agent')[request.rounds] ?? { text: 'It is changed.' }
      );
    });
    let tries = 0;
    const seen = await desk.add(context, key, (request) => {
      const steps = [...replacesLine(request, desk.project, 'two of the agent', 'two of the reviewer'), runs(request)];
      const remarks = {
        text: '```json\n[{ "path": "notes.md", "line": 2, "text": "Say whose" }]\n```\n\nThat is all.',
      };
      return request.prompt.includes(asked) ? remarks : (steps[tries++] ?? remarks);
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
    const rejected = () =>
      all(review, 'tool_call').filter(
        ({ permission }) =>
          permission.state === 'answered' && permission.by === 'rule' && permission.option.kind.startsWith('reject'),
      ).length;
    const untilRemarks = async (times: number) => {
      const isTold = (one: Session) => isDone(one) && text(one).split('That is all.').length > times;
      await until(review, (one) => asks(one) || isTold(one), 90_000);
      assert.ok(!asks(review), 'the user is asked');
    };
    await untilRemarks(1);
    // Codex ends its turn at each rejection and is asked for its remarks then. Claude goes on by itself.
    if (key === 'codex') {
      assert.equal(rejected(), 1, text(review));
      review.sendPrompt('Go on.');
      await untilRemarks(2);
    }
    assert.equal(seen.filter(({ body }) => body?.includes(asked)).length > 0, key === 'codex');
    assert.equal(rejected(), 2, text(review));
    assert.equal(desk.file('notes.md'), changed);
    assert.ok(!existsSync(join(desk.project, 'made.txt')));
    await until(session, (one) => all(one, 'notice').some(({ title }) => title === `${reviewer} has 1 remark`));
  });
}
