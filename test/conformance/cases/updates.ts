import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../case';
import { row, rowInWindow } from '../row';

const text = (value: string) => ({ type: 'text', text: value });
const chunk = (role: string, value: string, messageId?: string) => ({
  sessionUpdate: `${role}_chunk`,
  content: text(value),
  ...(messageId === undefined ? {} : { messageId }),
});
const call = (fields: object) => ({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'The call', ...fields });
const change = (fields: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...fields });
const content = (value: string) => ({ type: 'content', content: text(value) });

row('U01', 'groups chunks into messages by role and id', async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update }) => {
    const messages = [
      chunk('agent_message', 'first ', 'a'),
      chunk('agent_message', 'goes on', 'a'),
      chunk('agent_message', 'second', 'b'),
      chunk('agent_thought', 'hm', 'b'),
      chunk('agent_message', 'third '),
      chunk('agent_message', 'one'),
    ];
    for (const message of messages) update(message);
  });
  // The end is drawn first.
  for (const text of ['third one', 'second', 'first goes on']) await t.page.sees({ text });
  const texts = await t.page.texts({ css: '[role=feed] article' });
  const said = texts.map((value) => /first goes on|second|third one/.exec(value)?.[0]).filter(Boolean);
  assert.deepEqual(said, ['first goes on', 'second', 'third one']);
  // The thought has the id of a message, and is none.
  const names = await t.page.attributes({ css: '[role=feed] article' }, 'aria-label');
  assert.deepEqual(names.slice(-4), ['Conformance', 'Conformance', 'Thought', 'Conformance']);
});

row('U02', 'updates only given fields, ignores null, and replaces content', async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update }) => {
    update(call({ kind: 'fetch', status: 'in_progress', content: [content('old output')] }));
    update(change({ title: null, kind: null, content: null, status: null }));
    update(change({ content: [content('new output')], status: 'failed' }));
  });
  await t.page.sees({ role: 'article', name: 'The call', hasText: 'failed' });
  await t.page.opens('The call');
  await t.page.sees({ role: 'article', name: 'The call', hasText: 'new output' });
  assert.deepEqual(await t.page.texts({ text: 'old output' }), []);
});

row('U03', 'creates a call from an update that mentions it first', async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update }) => update(change({ title: 'Out of nowhere', status: 'completed' })));
  await t.page.sees({ role: 'article', name: 'Out of nowhere' });
});

row('U04', 'shows diffs and opens them in the editor, also new files', async (t) => {
  const agent = await t.open();
  const path = join(t.workspace, 'fresh.txt');
  const written = join(await t.folder(), 'written.txt');
  await writeFile(written, 'kept\nnew line\n');
  await t.turn(agent, ({ update }) => {
    const fresh = { type: 'diff', path, oldText: null, newText: 'brand new\n' };
    update(call({ kind: 'edit', title: 'Write fresh.txt', status: 'completed', content: [fresh] }));
    const edited = { type: 'diff', path: written, oldText: 'kept\nold line\n', newText: 'kept\nnew line\n' };
    const other = call({ kind: 'edit', title: 'Edit written.txt', status: 'completed', content: [edited] });
    update({ ...other, toolCallId: 'd' });
  });
  await t.page.sees({ role: 'figure', name: 'Diff: fresh.txt', hasText: 'brand new' });
  await t.page.click({ css: '[data-tool-call=c] [aria-label="Open Diff"]' });
  const first = await shownDiff('fresh.txt');
  assert.deepEqual([first.original, first.modified], ['', 'brand new\n']);
  await t.page.click({ css: '[data-tool-call=d] [aria-label="Open Diff"]' });
  const second = await shownDiff('written.txt');
  assert.deepEqual([second.original, second.modified], ['kept\nold line\n', 'kept\nnew line\n']);
  assert.equal(
    second.file,
    vscode.Uri.file(written).toString(),
    'the file itself, where it holds what the diff leads to',
  );
});

/** What the editor's diff of a file shows on both sides, once it is in front. */
async function shownDiff(name: string) {
  const front = () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab?.label.startsWith(`${name} (`) && tab.input instanceof vscode.TabInputTextDiff ? tab.input : undefined;
  };
  await until(() => front() !== undefined);
  const { original, modified } = front()!;
  const [left, right] = await Promise.all([original, modified].map((uri) => vscode.workspace.openTextDocument(uri)));
  return { original: left!.getText(), modified: right!.getText(), file: modified.toString() };
}

row('U05', 'shows a terminal while it runs and after its release', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async ({ update }) => {
    const { terminalId } = await agent.result('terminal/create', { command: 'echo live output; sleep 30', args: [] });
    const shown = {
      kind: 'execute',
      title: 'The command',
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId }],
    };
    update(call(shown));
    await t.page.sees({ role: 'region', name: 'Terminal', hasText: 'live output' });
    await agent.result('terminal/kill', { terminalId });
    await agent.result('terminal/release', { terminalId });
    update(change({ status: 'completed' }));
  });
  // A call that is over folds by itself, which would close what was open before.
  await t.page.sees({ role: 'article', name: 'The command', hasText: 'completed' });
  await t.page.opens('The command');
  await t.page.sees({ role: 'region', name: 'Terminal', hasText: 'live output' });
});

