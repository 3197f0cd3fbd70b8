import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError, type ScriptedAgent } from '../agent';
import { until, type Case } from '../case';
import { agentName } from '../connections';
import { card, offers, refuses, way } from '../logins';
import { row, rowInWindow } from '../row';

const form = (message: string, properties: object, required: readonly string[] = []) => ({
  sessionId: 's1',
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties, required },
});
const url = (message: string, address: string, elicitationId = 'e1') => ({
  sessionId: 's1',
  mode: 'url',
  message,
  elicitationId,
  url: address,
});
const ask = (agent: ScriptedAgent, params: object) => agent.ask('elicitation/create', { ...params });
const result = async (agent: ScriptedAgent, id: unknown) => (await agent.answer(id))['result'];
const nothing = { note: { type: 'string' } };

row('E01', 'shows every field type with defaults and rules, and returns numbers', async (t) => {
  const agent = await t.open();
  const properties = {
    name: { type: 'string', title: 'Name', minLength: 2 },
    mail: { type: 'string', title: 'Email', format: 'email' },
    kind: {
      type: 'string',
      title: 'Kind',
      oneOf: [
        { const: 'm', title: 'Minor' },
        { const: 'M', title: 'Major' },
      ],
    },
    channel: { type: 'string', title: 'Channel', enum: ['a', 'b', 'c', 'd', 'next'], default: 'next' },
    count: { type: 'integer', title: 'Count', minimum: 1, maximum: 9, default: 3 },
    share: { type: 'number', title: 'Share' },
    log: { type: 'boolean', title: 'Log' },
    checks: { type: 'array', title: 'Checks', items: { type: 'string', enum: ['unit', 'e2e'] }, default: ['unit'] },
    empty: { type: 'string', title: 'Left empty' },
  };
  await t.turn(agent, async () => {
    const asked = ask(agent, form('How is it cut?', properties, ['name', 'kind']));
    await t.page.sees({ role: 'form', name: 'How is it cut?', exact: true });
    await t.page.fill('Name', 'x');
    await t.page.sees({ text: 'Use at least 2 characters (currently 1).' });
    assert.equal(await t.page.attribute({ role: 'textbox', name: 'Name', exact: true }, 'aria-invalid'), 'true');
    await t.page.fill('Name', 'Ann');
    await t.page.fill('Email', 'ann@example.com');
    await t.page.fill('Count', '11');
    await t.page.answerForm('How is it cut?', 'Submit');
    await t.page.sees({ text: 'Enter 9 or less.' });
    await t.page.sees({ text: 'Select an option.', exact: true });
    await t.page.fill('Count', '7');
    await t.page.fill('Share', '0.5');
    await t.page.click({ role: 'radio', name: 'Major' });
    await t.page.click({ role: 'checkbox', name: 'e2e' });
    await t.page.answerForm('How is it cut?', 'Submit');
    const content = {
      name: 'Ann',
      mail: 'ann@example.com',
      kind: 'M',
      channel: 'next',
      count: 7,
      share: 0.5,
      log: false,
    };
    assert.deepEqual(await result(agent, asked), {
      action: 'accept',
      content: { ...content, checks: ['unit', 'e2e'] },
    });
  });
});

row('E02', 'distinguishes accept, decline, and cancel', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    const asked = ['Submit', 'Decline', 'Cancel'].map((button) => ask(agent, form(`Press ${button}`, nothing)));
    for (const button of ['Cancel', 'Submit', 'Decline']) await t.page.answerForm(`Press ${button}`, button);
    assert.deepEqual(await Promise.all(asked.map((id) => result(agent, id))), [
      { action: 'accept', content: {} },
      { action: 'decline' },
      { action: 'cancel' },
    ]);
  });
});

