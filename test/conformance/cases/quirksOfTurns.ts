import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentError } from '../agent';
import { until } from '../case';
import { row } from '../row';

/* More of what real agents do differently: diffs, questions, ends of turns, modes. */

const option = (optionId: string, name: string, kind: string) => ({ optionId, name, kind });

row('Q14', 'shows diffs of whole files, snippets, and lines with context unchanged', async (t) => {
  const folder = await t.folder();
  const path = join(folder, 'notes.md');
  await writeFile(path, '# Notes\n\nHello world\n\nThird line.\n');
  const diffs = {
    whole: { oldText: '# Notes\n\nHello wrld\n\nThird line.\n', newText: '# Notes\n\nHello world\n\nThird line.\n' },
    snippet: { oldText: 'wrld', newText: 'world' },
    neighbours: { oldText: '\nHello wrld\n\n', newText: '\nHello world\n\n' },
  };
  const agent = await t.open();
  await t.turn(agent, ({ update }) => {
    for (const [toolCallId, diff] of Object.entries(diffs)) {
      const content = [{ type: 'diff', path, ...diff }];
      const call = { toolCallId, title: toolCallId, kind: 'edit', status: 'completed', content };
      update({ sessionUpdate: 'tool_call', ...call });
    }
  });
  await t.page.sees({ role: 'figure', name: 'notes.md' });
  await until(async () => {
    const shown = await t.page.texts({ role: 'figure', name: 'notes.md' });
    return shown.length === 3 && shown.every((diff) => /wrld/.test(diff) && /world/.test(diff));
  });
  const inputs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ input }) => input);
  await t.page.click({ css: '[data-tool-call=snippet] [aria-label="Open Diff"]' });
  const diff = () => inputs().find((input) => input instanceof vscode.TabInputTextDiff);
  await until(() => diff() !== undefined);
  // The file holds more than the snippet: it is not passed off as its right side.
  assert.notEqual(diff()!.modified.toString(), vscode.Uri.file(path).toString());
  const shown = await vscode.workspace.openTextDocument(diff()!.modified);
  assert.equal(shown.getText(), 'world');
});

row('Q21', 'a request supplements its call without clearing omitted fields', async (t) => {
  const agent = await t.open();
  const diff = { type: 'diff', path: join(t.workspace, 'a.md'), oldText: 'old\n', newText: 'new words\n' };
  await t.turn(agent, async ({ update }) => {
    const known = { toolCallId: 'c', title: 'Editing a.md', kind: 'edit', status: 'in_progress', content: [diff] };
    update({ sessionUpdate: 'tool_call', ...known });
    const toolCall = { toolCallId: 'c', title: 'Edit file', status: 'pending', content: [], rawInput: { diff: '-+' } };
    const options = [option('y', 'Yes', 'allow_once')];
    const asked = agent.ask('session/request_permission', { sessionId: 's1', toolCall, options });
    await t.page.sees({ role: 'figure', name: 'Diff: a.md', hasText: 'new words' });
    await t.page.answer('Edit file', 'Yes');
    await agent.answer(asked);
    await t.page.sees({ role: 'article', name: 'Edit file', hasText: 'in progress' });
  });
});

row('Q23', 'shows questions in a permission request as a form', async (t) => {
  const agent = await t.open();
  const questions = [
    {
      question: 'Which colour?',
      header: 'Colour',
      options: [{ label: 'Red' }, { label: 'Blue', description: 'cold' }],
    },
    { question: 'Which parts?', header: 'Parts', multiSelect: true, options: [{ label: 'Cache' }, { label: 'Log' }] },
  ];
  const _meta = { qwenInteractionKind: 'user_question', qwenQuestions: questions };
  const toolCall = {
    toolCallId: 'c',
    title: 'Ask user 2 questions',
    status: 'pending',
    rawInput: { questions },
    _meta,
  };
  const options = [option('proceed_once', 'Submit', 'allow_once'), option('cancel', 'Cancel', 'reject_once')];
  await t.turn(agent, async () => {
    const asked = agent.ask('session/request_permission', { sessionId: 's1', toolCall, options });
    await t.page.sees({ role: 'form', name: 'Ask user 2 questions', exact: true });
    await t.page.click({ role: 'radio', name: 'Blue' });
    for (const name of ['Cache', 'Log']) await t.page.click({ role: 'checkbox', name });
    await t.page.answerForm('Ask user 2 questions', 'Submit');
    assert.deepEqual((await agent.answer(asked))['result'], {
      outcome: { outcome: 'selected', optionId: 'proceed_once' },
      answers: { 0: 'Blue', 1: 'Cache, Log' },
    });
  });
});

row('Q25', 'shows a plan under review, and the mode follows its acceptance', async (t) => {
  const modes = { currentModeId: 'plan', availableModes: ['plan', 'code'].map((id) => ({ id, name: id })) };
  const agent = await t.open({ 'session/new': () => ({ sessionId: 's1', modes }) });
  await t.turn(agent, async ({ update }) => {
    const rawInput = { plan: '## The plan\n\nFirst measure.' };
    const toolCall = { toolCallId: 'c', title: 'Implement this plan?', kind: 'switch_mode', rawInput };
    const options = [option('y', 'Yes, go', 'allow_once'), option('n', 'No', 'reject_once')];
    const asked = agent.ask('session/request_permission', { sessionId: 's1', toolCall, options });
    await t.page.sees({ role: 'heading', name: 'The plan' });
    await t.page.answer('Implement this plan?', 'Yes, go');
    await agent.answer(asked);
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
  });
  await until(async () => (await t.page.value('Mode')) === 'code');
});

row('Q28', 'shows readable errors anywhere and ends silent turns with a notice', async (t) => {
  const agent = await t.open();
  const fail = async (code: number, message: string, data?: unknown) => {
    agent.on('session/prompt', () => {
      throw new AgentError(code, message, data);
    });
    await t.prompt(`code ${code}`);
  };
  await fail(400, 'The model is not known');
  await t.page.sees({ role: 'alert', hasText: 'The model is not known' });
  await fail(-32603, 'Internal error', { details: 'The quota is used up' });
  await t.page.sees({ role: 'alert', hasText: 'The quota is used up' });
  await fail(-32603, 'Internal error', { message: '{"error":{"message":"The key is wrong"}}' });
  await t.page.sees({ role: 'alert', hasText: 'The key is wrong' });
  await t.turn(agent, () => 'end_turn', 'say nothing');
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'finished without replying' });
});

row('Q33', 'accepts a mode by the response or by a text', async (t) => {
  const availableModes = ['default', 'autoEdit', 'plan'].map((id) => ({ id, name: id }));
  const agent = await t.open({
    initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'gemini-cli', version: '1' } }),
    'session/new': () => ({ sessionId: 's1', modes: { currentModeId: 'default', availableModes } }),
    'session/set_mode': ({ modeId }, self) => {
      self.say(`[MODE_UPDATE] ${String(modeId)}`);
      return {};
    },
  });
  await t.page.choose('Mode', 'autoEdit');
  await agent.call('session/set_mode');
  await agent.catchUp();
  assert.equal(await t.page.value('Mode'), 'autoEdit');
  agent.say('[MODE_UPDATE] plan');
  await until(async () => (await t.page.value('Mode')) === 'plan');
  await t.page.misses({ text: 'MODE_UPDATE' });
});
