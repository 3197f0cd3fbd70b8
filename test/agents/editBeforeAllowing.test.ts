// The user edits what real agents propose: the file has the user's version, and the agent's next edit keeps it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { all, text, until } from '../unit-support/poolHarness';
import type { Uri } from '../unit-support/vscode';
import { recipes } from './agentRecipes.mjs';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowUntil, nextQuestion, ProductAgents, questionOf, type AgentName } from './productAgents';
import { openAndHeld, skipIn, tool, type Way } from './support';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const mine = 'one\ntwo of the user\nthree\nfour\nfive\n';
/** The agent's next edit is beside the user's line, which it has to know. */
const after = 'one\ntwo of the user\nthree\nfour of the agent\nfive\n';
const told = 'Keep it in your next edits.';

/** A model that changes line 2, and line 4 once it has read what the user changed. */
class Model {
  /** How many of its requests came since it was told in a running turn. */
  private since = 0;
  /** Whether it knew of the user's line before its second edit. */
  private isTold = false;
  private readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, 'notes.md');
  }

  readonly answer = (request: ModelRequest): ModelStep => {
    this.isTold ||= [request.prompt, request.result].some((part) => part.includes(told));
    if (!this.isTold) {
      const steps = [...this.reads(request), this.edits(request, 'two', 'two of the agent')];
      return steps[request.rounds] ?? { text: 'I have changed line 2.' };
    }
    const steps = [
      ...this.reads(request),
      this.edits(request, 'two of the user\nthree\nfour', 'two of the user\nthree\nfour of the agent'),
    ];
    const done = { text: 'Both lines are changed.' };
    // As a message of its own, it begins the count of rounds anew. Some agents ask their model for other things in between.
    if (request.prompt.includes(told)) return steps[request.rounds] ?? done;
    return steps[this.since++] ?? done;
  };

  /** Codex has no tool that reads. The others insist on it. */
  private reads(request: ModelRequest): ModelStep[] {
    if (request.tools.includes('apply_patch')) return [];
    return [{ calls: [{ name: tool(request, 'Read', 'read', 'read_file'), input: this.at(request) }] }];
  }

  private edits(request: ModelRequest, from: string, to: string): ModelStep {
    if (request.tools.includes('apply_patch')) {
      const lines = (mark: string, piece: string) => piece.split('\n').map((line) => mark + line);
      const body = ['*** Update File: notes.md', '@@', ' one', ...lines('-', from), ...lines('+', to)];
      const input = ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
      return { calls: [{ name: 'apply_patch', input: { input } }] };
    }
    const name = tool(request, 'Edit', 'edit', 'replace');
    const pieces =
      this.pathKey(request) === 'filePath' ? { oldString: from, newString: to } : { old_string: from, new_string: to };
    const why = name === 'replace' ? { instruction: 'Change the line' } : {};
    return { calls: [{ name, input: { ...this.at(request), ...pieces, ...why } }] };
  }

  private at(request: ModelRequest): Record<string, unknown> {
    return { [this.pathKey(request)]: this.file };
  }

  private pathKey(request: ModelRequest): 'filePath' | 'file_path' {
    return request.tools.includes('todowrite') ? 'filePath' : 'file_path';
  }
}

/** Whether the agent writes through the editor. */
const writers: readonly (readonly [AgentName, isThroughEditor: boolean])[] = [
  ['claude', false],
  ['codex', false],
  ['gemini', true],
  ['opencode', true],
  ['qwen', true],
];

async function editsAgain(context: TestContext, [key, isThroughEditor]: (typeof writers)[number], way: Way) {
  const desk = ProductAgents.create(context, { 'notes.md': before });
  const model = new Model(desk.project);
  const seen = await desk.add(context, key, model.answer, way);
  const session = await desk.send('Please change the notes.');
  const call = await nextQuestion(session, 'line 2');
  assert.ok(call, text(session));
  const { request } = questionOf(call);
  const { page } = desk.window();

  const opened = desk.nextCommand('vscode.diff');
  page.say({ type: 'editProposal', session: session.key, request });
  const [, uri] = await opened;
  desk.type(uri as Uri, mine);
  await until(session, (one) =>
    all(one, 'tool_call').some(({ permission }) => permission.state === 'asked' && permission.isEdited === true),
  );
  page.say({ type: 'allowProposal', session: session.key, request });
  await until(session, () => seen.some(({ body }) => body?.includes(told)), 90_000);
  assert.equal(desk.file('notes.md'), mine);
  await allowUntil(session, 'Both lines are changed.');
  assert.equal(desk.file('notes.md'), after);
  const wrote = desk.methods.includes('fs/write_text_file');
  assert.equal(wrote, isThroughEditor);
  assert.ok(!text(session).includes('wasn’t used'), text(session));
  assert.equal(desk.isSandboxed(session), way === 'held');
}

for (const writer of writers) {
  const { name } = recipes[writer[0]];
  for (const [way, words] of openAndHeld) {
    const options = { timeout: 240_000, ...skipIn(way) };
    test(`${name}'s next edit keeps the user's version of the one before${words}`, options, (context) =>
      editsAgain(context, writer, way),
    );
  }
}
