// What the user answers to a request with more than a button: words, a version of their own, comments on a plan.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Params, ScriptedAgent } from '../agent';
import { until, type Case } from '../case';
import { row, rowInWindow } from '../row';

const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const scheme = 'parley-proposal';

/** The words of the `count`th message to the agent. */
async function message(agent: ScriptedAgent, method = 'session/prompt', count = 1): Promise<string> {
  const { params } = await agent.call(method, count);
  const prompt = (params as Params)['prompt'] as readonly { readonly text?: string }[];
  return prompt.map(({ text }) => text ?? '').join('');
}

/** Makes the agent do `play` in its first turn, and nothing in the others. */
function playsFirst(agent: ScriptedAgent, play: () => Promise<unknown>): void {
  agent.on('session/prompt', async () => {
    agent.on('session/prompt', () => ({ stopReason: 'end_turn' }));
    await play();
    return { stopReason: 'end_turn' };
  });
}

const ask = (agent: ScriptedAgent, toolCall: object) =>
  agent.ask('session/request_permission', { sessionId: 's1', toolCall, options });

/** The proposal in the active editor, once it is there. */
async function proposal(isIt: (uri: vscode.Uri) => boolean = () => true): Promise<vscode.TextEditor> {
  const found = () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.scheme === scheme && isIt(editor.document.uri) ? editor : undefined;
  };
  await until(() => found() !== undefined);
  return found()!;
}

/** Types a text in the place of a proposal's. */
async function types(editor: vscode.TextEditor, text: string): Promise<void> {
  const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
  assert.ok(await editor.edit((edit) => edit.replace(whole, text)));
}

row('R09', 'sends words with a rejection, into the turn or after it', async (t) => {
  const call = { toolCallId: 'c', title: 'npm install', kind: 'execute' };
  const first = await t.open();
  let answer: unknown;
  const rejects = async (agent: ScriptedAgent) => {
    const asked = ask(agent, call);
    await t.page.sees({ role: 'group', name: 'Permission: npm install' });
    await t.page.write('Use pnpm.');
    await t.page.answer('npm install', 'Reject and send message');
    answer = (await agent.answer(asked))['result'];
  };
  playsFirst(first, () => rejects(first));
  await t.prompt('go');
  assert.deepEqual(answer, selected('no'));
  assert.equal(await message(first, 'session/prompt', 2), 'Use pnpm.');
  await t.page.sees({ text: 'Use pnpm.' });
  // The message says it. The request isn't the place to repeat it.
  await t.page.misses({ css: '.pl-tool', hasText: 'Use pnpm.' });
  await t.close();

  const steered = await t.open({
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, _meta: { steering: { supported: true } } }),
    '_session/steering': () => ({ outcome: 'injected' }),
  });
  let isHeard = false;
  playsFirst(steered, async () => {
    await rejects(steered);
    isHeard = (await message(steered, '_session/steering')) === 'Use pnpm.';
  });
  await t.prompt('go');
  assert.ok(isHeard);
  assert.deepEqual(answer, selected('no'));
  assert.equal(steered.calls.filter((method) => method === 'session/prompt').length, 1);
});

/** Lets an agent ask about an edit, which the user changes and allows; `writes` is what the agent does then. */
async function editsBefore(t: Case, path: string, writes: (agent: ScriptedAgent) => Promise<unknown>) {
  await writeFile(path, 'one\ntwo\n');
  const agent = await t.open();
  const content = [{ type: 'diff', path, oldText: 'one\ntwo\n', newText: 'one\nagent\n' }];
  playsFirst(agent, async () => {
    const asked = ask(agent, { toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'pending', content });
    await t.page.click({ role: 'button', name: 'More answers' });
    await t.page.click({ role: 'menuitem', name: 'Edit…' });
    await types(await proposal((uri) => basename(uri.path) === basename(path)), 'one\nmine\n');
    await t.page.answer('', 'Allow my version');
    assert.deepEqual((await agent.answer(asked))['result'], selected('yes'));
    assert.equal(await readFile(path, 'utf8'), 'one\ntwo\n');
    await writes(agent);
    agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
  });
  await t.prompt('go');
  return agent;
}

const tells = /^I changed your edit before I allowed it\.[^]*-agent\n\+mine\n/;