rowInWindow('U06', "opens a call's location, and its written line links back", async (t) => {
  const path = join(await t.folder(), 'place.txt');
  await writeFile(path, 'one\ntwo\nthree\n');
  const agent = await t.open();
  await t.turn(agent, async ({ update, say }) => {
    update(call({ kind: 'read', title: 'Read place.txt', status: 'completed', locations: [{ path, line: 3 }] }));
    update({ ...call({ kind: 'edit', title: 'Change it', locations: [{ path }] }), toolCallId: 'd' });
    await writeFile(path, 'one\nTWO\nthree\n');
    update({ ...change({ status: 'completed' }), toolCallId: 'd' });
    say('done');
  });
  await t.page.opens('place.txt');
  await t.page.click({ css: 'article [data-path]' });
  // The editor reports the cursor after the file.
  await until(() => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.fileName === path && editor.selection.active.line === 2;
  });
  await until(async () => (await linkAt(path, 1)) !== undefined);
  const [command = '', args = ''] = (await linkAt(path, 1)) ?? [];
  await vscode.commands.executeCommand(command, ...(JSON.parse(decodeURIComponent(args)) as unknown[]));
  await t.page.sees({ css: 'article[aria-label^="Tool call: Change it"]:focus' });
  await vscode.commands.executeCommand('parley.review.keepAll');
});

/** The command behind the link of a hover, and what it is called with. */
async function linkAt(path: string, line: number): Promise<string[] | undefined> {
  const at = [vscode.Uri.file(path), new vscode.Position(line, 0)];
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', ...at);
  const words = hovers.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value));
  return /\(command:([^?]+)\?([^)]+)\)/.exec(words.join())?.slice(1);
}

row('U07', 'replaces a plan as a whole and removes an empty one', async (t) => {
  const agent = await t.open();
  const entry = (value: string, status: string) => ({ content: value, priority: 'medium', status });
  await t.turn(agent, async ({ update }) => {
    update({ sessionUpdate: 'plan', entries: [entry('first step', 'completed'), entry('second step', 'pending')] });
    await t.page.sees({ text: '1 of 2' });
    update({ sessionUpdate: 'plan', entries: [entry('only step', 'in_progress'), 3] });
    await t.page.sees({ text: '0 of 1' });
    await t.page.misses({ text: 'second step' });
    update({ sessionUpdate: 'plan', entries: [] });
    await t.page.misses({ text: '0 of 1' });
  });
});

row('U14', 'shows plans of three kinds and replaces them by id', async (t) => {
  const agent = await t.open();
  const plan = (planId: string, fields: object) => ({ sessionUpdate: 'plan_update', plan: { planId, ...fields } });
  await t.turn(agent, async ({ update }) => {
    const step = (status: string) => ({ content: 'a step', priority: 'high', status });
    update(plan('a', { type: 'items', entries: [step('pending')] }));
    update(plan('b', { type: 'markdown', content: '# Words of a plan' }));
    update(plan('c', { type: 'file', uri: `file://${t.workspace}/plan-of-files.md` }));
    update(plan('d', { type: 'kind-of-tomorrow' }));
    for (const text of ['0 of 1', 'Words of a plan', 'plan-of-files.md']) await t.page.sees({ text });
    update(plan('a', { type: 'items', entries: [step('completed'), step('pending')] }));
    await t.page.sees({ text: '1 of 2' });
    for (const planId of ['b', 'c', 'unknown']) update({ sessionUpdate: 'plan_removed', planId });
    await t.page.misses({ css: '.tray', hasText: 'Words of a plan' });
    await t.page.misses({ css: '.tray', hasText: 'plan-of-files.md' });
    await t.page.sees({ text: '1 of 2' });
  });
});

row('U08', 'replaces commands, which may lack input', async (t) => {
  const agent = await t.open();
  const offer = (...names: string[]) => {
    const availableCommands = names.map((name) => ({ name, description: `Does ${name}`, input: null }));
    agent.update({ sessionUpdate: 'available_commands_update', availableCommands });
  };
  offer('old', 'older');
  offer('fresh');
  await agent.catchUp();
  await t.page.write('/');
  await t.page.sees({ role: 'option', name: 'fresh' });
  assert.equal((await t.page.texts({ css: '[role=listbox][aria-label="Commands"] [role=option]' })).length, 1);
  await t.page.write('');
});

