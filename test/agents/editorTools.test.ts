import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Scene } from '../e2e/harness';
import { waitingChanges } from '../e2e/reviewParts';
import { typeScriptSettings } from '../workbench/typeScript.mjs';
import { until } from '../e2e/poll';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, openAndHeld, sceneIn, startModel, untilAgreed, type Way } from './support';

/** A function, its uses in two files, and a mistake. */
const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "preserve" } }\n',
  'total.ts': 'export function total(a: number): number {\n  return a;\n}\nexport const wrong: number = "one";\n',
  'use.ts': "import { total } from './total';\nconsole.log(total(1), total(2));\n",
  // Claude's usual mode leaves the decision to its model.
  '.claude/settings.json': '{ "permissions": { "defaultMode": "default" } }\n',
};

const place = { path: 'total.ts', line: 1, symbol: 'total' };
const calls = [
  { name: 'getDiagnostics', input: { path: 'total.ts' } },
  { name: 'findReferences', input: place },
  { name: 'renameSymbol', input: { ...place, newName: 'sum' } },
];
const prompt = 'Rename total to sum.';
const approval = { outcome: 'allow', risk_level: 'low', user_authorization: 'high', rationale: 'You asked for it.' };

/** Calls three of the editor's tools, one after the other. */
function script(request: ModelRequest): ModelStep {
  // In its usual mode, Codex asks its model whether to allow a call.
  if (request.prompt.includes('APPROVAL REQUEST')) return { text: JSON.stringify(approval) };
  // Some agents also ask for what the user may want next.
  if (!isOfTurn(request)) return { text: 'Nothing.' };
  const call = callsOf(request)[request.rounds - refusals(request)];
  return call ? { calls: [call] } : { text: 'The function is **renamed**.' };
}

/** Whether the agent asks on behalf of the user, and not for itself. */
function isOfTurn({ prompt: asked }: ModelRequest): boolean {
  return asked.includes(prompt) && !asked.includes('APPROVAL REQUEST');
}

/** How often Qwen refused a call so far, because it had not connected to the server yet. */
function refusals(request: ModelRequest): number {
  const all = [...seen().map((one) => one.request), request];
  const rounds = all.flatMap((one) =>
    one && isOfTurn(one) && one.result.includes('not registered in this session') ? one.rounds : [],
  );
  return new Set(rounds).size;
}

function callsOf({ tools }: ModelRequest): NonNullable<ModelStep['calls']> {
  // Codex keeps them back until its model looks for them. They are there all the same.
  if (tools.includes('exec_command')) return calls.map((call) => ({ ...call, namespace: 'mcp__editor' }));
  if (tools.includes('tool_call')) {
    // So does Qwen, which has a tool that calls them.
    return calls.map(({ name, input }) => ({
      name: 'tool_call',
      input: { name: `mcp__editor__${name}`, arguments: input },
    }));
  }
  return calls.map(({ name, input }) => {
    // Others put the server's name before the tool's, each in its own way.
    const whole = tools.find((tool) => tool.endsWith(name));
    assert.ok(whole, `None of ${tools.join(', ')} is ${name}`);
    return { name: whole, input };
  });
}

const { seen, setting } = startModel(script);

/** What the agent told its model about its calls. */
function results(): string {
  return seen()
    .flatMap(({ request }) => (request && isOfTurn(request) ? request.result : []))
    .join('\n');
}

const undoInReview = ({ workbench }: Scene) => workbench.runCommand('Parley: Undo All Changes');

/** Undoes the change with the editor's own undo: one step in both files. */
async function undoInEditor({ workbench }: Scene): Promise<void> {
  const { page } = workbench;
  await workbench.openFile('total.ts');
  await page.locator('.editor-instance .view-line', { hasText: 'function sum' }).click();
  await page.keyboard.press('Control+z');
  await page.locator('.editor-instance .view-line', { hasText: 'function total' }).waitFor();
  // The other file follows a moment later.
  await page.locator('.tabs-container .tab.dirty', { hasText: 'use.ts' }).waitFor();
  await workbench.runCommand('File: Save All Files');
}

async function callsTools(stage: Scene, name: string, way: Way, undo: (stage: Scene) => Promise<void>): Promise<void> {
  const { workbench, chat, openChat, screenshot } = stage;
  seen().length = 0;
  await openChat();
  await chat.send(prompt);
  const asked = await allowAll(chat, true);
  await chat.untilText(chat.article(name).last(), 'The function is renamed.');
  await screenshot(`editor-tools-${name}-${way}`);
  // Some show their model the text of a result, and others its JSON.
  assert.match(results(), /Type 'string' is not assignable to type 'number'/);
  assert.match(results(), /console\.log\(total\(1\), total\(2\)\);/);
  assert.match(results(), /use\.ts\W+(edits\W+)?3/);
  assert.match(await readFile(workbench.file('total.ts'), 'utf8'), /^export function sum\(a/);
  const [renaming] = asked.filter(({ title }) => title.includes('Rename total to sum'));
  assert.equal(renaming?.diffs.length, 2, 'Parley asked, with what is to change.');
  // Both files wait for review, as if the agent had written them itself.
  const changed = chat.page.getByRole('list', { name: 'Changed files' });
  for (const file of ['total.ts', 'use.ts']) await changed.getByText(file).waitFor({ state: 'attached' });
  await undo(stage);
  const text = (file: 'total.ts' | 'use.ts') => readFileSync(workbench.file(file), 'utf8');
  await until(() => text('total.ts') === files['total.ts'], 'total.ts still differs.');
  await until(() => text('use.ts') === files['use.ts'], 'use.ts still differs.');
  await waitingChanges(workbench).waitFor({ state: 'hidden' });
}

/** One agent for each way to call the tools. The others call them as these do, and are held in other files. */
const heldToo: ReadonlySet<string> = new Set(['codex', 'opencode', 'qwen']);

for (const [key, name, undo] of [
  ['claude', 'Claude', undoInEditor],
  ['codex', 'Codex', undoInReview],
  ['gemini', 'Gemini', undoInReview],
  ['opencode', 'opencode', undoInReview],
  ['qwen', 'Qwen', undoInReview],
  ['copilot', 'Copilot', undoInReview],
] as const) {
  for (const [way, words] of openAndHeld) {
    if (way === 'held' && !heldToo.has(key)) continue;
    sceneIn(
      way,
      `${name} reads problems and references and renames through the editor${words}`,
      {
        agents: setting(key, way),
        settings: { ...typeScriptSettings, 'parley.editorTools.more': ['renameSymbol'] },
        files,
        timeoutMs: 180_000,
      },
      async (stage) => {
        await callsTools(stage, name, way, undo);
        await untilAgreed(stage, name, way);
      },
    );
  }
}