rowInWindow('R10', 'writes the user’s version of an edit, whoever writes it', async (t) => {
  const folder = await t.folder();
  const through = join(folder, 'through.txt');
  const first = await editsBefore(t, through, (agent) =>
    agent.result('fs/write_text_file', { path: through, content: 'one\nagent\n' }),
  );
  assert.equal(await readFile(through, 'utf8'), 'one\nmine\n');
  assert.match(await message(first, 'session/prompt', 2), tells);
  await t.close();

  const alone = join(folder, 'alone.txt');
  const second = await editsBefore(t, alone, () => writeFile(alone, 'one\nagent\n'));
  await until(async () => (await readFile(alone, 'utf8')) === 'one\nmine\n');
  assert.match(await message(second, 'session/prompt', 2), tells);
});

rowInWindow('R11', 'keeps the user’s version if the agent writes something else', async (t) => {
  const folder = await t.folder();
  const through = join(folder, 'through.txt');
  await editsBefore(t, through, (agent) =>
    agent.result('fs/write_text_file', { path: through, content: 'something else\n' }),
  );
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'wrote something else to through.txt' });
  assert.equal(await readFile(through, 'utf8'), 'something else\n');
  await t.editor.answersNotification('wrote something else to through.txt', 'Use My Version');
  await until(async () => (await readFile(through, 'utf8')) === 'one\nmine\n');
  await t.close();

  const alone = join(folder, 'alone.txt');
  await editsBefore(t, alone, () => writeFile(alone, 'something else\n'));
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'wrote something else to alone.txt' });
  assert.equal(await readFile(alone, 'utf8'), 'something else\n');
});

rowInWindow('R12', 'sends comments on a plan, and runs nothing before its approval', async (t) => {
  const path = join(await t.folder(), 'done.txt');
  const agent = await t.open();
  const plan = (text: string) => [{ type: 'content', content: { type: 'text', text } }];
  const answers: unknown[] = [];
  const asks = async (toolCallId: string, text: string) => {
    const toolCall = { toolCallId, title: 'Approve the plan', kind: 'switch_mode', content: plan(text) };
    const { result } = await agent.answer(ask(agent, toolCall));
    answers.push(result);
    if (JSON.stringify(result) === JSON.stringify(selected('yes'))) await writeFile(path, 'done');
    return { stopReason: 'end_turn' };
  };
  agent.on('session/prompt', () => asks('p1', '# Plan\n1. write\n'));
  const done = t.prompt('go');
  await t.page.click({ role: 'button', name: 'More answers' });
  await t.page.click({ role: 'menuitem', name: 'Open plan…' });
  const first = await proposal();
  const thread = { uri: first.document.uri, range: new vscode.Range(1, 0, 1, 0), dispose: () => undefined };
  await vscode.commands.executeCommand('parley.plan.addComment', { thread, text: 'Test it, too.' });
  assert.deepEqual(answers, []);
  let askAgain: () => void = () => undefined;
  const mayAskAgain = new Promise<void>((resolve) => (askAgain = resolve));
  agent.on('session/prompt', async () => {
    await mayAskAgain;
    return asks('p2', '# Plan\n1. write\n2. test\n');
  });
  await vscode.commands.executeCommand('parley.plan.sendComments', first.document.uri);
  assert.match(await message(agent, 'session/prompt', 2), /Line 2:\n> 1\. write\n\nTest it, too\.$/);
  assert.deepEqual(answers, [selected('no')]);

  // Otherwise, the click could still meet the button of the first plan.
  await t.page.misses({ role: 'button', name: 'Open plan…' });
  askAgain();
  await t.page.click({ role: 'button', name: 'More answers' });
  await t.page.click({ role: 'menuitem', name: 'Open plan…' });
  const second = await proposal((uri) => uri.authority !== first.document.uri.authority);
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  assert.ok(input instanceof vscode.TabInputTextDiff);
  const before = await vscode.workspace.openTextDocument(input.original);
  assert.equal(before.getText(), '# Plan\n1. write\n');
  await assert.rejects(readFile(path));
  await vscode.commands.executeCommand('parley.plan.approve', second.document.uri);
  await done;
  assert.deepEqual(answers, [selected('no'), selected('yes')]);
  assert.equal(await readFile(path, 'utf8'), 'done');
});