row('E03', 'shows a form for a request, a session, or a tool call', async (t) => {
  let early: unknown;
  const agent = await t.start({
    'session/new': async (_params, self, { id }) => {
      const { requestedSchema, mode } = form('', nothing);
      const asked = ask(self, { requestId: id, mode, requestedSchema, message: 'Which account?' });
      await t.page.fill('note', 'mine');
      await t.page.answerForm('Which account?', 'Submit');
      early = await result(self, asked);
      return { sessionId: 's1' };
    },
  });
  await until(() => early !== undefined);
  assert.deepEqual(early, { action: 'accept', content: { note: 'mine' } });
  await agent.catchUp();
  const nobody = { ...form('For nobody', nothing), sessionId: undefined, requestId: 4711 };
  assert.deepEqual(await result(agent, ask(agent, nobody)), { action: 'cancel' });
  await t.turn(agent, async ({ update }) => {
    update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Publish it', status: 'pending' });
    const asked = ask(agent, { ...form('Really?', nothing), toolCallId: 'c1' });
    await t.page.sees({ role: 'form', name: 'Really?', hasText: 'Related tool call: Publish it' });
    await t.page.answerForm('Really?', 'Decline');
    assert.deepEqual(await result(agent, asked), { action: 'decline' });
  });
  await t.close();
  await duringLogin(t);
});

/** While the agent logs in, for a session that is not open: what it asks is in the chat, and goes with the login. */
async function duringLogin(t: Case): Promise<void> {
  const answers: unknown[] = [];
  const handlers = refuses('session/new');
  const agent = await t.start({
    ...offers([{ id: 'web', name: 'With an account' }]),
    ...handlers,
    authenticate: async (params, self, message) => {
      const { requestedSchema, mode } = form('', nothing);
      const asked = ask(self, { requestId: message['id'], mode, requestedSchema, message: 'Which tenant?' });
      await t.page.sees({ role: 'form', name: 'Which tenant?', hasText: `${agentName} needs your input` });
      if (answers.length === 0) {
        await t.page.click({ css: `[aria-label="Log in to ${agentName}"] .way button` });
        answers.push(await result(self, asked));
        throw new AgentError(-32800, 'Request cancelled');
      }
      await t.page.fill('note', 'north');
      await t.page.answerForm('Which tenant?', 'Submit');
      answers.push(await result(self, asked));
      return handlers['authenticate']!(params, self, message);
    },
  });
  await t.page.click(way('With an account'));
  await until(() => answers.length === 1);
  assert.deepEqual(answers, [{ action: 'cancel' }]);
  await t.page.misses({ role: 'form', name: 'Which tenant?' });
  assert.ok(agent.calls.includes('$/cancel_request'));
  await t.page.click(way('With an account'));
  await agent.call('session/new', 2);
  assert.deepEqual(answers[1], { action: 'accept', content: { note: 'north' } });
  await t.page.misses(card);
}

