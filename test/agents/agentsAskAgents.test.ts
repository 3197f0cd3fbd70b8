// Real agents that give each other tasks: the user is asked about each, the answers come back, and a loop ends at the limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, isDone, text, until } from '../unit-support/poolHarness';
import { editor } from '../unit-support/vscode';
import { sectionsOf } from '../../src/shared/pages/sessionRows';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { ProductAgents, questionOf } from './productAgents';

/** The editor's tool, as each agent names it. */
function calls({ tools }: ModelRequest, name: string, input: Record<string, unknown>): ModelStep {
  if (tools.includes('exec_command')) return { calls: [{ name, input, namespace: 'mcp__editor' }] };
  return { calls: [{ name: `mcp__editor__${name}`, input }] };
}

/** A model that gives its task to another agent, and passes on the answer. If it can't, it says so. */
function passesTo(other: string): (request: ModelRequest, body: string) => ModelStep {
  return (request, body) => {
    const { result, rounds } = request;
    if (rounds === 0) return calls(request, 'listAgents', {});
    if (rounds === 1) return calls(request, 'startSession', { agent: other, prompt: 'Find out who does it.' });
    if (result.includes('too many times in a row')) return { text: `I do it, before ${other}.` };
    const [said] = /I do it, before \w+/.exec(result) ?? [];
    if (said !== undefined) return { text: `It said: ${said}.` };
    // It is still working, or has just been started.
    const session = body.match(/session-\w+:\d+/g)?.at(-1) ?? assert.fail(result);
    return calls(request, 'readAnswer', { session });
  };
}

test('two agents that ask each other end at the limit', { timeout: 240_000 }, async (context) => {
  // Claude's usual mode leaves the decision to its model.
  const defaults = { '.claude/settings.json': '{ "permissions": { "defaultMode": "default" } }\n' };
  const desk = ProductAgents.create(context, { 'notes.md': 'notes\n', ...defaults });
  editor.settings['parley.editorTools.more'] = ['listAgents', 'startSession', 'readAnswer'];
  const ofClaude = await desk.add(context, 'claude', passesTo('Codex'));
  const ofCodex = await desk.add(context, 'codex', passesTo('Claude'));
  const { pool } = desk.window().window;
  /** What Parley itself asks. */
  const questions: string[] = [];
  // The user allows whatever they are asked, in any session.
  const allowing = pool.onDidChangeSessions(() => {
    for (const session of pool.sessions) {
      for (const call of all(session, 'tool_call')) {
        if (call.permission.state !== 'asked') continue;
        const { request, option } = questionOf(call);
        if (call.asks) questions.push(call.asks.question);
        session.answerPermission(request, option('allow_once'));
      }
    }
  });
  context.after(() => allowing.dispose());
  const session = await desk.send('Find out who does it.');
  await until(session, (one) => isDone(one) && text(one).includes('It said'), 120_000);
  assert.match(text(session), /It said: I do it, before Codex\./);
  assert.deepEqual(questions, ['Let Claude start a session with Codex?', 'Let Codex start a session with Claude?']);
  assert.deepEqual(
    pool.sessions.map(({ transcript }) => [transcript.view.agentName, transcript.view.askedBy?.depth]),
    [
      ['Claude', undefined],
      ['Codex', 1],
      ['Claude', 2],
    ],
  );
  // Both know whom they can ask.
  const lists = [...ofClaude, ...ofCodex].filter(({ step }) => step?.calls?.[0]?.name.endsWith('startSession'));
  assert.equal(lists.length, 3);
  for (const { request } of lists) assert.match(request?.result ?? '', /Claude[^]*Codex/);
  // The list of sessions has each below the one that started it.
  const { page } = desk.window();
  page.say({ type: 'watchSessions', isOn: true });
  const listed = () => page.got.findLast((message) => message.type === 'sessions');
  while (!listed()) await page.hearsMore();
  const rows = sectionsOf(listed()?.rows ?? [], Date.now()).flatMap((section) => section.rows);
  const [first, second] = pool.sessions.map(({ key }) => key);
  assert.deepEqual(
    rows.map(({ agentName, askedBy }) => [agentName, askedBy]),
    [
      ['Claude', undefined],
      ['Codex', first],
      ['Claude', second],
    ],
  );
});
