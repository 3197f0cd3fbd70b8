import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '../wireSchema';
import type { Params } from '../agent';
import { row } from '../row';

const child = 's1:subagent:1';
const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
const cancelled = { outcome: { outcome: 'cancelled' } };
const call = (title: string, status: string) => ({ sessionUpdate: 'tool_call', toolCallId: 'c', title, status });
const about = (fields: object) => ({ sessionUpdate: 'subagent_update', sessionId: child, ...fields });
/** What stands below the row of the subagent. */
const below = (hasText: string) => ({ css: '[aria-label="Subagent: Searcher"] article', hasText });

row('U15', 'shows subagents below a row, with requests and Stop', async (t) => {
  const agent = await t.open();
  const { clientCapabilities } = (await agent.call('initialize'))['params'] as { clientCapabilities: Params };
  assert.deepEqual(clientCapabilities['subagents'], {});
  const folder = await t.folder();
  await writeFile(join(folder, 'for-all.txt'), 'read by the child\n');
  await t.turn(agent, async ({ update, say }) => {
    say('I hand this over. ');
    agent.say('words before the announcement', child);
    update(about({ title: 'Searcher', capabilities: { cancel: {} }, state: { state: 'running' }, cwd: folder }));
    await t.page.sees(below('words before the announcement'));
    say('I wait.');
    // The same id in both.
    agent.update(call('Of the child', 'in_progress'), child);
    update(call('Of the parent', 'completed'));
    await t.page.sees(below('Of the child'));
    await t.page.misses(below('Of the parent'));

    const params = { sessionId: child, toolCall: { toolCallId: 'c', title: 'May the child?' }, options };
    const asked = agent.ask('session/request_permission', params);
    await t.page.sees({ css: '[aria-label="Subagent: Searcher"] [role=group][aria-label^="Permission"]' });
    await t.page.answer('May the child?', 'Yes');
    assert.deepEqual((await agent.answer(asked))['result'], { outcome: { outcome: 'selected', optionId: 'y' } });

    const read = await agent.result('fs/read_text_file', { sessionId: child, path: join(folder, 'for-all.txt') });
    assert.equal(read['content'], 'read by the child\n');
    const command = { command: process.execPath, args: ['-e', 'console.log(process.cwd())'] };
    const terminal = await agent.result('terminal/create', { sessionId: child, ...command });
    await agent.result('terminal/wait_for_exit', { sessionId: child, ...terminal });
    const { output } = await agent.result('terminal/output', { sessionId: child, ...terminal });
    assert.match(String(output), new RegExp(folder));
  });
  // Its parent has answered; it goes on, and the session is not busy.
  agent.say('still at work', child);
  await t.page.sees(below('still at work'));
  await t.page.misses({ css: '[role=feed][aria-busy=true]' });
  const asked = agent.ask('session/request_permission', { sessionId: child, toolCall: { toolCallId: 'd' }, options });
  await t.page.sees({ role: 'group', name: 'Permission' });
  await t.page.click({ role: 'button', name: 'Stop Searcher', exact: true });
  assert.deepEqual((await agent.answer(asked))['result'], cancelled);
  await agent.call('session/cancel');
  agent.update(about({ state: { state: 'idle', stopReason: 'cancelled' } }));
  await t.page.sees({ role: 'article', name: 'Subagent: Searcher', hasText: 'cancelled' });
  await t.page.misses({ role: 'button', name: 'Stop Searcher' });
  const toChild = agent.heard.filter(
    (message: Message) => (message['params'] as Params | undefined)?.['sessionId'] === child,
  );
  assert.deepEqual(
    toChild.map(({ method, params, id }) => [method, params, id]),
    [['session/cancel', { sessionId: child }, undefined]],
  );
});
