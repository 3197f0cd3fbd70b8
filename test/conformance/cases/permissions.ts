import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { row } from '../row';

const option = (optionId: string, name: string, kind: string) => ({ optionId, name, kind });
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const cancelled = { outcome: { outcome: 'cancelled' } };

row('R01', "shows options in the agent's order and returns the chosen id", async (t) => {
  const agent = await t.open();
  const options = [
    option('reject_once', 'Zebra', 'allow_once'),
    option('', 'Apple', 'allow_once'),
    option('weird id ✓', 'Mango', 'reject_always'),
  ];
  await t.turn(agent, async () => {
    const params = { sessionId: 's1', toolCall: { toolCallId: 'c', title: 'Choose a fruit' }, options };
    const asked = agent.ask('session/request_permission', params);
    await t.page.sees({ role: 'group', name: 'Permission' });
    const shown = await t.page.texts({ css: '[role=group][aria-label^="Permission"] button' });
    const order = shown.map((text) => /Zebra|Apple|Mango/.exec(text)?.[0]).filter(Boolean);
    assert.deepEqual(order, ['Zebra', 'Apple', 'Mango']);
    await t.page.answer('', 'Mango');
    assert.deepEqual((await agent.answer(asked))['result'], selected('weird id ✓'));
  });
});

row('R02', 'cancels a request with its turn and its session', async (t) => {
  const agent = await t.open();
  const params = { sessionId: 's1', toolCall: { toolCallId: 'c' }, options: [option('y', 'Yes', 'allow_once')] };
  await t.turn(agent, async () => {
    const asked = agent.ask('session/request_permission', params);
    await t.page.sees({ role: 'group', name: 'Permission' });
    await t.cancel();
    assert.deepEqual((await agent.answer(asked))['result'], cancelled);
    return 'cancelled';
  });
  await t.openAnother(agent);
  const asked = agent.ask('session/request_permission', { ...params, sessionId: 's2' });
  await t.page.sees({ role: 'group', name: 'Permission' });
  await t.close();
  assert.deepEqual((await agent.answer(asked))['result'], cancelled);
});

row('R03', 'shows what a request says about its tool call', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async ({ update }) => {
    update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit something', kind: 'edit', status: 'pending' });
    const path = `${t.workspace}/asked.txt`;
    const content = [{ type: 'diff', path, oldText: 'old line\n', newText: 'new line\n' }];
    const toolCall = { toolCallId: 'c', content, locations: [{ path }] };
    const options = [option('y', 'Yes', 'allow_once')];
    const asked = agent.ask('session/request_permission', { sessionId: 's1', toolCall, options });
    await t.page.sees({ role: 'figure', name: 'Diff: asked.txt', hasText: 'new line' });
    await t.page.answer('', 'Yes');
    assert.deepEqual((await agent.answer(asked))['result'], selected('y'));
  });
});

row('R04', 'shows several requests at once, each with its own answer', async (t) => {
  const agent = await t.open();
  await t.openAnother(agent);
  const ask = (sessionId: string, id: string) =>
    agent.ask('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: id, title: `Question ${id}` },
      options: [option(`yes ${id}`, `Take ${id}`, 'allow_once')],
    });
  const [first, second, third] = [ask('s1', 'one'), ask('s2', 'two'), ask('s2', 'three')];
  await t.page.answer('', 'Take three');
  assert.deepEqual((await agent.answer(third))['result'], selected('yes three'));
  await t.page.answer('', 'Take two');
  assert.deepEqual((await agent.answer(second))['result'], selected('yes two'));
  await vscode.commands.executeCommand('parley.answerRequest');
  await t.page.answer('', 'Take one');
  assert.deepEqual((await agent.answer(first))['result'], selected('yes one'));
});

row('R05', 'rules answer by a clear option kind, else the user is asked', async (t) => {
  await t.set('parley.permissions', [
    { command: 'npm publish *', answer: 'ask' },
    { kind: 'execute', command: 'npm test *', answer: 'allow_once' },
    { kind: 'edit', answer: 'allow_once' },
    { path: 'secrets/**', answer: 'reject_once' },
  ]);
  const agent = await t.open();
  const options = [
    option('always', 'For ever', 'allow_always'),
    option('now', 'This once', 'allow_once'),
    option('no', 'Not now', 'reject_once'),
  ];
  const ask = (toolCall: object, offered = options) =>
    agent.ask('session/request_permission', { sessionId: 's1', toolCall, options: offered });
  const run = (id: string, command: string) => ({
    toolCallId: id,
    title: `Run ${id}`,
    kind: 'execute',
    rawInput: { command },
  });
  const isAsked = { css: '[role=group][aria-label^="Permission"]' };
  await t.turn(agent, async () => {
    assert.deepEqual((await agent.answer(ask(run('one', 'npm test --all'))))['result'], selected('now'));
    await t.page.sees({ text: 'Allowed by rule: npm test *' });
    const secret = { toolCallId: 'two', kind: 'read', locations: [{ path: `${t.workspace}/secrets/key` }] };
    assert.deepEqual((await agent.answer(ask(secret)))['result'], selected('no'));
    const inside = { toolCallId: 'three', kind: 'edit', locations: [{ path: `${t.workspace}/a.txt` }] };
    assert.deepEqual((await agent.answer(ask(inside)))['result'], selected('now'));
    assert.deepEqual(await t.page.texts(isAsked), []);
    const unclear: readonly (readonly [object, typeof options?])[] = [
      [run('four', 'npm test; rm -rf .')],
      [run('five', 'npm publish')],
      [{ toolCallId: 'six', kind: 'edit', locations: [{ path: '/elsewhere/a.txt' }] }],
      [{ ...inside, toolCallId: 'seven', kind: 'launch' }],
      [run('eight', 'npm test'), [option('always', 'For ever', 'allow_always'), option('ask', 'By owl', 'unknown')]],
    ];
    for (const [toolCall, offered = options] of unclear) {
      const asked = ask(toolCall, offered);
      await t.page.answer('', offered.at(-1)!.name);
      assert.deepEqual((await agent.answer(asked))['result'], selected(offered.at(-1)!.optionId));
    }
  });
  // A question of Parley's own.
  await t.turn(agent, async () => {
    const reading = agent.ask('fs/read_text_file', { sessionId: 's1', path: '/etc/hostname' });
    await t.page.answer('', 'Reject');
    assert.ok((await agent.answer(reading))['error']);
  });
});

row('R06', 'shows unknown kinds as options; optionless requests can be withdrawn', async (t) => {
  const agent = await t.open();
  const ask = (id: string, options: unknown) =>
    agent.ask('session/request_permission', { sessionId: 's1', toolCall: { toolCallId: id }, options });
  await t.turn(agent, async () => {
    const odd = ask('a', [option('o', 'Perhaps', 'allow_on_sundays'), 7]);
    await t.page.answer('', 'Perhaps');
    assert.deepEqual((await agent.answer(odd))['result'], selected('o'));
    const empty = ask('b', []);
    await t.page.answer('', 'Stop turn');
    assert.deepEqual((await agent.answer(empty))['result'], cancelled);
    return 'cancelled';
  });
});
