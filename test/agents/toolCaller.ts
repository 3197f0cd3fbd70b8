import assert from 'node:assert/strict';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { startModel } from './support';

/** A function, its uses in two files, and a mistake. */
export const files = {
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
export const prompt = 'Rename total to sum.';
const approval = { outcome: 'allow', risk_level: 'low', user_authorization: 'high', rationale: 'You asked for it.' };

type Seen = ReturnType<ReturnType<typeof startModel>['seen']>;

function script(request: ModelRequest, seen: Seen): ModelStep {
  // In its usual mode, Codex asks its model whether to allow a call.
  if (request.prompt.includes('APPROVAL REQUEST')) return { text: JSON.stringify(approval) };
  // Some agents also ask for what the user may want next.
  if (!isOfTurn(request)) return { text: 'Nothing.' };
  const call = callsOf(request)[request.rounds - refusals(request, seen)];
  return call ? { calls: [call] } : { text: 'The function is **renamed**.' };
}

/** Whether the agent asks on behalf of the user, and not for itself. */
function isOfTurn({ prompt: asked }: ModelRequest): boolean {
  return asked.includes(prompt) && !asked.includes('APPROVAL REQUEST');
}

/** How often Qwen refused a call so far, because it had not connected to the server yet. */
function refusals(request: ModelRequest, seen: Seen): number {
  const all = [...seen.map((one) => one.request), request];
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

/** A scripted model that calls three of the editor's tools, one after the other, and what it was told about them. */
export function startToolCaller() {
  const { seen, setting } = startModel((request) => script(request, seen()));
  const results = () =>
    seen()
      .flatMap(({ request }) => (request && isOfTurn(request) ? request.result : []))
      .join('\n');
  return { seen, setting, results };
}

/** Fails unless the model was told the problem, the uses, and the changes, as the editor knows them. */
export function toldAll(results: string): void {
  // Some show their model the text of a result, and others its JSON.
  assert.match(results, /Type 'string' is not assignable to type 'number'/);
  assert.match(results, /console\.log\(total\(1\), total\(2\)\);/);
  assert.match(results, /use\.ts\W+(edits\W+)?3/);
}
