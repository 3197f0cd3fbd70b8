import assert from 'node:assert/strict';
import { AgentError } from '../agent';
import { until, type Turn } from '../case';
import { row } from '../row';

row('P03', 'shows every stop reason and marks a refused message', async (t) => {
  const agent = await t.open();
  const words = {
    end_turn: undefined,
    max_tokens: 'reached its token limit',
    max_turn_requests: 'reached the limit of requests per turn',
    cancelled: 'cancelled this turn',
    refusal: 'declined to answer',
  };
  for (const [reason, shown] of Object.entries(words)) {
    const play = ({ say }: Turn) => {
      say('something');
      return reason;
    };
    await t.turn(agent, play, `until ${reason}`);
    if (shown) await t.page.sees({ role: 'article', name: 'Notice', hasText: shown });
    else await t.page.misses({ role: 'article', name: 'Notice' });
  }
  await t.page.sees({ role: 'article', name: 'You', hasText: 'and removed from its context' });
});

row('P04', 'cancels a turn in order and ends it with the response', async (t) => {
  const agent = await t.open();
  const toolCall = { toolCallId: 'c1', title: 'Risky thing', kind: 'other', status: 'pending' };
  await t.turn(agent, async ({ update, say }) => {
    update({ sessionUpdate: 'tool_call', ...toolCall });
    update({ sessionUpdate: 'tool_call', toolCallId: 'c2', title: 'Long thing', status: 'in_progress' });
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    const asked = agent.ask('session/request_permission', { sessionId: 's1', toolCall, options });
    await t.page.sees({ role: 'group', name: 'Permission' });
    await t.cancel();
    assert.deepEqual((await agent.answer(asked))['result'], { outcome: { outcome: 'cancelled' } });
    assert.deepEqual((await agent.call('session/cancel'))['params'], { sessionId: 's1' });
    for (const name of ['Risky thing', 'Long thing']) {
      await t.page.sees({ role: 'article', name, hasText: 'cancelled' });
    }
    say('last words');
    const late = await agent.request('session/request_permission', { toolCall: { toolCallId: 'c3' }, options });
    assert.deepEqual(late['result'], { outcome: { outcome: 'cancelled' } });
    await t.page.sees({ css: '[role=feed][aria-busy=true]' });
    return 'cancelled';
  });
  await t.page.sees({ text: 'last words' });
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'Stopped' });
  await t.page.misses({ css: '[role=feed][aria-busy=true]' });
});

row('P05', 'an error ends the turn, not the session', async (t) => {
  const agent = await t.open({
    'session/prompt': () => {
      throw new AgentError(-32603, 'Internal error', 'the model is overloaded');
    },
  });
  await t.prompt('first');
  await t.page.sees({ role: 'alert', hasText: 'the model is overloaded' });
  await t.turn(agent, ({ say }) => say('second try'));
  await t.page.sees({ text: 'second try' });
});

row('P06', 'a second message waits until the previous turn ends', async (t) => {
  const agent = await t.open();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  agent.on('session/prompt', async () => {
    await held;
    return { stopReason: 'end_turn' };
  });
  const prompts = () => agent.calls.filter((method) => method === 'session/prompt').length;
  const first = t.prompt('first');
  await agent.call('session/prompt');
  const second = t.prompt('second');
  await t.page.sees({ css: '[aria-label="Queued messages"]' });
  await agent.catchUp();
  assert.equal(prompts(), 1);
  release();
  const { params } = await agent.call('session/prompt', 2);
  assert.deepEqual((params as { prompt: unknown }).prompt, [{ type: 'text', text: 'second' }]);
  await Promise.all([first, second]);
});

row('P07', 'sends a slash command as the user typed it', async (t) => {
  const agent = await t.open();
  const availableCommands = [{ name: 'x', description: 'Does x', input: { hint: 'arg' } }];
  agent.update({ sessionUpdate: 'available_commands_update', availableCommands });
  await agent.catchUp();
  await t.page.send('/x arg');
  const { params } = await agent.call('session/prompt');
  assert.deepEqual((params as { prompt: unknown }).prompt, [{ type: 'text', text: '/x arg' }]);
});

row('P08', "shows a turn's tokens if reported, and otherwise nothing", async (t) => {
  const usage = { totalTokens: 12_400, inputTokens: 11_000, outputTokens: 1400, thoughtTokens: null };
  let counted: object | null = usage;
  const agent = await t.open();
  agent.on('session/prompt', () => {
    agent.say('counted');
    return { stopReason: 'end_turn', usage: counted };
  });
  await t.prompt('count');
  await t.page.sees({ css: 'header', hasText: 'Last turn: 12.4k tokens (11k input, 1.4k output)' });
  agent.update({ sessionUpdate: 'usage_update', used: 100, size: 200 });
  await t.page.sees({ role: 'meter', name: 'Context' });
  const title = await t.page.attribute({ role: 'meter', name: 'Context' }, 'title');
  assert.match(title ?? '', /Last turn: 12\.4k tokens/);
  counted = null;
  await t.prompt('do not count');
  await t.page.misses({ role: 'article', name: 'Notice' });
  // The page hears of the turn's end a moment later.
  const meter = () => t.page.attribute({ role: 'meter', name: 'Context' }, 'title');
  await until(async () => !/tokens/.test((await meter()) ?? 'tokens'));
});

row('P09', 'cancels a turn once, even before updates, never after its end', async (t) => {
  const agent = await t.open();
  agent.on('session/prompt', async () => {
    await t.cancel();
    await t.cancel();
    await agent.call('session/cancel');
    throw new AgentError(-32800, 'Request cancelled');
  });
  await t.prompt('go');
  await t.page.sees({ text: 'Stopped' });
  await t.turn(agent);
  await t.cancel();
  await agent.catchUp();
  assert.equal(agent.calls.filter((method) => method === 'session/cancel').length, 1);
  assert.ok(!agent.calls.includes('$/cancel_request'));
});