row('U09', "accepts the agent's mode under either field name", async (t) => {
  const modes = { currentModeId: 'ask', availableModes: ['ask', 'code', 'plan'].map((id) => ({ id, name: id })) };
  const agent = await t.open({ 'session/new': () => ({ sessionId: 's1', modes }) });
  await t.page.sees({ role: 'combobox', name: 'Mode' });
  agent.update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
  await until(async () => (await t.page.value('Mode')) === 'code');
  agent.update({ sessionUpdate: 'current_mode_update', modeId: 'plan' });
  await until(async () => (await t.page.value('Mode')) === 'plan');
});

row('U10', "replaces all options on the agent's update", async (t) => {
  const option = (id: string) => ({
    id,
    name: id,
    type: 'select',
    currentValue: 'v',
    options: [{ value: 'v', name: 'V' }],
  });
  const agent = await t.open({
    'session/new': () => ({ sessionId: 's1', configOptions: [option('mode')] }),
  });
  await t.page.sees({ role: 'combobox', name: 'mode' });
  agent.update({ sessionUpdate: 'config_option_update', configOptions: [option('model')] });
  await t.page.sees({ role: 'combobox', name: 'model' });
  await t.page.misses({ role: 'combobox', name: 'mode', exact: true });
});

row('U11', 'shows usage with a cost in any currency', async (t) => {
  const agent = await t.open();
  const usage = (fields: object) =>
    agent.update({ sessionUpdate: 'usage_update', used: 170_000, size: 200_000, ...fields });
  const title = () => t.page.attribute({ role: 'meter', name: 'Context' }, 'title');
  usage({ cost: { amount: 1.5, currency: 'USD' } });
  assert.equal(await t.page.attribute({ role: 'meter', name: 'Context' }, 'aria-valuenow'), '85');
  await until(async () => /\$1\.50/.test((await title()) ?? ''));
  usage({ cost: { amount: 12, currency: 'credits' } });
  await until(async () => /12.*credits/i.test((await title()) ?? ''));
  usage({ used: 0, size: 0 });
  await t.page.misses({ role: 'meter', name: 'Context' });
});

row('U12', 'shows notices of every severity as plain text', async (t) => {
  const agent = await t.open();
  for (const severity of ['info', 'warning', 'error', 'cosmic']) {
    agent.update({ sessionUpdate: 'notice', severity, title: `A **${severity}** notice`, description: 'why so' });
  }
  for (const severity of ['info', 'warning', 'error', 'cosmic']) {
    await t.page.sees({ role: 'article', name: 'Notice', hasText: `A **${severity}** notice · why so` });
  }
  const signs = '[role=feed] article[aria-label=Notice] i.codicon';
  assert.deepEqual(
    (await t.page.attributes({ css: signs }, 'class')).map((name) => /codicon-(\w+)/.exec(name ?? '')?.[1]),
    ['warning', 'error'],
  );
});

row('U13', 'shows a compaction by its id, and null clears', async (t) => {
  const agent = await t.open();
  const update = (fields: object) => agent.update({ sessionUpdate: 'compaction_update', compactionId: 'k', ...fields });
  update({ status: 'in_progress' });
  await t.page.sees({ text: 'Compacting the conversation' });
  update({ status: 'failed', error: 'no memory left' });
  await t.page.sees({ role: 'article', hasText: 'no memory left' });
  update({ status: 'completed', error: null, summary: [text('what was said')] });
  agent.update({ sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content: text(' before') });
  await t.page.click({ role: 'button', name: 'Show summary' });
  await t.page.sees({ text: 'what was said before' });
  assert.deepEqual(await t.page.texts({ text: 'no memory left' }), []);
  update({ summary: null });
  await t.page.misses({ text: 'what was said before' });
});

row('U22', 'streams the output of a command that the agent runs itself', async (t) => {
  const agent = await t.open();
  const init = (await agent.call('initialize'))['params'] as { clientCapabilities: { _meta: object } };
  assert.deepEqual(init.clientCapabilities._meta, { terminal_output: true, 'terminal-auth': true });
  const output = (data: string) => ({ terminal_output: { terminal_id: 'own', data } });
  await t.turn(agent, async ({ update }) => {
    const info = { terminal_info: { terminal_id: 'own', cwd: t.workspace } };
    const terminal = [{ type: 'terminal', terminalId: 'own' }];
    update(call({ kind: 'execute', title: '`make all`', status: 'in_progress', content: terminal, _meta: info }));
    update(change({ _meta: output('piece one\r\n') }));
    await t.page.sees({ role: 'region', name: 'Terminal: make all', hasText: 'piece one' });
    update(change({ _meta: output('piece two\r\n') }));
    await t.page.sees({ role: 'region', name: 'Terminal: make all', hasText: 'piece two' });
    update(change({ status: 'failed', _meta: { terminal_exit: { terminal_id: 'own', exit_code: 2, signal: null } } }));
  });
  await t.page.sees({ role: 'article', name: 'make all', hasText: 'exit 2' });
});
