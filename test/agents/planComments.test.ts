// Comments on a plan of a real agent: its model reads them, and nothing runs before the approval.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { all, text } from '../unit-support/poolHarness';
import { comments as commentsApi, editor, Range, type Uri } from '../unit-support/vscode';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowUntil, nextQuestion, ProductAgents, questionOf } from './productAgents';
import { openAndHeld, skipIn, tool, type Way } from './support';

const first = '# Plan\n\n1. Read the notes\n2. Write a summary\n3. Delete the notes\n';
const second = '# Plan\n\n1. Read the notes and the sources\n2. Write a summary of one page\n3. Keep the notes\n';
/** The comments, by the lines that they are on, counted from 0. */
const comments: readonly (readonly [line: number, text: string])[] = [
  [2, 'Read the sources, too.'],
  [3, 'At most one page.'],
  [4, 'Keep the notes.'],
];
const command = 'touch ran.txt';

/** A model that plans, plans again when it has read all comments, and then runs a command. */
class Model {
  private readonly steps: ModelStep[] = [];
  private plans = 0;
  private hasRun = false;

  readonly answer = (request: ModelRequest, body: string): ModelStep => {
    // Claude Code says where its plan belongs.
    const [plan] = /\/[^\s"'\\]+\/plans\/[\w.-]+\.md/.exec(body) ?? [];
    const hasComments = comments.every(([, comment]) => body.includes(comment));
    if (this.plans === 0) this.plan(request, plan, first);
    else if (this.plans === 1 && hasComments) this.plan(request, plan, second);
    const next = this.steps.shift();
    if (next) return next;
    const runs = this.plans === 2 && !this.hasRun && /approved your plan/i.test(request.result);
    this.hasRun ||= runs;
    if (runs) return { calls: [{ name: tool(request, 'Bash'), input: { command, description: 'Carry it out' } }] };
    return { text: this.hasRun ? 'It is done.' : 'I wait.' };
  };

  private plan(request: ModelRequest, path: string | undefined, content: string): void {
    assert.ok(path, 'Claude does not say where the plan belongs');
    this.plans += 1;
    this.steps.push(
      ...(this.plans > 1 ? [{ calls: [{ name: tool(request, 'Read'), input: { file_path: path } }] }] : []),
      { calls: [{ name: tool(request, 'Write'), input: { file_path: path, content } }] },
      { calls: [{ name: tool(request, 'ExitPlanMode'), input: {} }] },
    );
  }
}

/** Lets the editor have comments, and forgets them at the end of the test. */
function withComments(context: TestContext): void {
  const createCommentThread = (uri: Uri, range: Range) => ({ uri, range, dispose: () => undefined });
  const controller = { createCommentThread, dispose: () => undefined };
  Object.assign(commentsApi, { createCommentController: () => controller });
  context.after(() => Reflect.deleteProperty(commentsApi, 'createCommentController'));
}

async function plansAgain(context: TestContext, way: Way): Promise<void> {
  withComments(context);
  const desk = ProductAgents.create(context, { 'notes.md': 'notes\n' });
  const model = new Model();
  const seen = await desk.add(context, 'claude', model.answer, way);
  const session = await desk.send('Please plan a summary.', 'plan');
  const { page } = desk.window();
  const run = async (id: string, ...args: readonly unknown[]) => await editor.commands.get(id)?.(...args);
  /** Opens the plan of the next question, and returns its request, its text, and its document. */
  const openPlan = async (command: string, uriAt: number) => {
    const call = await nextQuestion(session, 'It is done.');
    assert.equal(call?.toolKind, 'switch_mode', text(session));
    const { request } = questionOf(call);
    const opened = desk.nextCommand(command);
    page.say({ type: 'editProposal', session: session.key, request });
    return { plan: call.rawInput, uri: (await opened)[uriAt] as Uri };
  };

  const { plan, uri } = await openPlan('vscode.open', 0);
  assert.equal((plan as { plan: string }).plan, first);
  for (const [line, comment] of comments) {
    const thread = { uri, range: new Range(line, 0, line, 0), dispose: () => undefined };
    await run('parley.plan.addComment', { thread, text: comment });
  }
  await run('parley.plan.sendComments', uri);

  const next = await openPlan('vscode.diff', 1);
  assert.equal((next.plan as { plan: string }).plan, second);
  const lines = first.split('\n');
  for (const [line, comment] of comments) {
    const read = JSON.stringify(`Line ${line + 1}:\n> ${lines[line]}\n\n${comment}`).slice(1, -1);
    assert.ok(
      seen.some(({ body }) => body?.includes(read)),
      `${read}\n${text(session)}`,
    );
  }
  assert.deepEqual(
    all(session, 'tool_call').filter(({ toolKind }) => toolKind === 'execute'),
    [],
  );

  await run('parley.plan.approve', next.uri);
  await allowUntil(session, 'It is done.');
  assert.ok(existsSync(join(desk.project, 'ran.txt')), text(session));
  assert.equal(desk.isSandboxed(session), way === 'held');
}

// In a sandbox, the plan's file is in the agent's own folder.
for (const [way, words] of openAndHeld) {
  const options = { timeout: 180_000, ...skipIn(way) };
  test(`Claude plans again as three comments say, and runs nothing before${words}`, options, (context) =>
    plansAgain(context, way),
  );
}
