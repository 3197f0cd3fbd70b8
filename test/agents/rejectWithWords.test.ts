// What the user writes with a rejection reaches the models of real agents.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { all, text } from '../unit-support/poolHarness';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { nextQuestion, ProductAgents, questionOf, type AgentName } from './productAgents';
import { nameIn, tool, type ProtocolVersion } from './support';
import { recipes } from './agentRecipes.mjs';

const words = 'Do not touch files, and name the fruit instead.';
const command = 'touch made.txt';

/** Tries to run a command, until it reads what the user wants. */
function script(request: ModelRequest): ModelStep {
  if (request.prompt.includes(words) || request.result.includes(words)) return { text: 'The fruit is an apple.' };
  if (request.rounds > 0) return { text: 'I wait.' };
  if (request.tools.includes('exec_command')) {
    const input = { cmd: command, sandbox_permissions: 'require_escalated', justification: 'To make a file' };
    return { calls: [{ name: 'exec_command', input }] };
  }
  const name = tool(request, 'Bash', 'bash', 'run_shell_command');
  return { calls: [{ name, input: { command, description: 'Make a file' } }] };
}

const agents: readonly (readonly [AgentName, ProtocolVersion])[] = process.env['ONLY']
  ? [[process.env['ONLY'] as AgentName, 1]]
  : [
      ['claude', 1],
      ['claude', 'auto'],
      ['codex', 1],
      ['codex', 'auto'],
      ['opencode', 1],
      ['qwen', 1],
    ];

for (const [key, version] of agents) {
  test(
    `words of a rejection reach the model of ${nameIn(version, recipes[key].name)}`,
    { timeout: 180_000 },
    async (context) => {
      const desk = ProductAgents.create(context, { 'notes.md': 'notes\n' });
      const seen = await desk.add(context, key, script, version);
      const session = await desk.send('Please make the file.');
      const call = await nextQuestion(session, 'apple');
      assert.ok(call, text(session));
      const { request, option } = questionOf(call);
      const { page } = desk.window();
      page.say({
        type: 'answerPermission',
        session: session.key,
        request,
        optionId: option('reject_once'),
        reply: { text: words },
      });
      assert.equal(await nextQuestion(session, 'The fruit is an apple.'), undefined, text(session));
      assert.ok(seen.some(({ body }) => body?.includes(words)));
      assert.ok(!existsSync(join(desk.project, 'made.txt')));
      // The answer and the words are one act in the transcript.
      const answered = all(session, 'tool_call').find(({ id }) => id === call.id);
      assert.equal(answered?.permission.state === 'answered' && answered.permission.reply, words);
      assert.equal(session.transcript.view.queue.length, 0);
    },
  );
}