rowInWindow('E04', 'shows a URL whole; only the user opens it, in the browser', async (t) => {
  const fetched: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    fetched.push(request.url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // This machine is the only host that the editor opens without asking, and it does not ask while it is tested.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = `http://${host}/device?next=http%3A%2F%2Flocalhost%2Fa%20b`;
  try {
    const agent = await t.open();
    await t.page.opened();
    await t.turn(agent, async () => {
      const asked = ask(agent, url('Log in', address));
      await t.page.sees({ role: 'form', name: 'Log in', hasText: address });
      await t.page.sees({ text: host, exact: true });
      const elsewhere = ask(agent, url('Log in elsewhere', 'https://login.parley.test/', 'e2'));
      await t.page.answerForm('Log in elsewhere', 'Open Link');
      await t.page.sees({ role: 'form', name: 'Log in elsewhere', hasText: 'The page wasn’t opened' });
      await t.page.answerForm('Log in elsewhere', 'Decline');
      assert.deepEqual(await result(agent, elsewhere), { action: 'decline' });
      assert.deepEqual([fetched, await t.page.opened()], [[], []]);
      await t.page.answerForm('Log in', 'Open Link');
      assert.deepEqual(await result(agent, asked), { action: 'accept' });
      let opened: readonly string[] = [];
      await until(async () => (opened = await t.page.opened()).length > 0);
      // The editor's own server forwards what is on its machine.
      assert.match(opened.join(), /\/device\?next=/);
      agent.send({ method: 'elicitation/complete', params: { elicitationId: 'e1' } });
      await t.page.sees({ text: `You opened ${host} and finished there` });
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

row('E05', 'removes the card of a completed URL and ignores unknown ids', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    const asked = ask(agent, url('Log in', 'https://example.com/login'));
    await t.page.sees({ role: 'form', name: 'Log in' });
    agent.send({ method: 'elicitation/complete', params: { elicitationId: 'unknown' } });
    agent.send({ method: 'elicitation/complete', params: {} });
    await agent.catchUp();
    await t.page.sees({ role: 'form', name: 'Log in' });
    agent.send({ method: 'elicitation/complete', params: { elicitationId: 'e1' } });
    await t.page.misses({ role: 'form', name: 'Log in' });
    await t.page.sees({ text: 'Already done' });
    assert.deepEqual(await result(agent, asked), { action: 'cancel' });
    agent.send({ method: 'elicitation/complete', params: { elicitationId: 'e1' } });
    await agent.catchUp();
  });
});

row('E06', 'rejects unknown modes and shows unknown fields as unsupported', async (t) => {
  const agent = await t.open();
  const code = (params: object) => agent.errorCode('elicitation/create', { ...params });
  assert.equal(await code({ ...form('Think of a number', {}), mode: 'telepathy' }), -32602);
  assert.equal(await code({ ...form('Nothing', {}), requestedSchema: undefined }), -32602);
  assert.equal(await code(url('Run it', 'command:workbench.action.quit')), -32602);
  await t.turn(agent, async () => {
    const asked = ask(agent, form('Pick one', { tint: { type: 'color', title: 'Tint', default: '#123456' } }));
    await t.page.sees({ text: 'Unsupported field type “color”.' });
    await t.page.fill('Tint', '#fff');
    await t.page.answerForm('Pick one', 'Submit');
    assert.deepEqual(await result(agent, asked), { action: 'accept', content: { tint: '#fff' } });
  });
});

row('E07', 'names the asking agent in a form', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    const asked = [ask(agent, form('What now?', nothing)), ask(agent, url('Log in', 'https://example.com/'))];
    await t.page.sees({ role: 'form', name: 'What now?', hasText: `${agentName} needs your input` });
    await t.page.sees({ role: 'form', name: 'Log in', hasText: `${agentName} wants to open a page` });
    await t.page.answerForm('What now?', 'Decline');
    await t.page.answerForm('Log in', 'Decline');
    await Promise.all(asked.map((id) => agent.answer(id)));
  });
});

row('E08', 'removes a form with its turn or session, or when withdrawn', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    const back = ask(agent, form('Taken back', nothing));
    await t.page.sees({ role: 'form', name: 'Taken back' });
    agent.send({ method: '$/cancel_request', params: { requestId: back } });
    assert.deepEqual(await result(agent, back), { action: 'cancel' });
    await t.page.misses({ role: 'form', name: 'Taken back' });
    const asked = [ask(agent, form('In the turn', nothing)), ask(agent, url('Log in', 'https://example.com/'))];
    await t.page.sees({ role: 'form', name: 'In the turn' });
    await t.cancel();
    for (const id of asked) assert.deepEqual(await result(agent, id), { action: 'cancel' });
    await t.page.misses({ role: 'form' });
    assert.deepEqual(await result(agent, ask(agent, form('Too late', nothing))), { action: 'cancel' });
    return 'cancelled';
  });
  await t.openAnother(agent);
  const last = ask(agent, { ...form('At the end', nothing), sessionId: 's2' });
  await t.page.sees({ role: 'form', name: 'At the end' });
  await t.close();
  assert.deepEqual(await result(agent, last), { action: 'cancel' });
});

row('E09', 'warns of unencrypted and look-alike URLs', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async () => {
    const asked = ['https://example.com/', 'http://example.com/', 'https://\u0430pple.com/'].map((address, at) =>
      ask(agent, url(`Open ${at}`, address, `e${at}`)),
    );
    await t.page.sees({ role: 'form', name: 'Open 1', hasText: 'isn’t encrypted' });
    await t.page.sees({ role: 'form', name: 'Open 2', hasText: 'contains look-alike characters' });
    await t.page.sees({ role: 'form', name: 'Open 2', hasText: 'https://xn--pple-43d.com/' });
    await t.page.misses({ role: 'form', name: 'Open 0', hasText: 'isn’t encrypted' });
    await t.page.misses({ role: 'form', name: 'Open 0', hasText: 'look-alike' });
    for (const at of asked.keys()) await t.page.answerForm(`Open ${at}`, 'Cancel');
    for (const id of asked) assert.deepEqual(await result(agent, id), { action: 'cancel' });
  });
});
