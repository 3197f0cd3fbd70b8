import assert from 'node:assert/strict';
import { missingAgentName } from '../connections';
import { isAlive, until } from '../case';
import { row } from '../row';

const chunk = (text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });

row('T01', 'sends a message as one line of UTF-8', async (t) => {
  const agent = await t.open();
  const text = 'two\nlines\r\nand 日本 🎉 \u2028 \u0000 "quoted" \\ end';
  await t.turn(agent, ({ prompt }) => assert.deepEqual(prompt, [{ type: 'text', text }]), text);
});

row('T02', 'reads messages in any chunks, even split inside a character', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    agent.write(`${chunk('bytewise 日本 🎉')}\n`, 1);
    agent.write(`${chunk(' two at')}\n${chunk(' once.')}\n${chunk(' A half')}`);
    agent.write('\n', 1);
    await agent.catchUp();
  });
  await t.page.sees({ text: 'bytewise 日本 🎉 two at once. A half' });
});

row('T03', 'ignores carriage returns and blank lines', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    agent.write(`\r\n\n   \n${chunk('after blanks')}\r\n\r\n`);
    await agent.catchUp();
  });
  await t.page.sees({ text: 'after blanks' });
});

row('T04', "ignores lines that aren't messages", async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    for (const junk of ['npm WARN deprecated', '{broken', '123', 'null', '"text"', 'true', '\u001b[2K']) {
      agent.write(`${junk}\n`);
    }
    agent.write(`${chunk('after junk')}\n`);
    await agent.catchUp();
  });
  await t.page.sees({ text: 'after junk' });
  const errors = agent.heard.filter(({ id, error }) => id === null && error);
  assert.deepEqual(
    errors.map(({ error }) => (error as { code: number }).code),
    [-32700],
  );
});

row('T05', 'answers an array once and executes none of it', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    agent.write(`[${chunk('from a batch')}]\n[]\n[{"jsonrpc":"2.0","id":"b","method":"foo/bar","params":{}}]\n`);
    agent.write(`${chunk('outside')}\n`);
    await agent.catchUp();
  });
  await t.page.sees({ text: 'outside' });
  assert.deepEqual(await t.page.texts({ text: 'from a batch' }), []);
  const errors = agent.heard.filter(({ id }) => id === null).map(({ error }) => (error as { code: number }).code);
  assert.deepEqual(errors, [-32600, -32600, -32600]);
  assert.ok(!agent.heard.some(({ id }) => id === 'b'));
});

row('T06', 'does not treat stderr output as a failure', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async ({ say }) => {
    agent.act({ stderr: `Error: ${'e'.repeat(1_000_000)}\n`, times: 10 });
    say('unimpressed');
    await agent.catchUp();
  });
  await t.page.sees({ text: 'unimpressed' });
  await t.page.misses({ css: '[role=feed] [role=alert]' });
});

row('T07', 'reads a message of 10 MB', async (t) => {
  const agent = await t.open();
  const newText = `${'0123456789abcdef'.repeat(63)}\n`.repeat(10_500);
  assert.ok(newText.length > 10_000_000);
  await t.turn(agent, async ({ update }) => {
    const content = [{ type: 'diff', path: '/huge.txt', oldText: null, newText }];
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Huge',
      kind: 'edit',
      content,
      status: 'completed',
    });
    await agent.catchUp();
  });
  await t.page.sees({ role: 'article', name: 'Tool call: Huge' });
  await t.turn(agent, ({ say }) => say('not impressed'));
  await t.page.sees({ text: 'not impressed' });
});

row('T08', 'reports a killed agent and offers to restart it', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    agent.act({ signal: 'SIGKILL' });
    await agent.ended;
  });
  await t.page.sees({ role: 'alert', hasText: 'SIGKILL' });
  const next = t.nextAgent();
  await t.page.click({ role: 'button', name: 'Restart and continue' });
  await (await next).call('session/new');
});

row('T09', 'reports a missing program by name', async (t) => {
  await t.openInVain(missingAgentName);
  await t.page.sees({ role: 'alert', hasText: '/nowhere/conformance-agent' });
});

row('T10', 'closes stdin, then signals an agent and all its children', async (t) => {
  const agent = await t.open();
  agent.act({ ignore: 'stdin' });
  agent.act({ ignore: 'SIGTERM' });
  agent.act({ child: `process.on('SIGTERM', () => {}); console.log(1); setInterval(() => {}, 1e6);` });
  await agent.until(() => agent.children.length === 1, 'its child runs');
  const [child = 0] = agent.children;
  assert.ok(isAlive(child));
  await t.close();
  await agent.ended;
  await until(() => !isAlive(agent.hello.pid) && !isAlive(child));
  assert.ok(agent.hasStdinEnded);
});
