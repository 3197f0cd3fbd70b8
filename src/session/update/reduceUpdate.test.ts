import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeOpened } from '../../acp/decode/decodeAgent';
import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { MessageId } from '../../shared/values/ids';
import { applyOps } from '../../shared/transcript/ops';
import { chunk, Player } from '../../../test/unit-support/playUpdates';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { reduceUpdate } from './reduceUpdate';

const texts = (player: Player) =>
  player.entries.map((entry) =>
    'content' in entry && entry.kind !== 'tool_call'
      ? `${entry.kind}: ${entry.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')}`
      : entry.kind,
  );

void describe('messages', () => {
  void it('groups chunks by message id, separately for thoughts and messages', () => {
    const player = new Player().play(
      chunk('agent', 'one ', 'a'),
      chunk('agent', 'and one', 'a'),
      chunk('thought', 'hm', 'a'),
      chunk('agent', ' more', 'a'),
      chunk('agent', 'two', 'b'),
    );
    assert.deepEqual(texts(player), ['agent_message: one and one more', 'agent_thought: hm', 'agent_message: two']);
  });

  void it('starts a message at a new role, call, call end, or turn', () => {
    const player = new Player();
    player.play(chunk('agent', 'a'), chunk('agent', 'b'), chunk('thought', 't'), chunk('agent', 'c'));
    player.play({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Read' }, chunk('agent', 'd'));
    player.play({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' }, chunk('agent', 'e'));
    player.beginTurn();
    player.play(chunk('agent', 'f'));
    assert.deepEqual(texts(player), [
      'agent_message: ab',
      'agent_thought: t',
      'agent_message: c',
      'tool_call',
      'agent_message: d',
      'agent_message: e',
      'agent_message: f',
    ]);
  });

  void it('starts a message after a plan', () => {
    const entries = [{ content: 'x', priority: 'low', status: 'pending' }];
    const player = new Player().play(chunk('agent', 'a'), { sessionUpdate: 'plan', entries }, chunk('agent', 'b'));
    assert.deepEqual(texts(player), ['agent_message: a', 'plan', 'agent_message: b']);
  });

  void it('ignores empty chunks', () => {
    assert.deepEqual(new Player().play(chunk('agent', ''), chunk('thought', '')).entries, []);
  });

  void it('treats a message id of an earlier turn as a new message', () => {
    const player = new Player();
    player.beginTurn();
    player.play(chunk('agent', 'first', '1'));
    player.endTurn();
    player.play(chunk('agent', ' and after', '1'));
    player.beginTurn();
    player.play(chunk('agent', 'second', '1'));
    assert.deepEqual(texts(player), ['agent_message: first and after', 'agent_message: second']);
  });

  void it('counts a turn for each user message in a replay', () => {
    const player = new Player().play(
      chunk('user', 'hello'),
      chunk('agent', 'hi'),
      chunk('user', 'and '),
      chunk('user', 'again'),
      chunk('agent', 'yes'),
    );
    assert.deepEqual(
      player.entries.map(({ turn }) => turn),
      [1, 1, 2, 2],
    );
  });

  void it('ends a thought only when something else follows', () => {
    const player = new Player().play(chunk('thought', 'a'), chunk('thought', 'b'));
    assert.equal(player.all('agent_thought')[0]!.endedAt, undefined);
    player.play({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    assert.equal(player.all('agent_thought')[0]!.endedAt, undefined);
    player.play(chunk('agent', 'c'));
    const [thought] = player.all('agent_thought');
    assert.deepEqual([thought!.startedAt, thought!.endedAt], [1000, 1003]);
  });

  void it('shows every kind of content block and keeps unknown ones', () => {
    const content = (block: object) => ({ sessionUpdate: 'agent_message_chunk', content: block });
    const player = new Player().play(
      content({ type: 'text', text: 'see', annotations: { audience: ['user'] } }),
      content({ type: 'image', data: 'aGk=', mimeType: 'image/png' }),
      content({ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }),
      content({ type: 'resource_link', uri: 'file:///a.md', name: 'a.md', size: 3 }),
      content({ type: 'resource', resource: { uri: 'file:///b.md', text: 'b', mimeType: 'text/markdown' } }),
      content({ type: 'resource', resource: { uri: 'file:///c.bin', blob: 'aGk=' } }),
      content({ type: 'hologram', depth: 3 }),
      content({ type: 'text', text: 'end' }),
    );
    const [message, ...others] = player.all('agent_message');
    assert.equal(others.length, 0);
    assert.deepEqual(
      message!.content.map(({ type }) => type),
      ['text', 'image', 'audio', 'resource_link', 'resource', 'resource_blob', 'unknown', 'text'],
    );
    assert.deepEqual(message!.content[6], { type: 'unknown', raw: { type: 'hologram', depth: 3 } });
  });

  void it('keeps text for the model apart from text for the user', () => {
    const note = { type: 'text', text: 'note', annotations: { audience: ['assistant'] } };
    const player = new Player().play(chunk('agent', 'a'), { sessionUpdate: 'agent_message_chunk', content: note });
    assert.equal(player.all('agent_message')[0]!.content.length, 2);
  });

  void it('replaces, clears, and then appends to whole messages', () => {
    const player = new Player();
    const message = (content?: readonly { type: 'text'; text: string }[]): SessionUpdate => ({
      sessionUpdate: 'agent_message',
      messageId: 'm' as MessageId,
      ...(content ? { content } : {}),
    });
    const plan = (update: SessionUpdate) => applyOps(player.transcript, reduceUpdate(player.transcript, update, 1, 0));
    plan(message([{ type: 'text', text: 'one' }]));
    plan(message());
    assert.deepEqual(texts(player), ['agent_message: one']);
    plan(message([{ type: 'text', text: 'two' }]));
    plan({
      sessionUpdate: 'agent_message_chunk',
      messageId: 'm' as MessageId,
      content: { type: 'text', text: '!' },
    });
    assert.deepEqual(texts(player), ['agent_message: two!']);
    plan(message([]));
    assert.deepEqual(texts(player), ['agent_message: ']);
  });

  void it('creates one op per chunk, however long the message is', () => {
    const player = new Player().play(chunk('agent', 'x'.repeat(1000), 'm'));
    const update = player.reader.upgrade(chunk('agent', 'y', 'm'))[0]!;
    assert.deepEqual(reduceUpdate(player.transcript, update, 1, 0), [
      { op: 'appendText', id: 'agent_message:m', block: 0, text: 'y' },
    ]);
  });
});

void describe('session view', () => {
  void it('replaces the whole plan and removes it when it is empty', () => {
    const entry = (content: string, status: string) => ({ content, priority: 'high', status });
    const player = new Player();
    player.play({ sessionUpdate: 'plan', entries: [entry('a', 'pending'), entry('b', 'in_progress'), { bad: true }] });
    player.play({ sessionUpdate: 'plan', entries: [entry('a', 'completed'), entry('c', 'sleeping')] });
    assert.deepEqual(player.transcript.view.plans, [
      {
        planId: 'plan',
        type: 'items',
        items: [
          { content: 'a', priority: 'high', status: 'completed' },
          { content: 'c', priority: 'high', status: 'pending' },
        ],
      },
    ]);
    assert.equal(player.all('plan').length, 1);
    player.play({ sessionUpdate: 'plan', entries: [] });
    assert.deepEqual(player.transcript.view.plans, []);
  });

  void it('keeps a plan with its turn when a later one changes it', () => {
    const entry = (content: string) => ({ content, priority: 'low', status: 'pending' });
    const plan = (...contents: string[]) => ({ sessionUpdate: 'plan', entries: contents.map(entry) });
    const test = new SessionHarness().open();
    const lines = () => test.all('plan').map((one) => (one.plan?.type === 'items' ? one.plan.items.length : one.turn));
    test.session.sendPrompt('One');
    test.update(plan('a'), plan('a', 'b'));
    assert.deepEqual(lines(), [1]);
    void test.agent.end();
    test.session.sendPrompt('Two');
    test.update(plan('a', 'b'));
    assert.deepEqual(lines(), [1], 'An unchanged plan stays with its turn.');
    test.update(plan('c'), plan('c', 'd', 'e'));
    assert.deepEqual(lines(), [2, 2], 'The first line keeps two items, and the second shows the newest plan.');
    test.update(plan(), plan('f'));
    assert.deepEqual(lines(), [2, 2], 'A plan that returns in its turn continues its line.');
    void test.agent.end();
    test.session.sendPrompt('Three');
    test.update(plan());
    assert.deepEqual(lines(), [2, 1], 'A plan that is removed later stays with its turn.');
  });

  void it('does nothing for an unchanged plan', () => {
    const plan = { sessionUpdate: 'plan', entries: [{ content: 'a', priority: 'low', status: 'pending' }] };
    const player = new Player().play(plan);
    const { rev } = player.transcript;
    assert.equal(player.play(plan).transcript.rev, rev);
  });

  void it('keeps several plans of three kinds by id', () => {
    const player = new Player().play(
      { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'a', entries: [] } },
      { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'b', content: '# B' } },
      { sessionUpdate: 'plan_update', plan: { type: 'file', planId: 'c', uri: 'file:///c.md' } },
      { sessionUpdate: 'plan_update', plan: { type: 'mural', planId: 'd' } },
    );
    assert.deepEqual(
      player.transcript.view.plans.map(({ planId, type }) => [planId, type]),
      [
        ['b', 'markdown'],
        ['c', 'file'],
      ],
    );
    player.play({ sessionUpdate: 'plan_removed', planId: 'b' });
    assert.deepEqual(player.transcript.view.plans.length, 1);
  });

  void it('replaces the commands and reads a null input as none', () => {
    const player = new Player();
    player.play({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'old', description: '' }] });
    player.play({
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'web', description: 'Search', input: { hint: 'query' } },
        { name: 'compact', description: 'Shorten', input: null },
        { description: 'nameless' },
      ],
    });
    assert.deepEqual(player.transcript.view.availableCommands, [
      { name: 'web', description: 'Search', hint: 'query' },
      { name: 'compact', description: 'Shorten' },
    ]);
  });

  void it('accepts the mode under both of its names', () => {
    const modes = {
      currentModeId: 'ask',
      availableModes: [{ id: 'ask', name: 'Ask' }, { id: 'code' }, { name: 'bad' }],
    };
    const { configOptions } = decodeOpened({ sessionId: 's', modes });
    const player = new Player({ configOptions });
    const current = () => player.transcript.view.configOptions[0]!.currentValue;
    assert.equal(current(), 'ask');
    player.play({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
    assert.equal(current(), 'code');
    player.play({ sessionUpdate: 'current_mode_update', modeId: 'ask' });
    assert.equal(current(), 'ask');
  });

  void it('tracks usage, keeps the cost until changed, and accepts any currency', () => {
    const player = new Player().play({
      sessionUpdate: 'usage_update',
      used: 5,
      size: 100,
      cost: { amount: 3, currency: 'credits' },
    });
    player.play({ sessionUpdate: 'usage_update', used: 6, size: 100 });
    assert.deepEqual(player.transcript.view.usage, {
      state: 'known',
      used: 6,
      size: 100,
      cost: { amount: 3, currency: 'credits' },
    });
    player.play({ sessionUpdate: 'usage_update', used: 7, size: 100, cost: null });
    assert.deepEqual(player.transcript.view.usage, { state: 'known', used: 7, size: 100 });
    player.play({ sessionUpdate: 'usage_update', used: 'many', size: 100 });
    assert.deepEqual(player.transcript.view.usage, { state: 'known', used: 7, size: 100 });
  });

  void it('sets, keeps, and clears the title, falling back to the first prompt', () => {
    const player = new Player().play(chunk('user', 'Please fix\nmy notes'));
    player.play({ sessionUpdate: 'session_info_update', title: 'Fix  the\nnotes' });
    assert.equal(player.transcript.view.title, 'Fix the notes');
    player.play({ sessionUpdate: 'session_info_update', updatedAt: '2026-01-01T00:00:00Z' });
    assert.equal(player.transcript.view.title, 'Fix the notes');
    assert.equal(player.transcript.view.updatedAt, Date.UTC(2026, 0, 1));
    player.play({ sessionUpdate: 'session_info_update', title: null });
    assert.equal(player.transcript.view.title, 'Please fix my notes');
  });

  void it('shows notices of any severity', () => {
    const notice = (severity: string) => ({ sessionUpdate: 'notice', severity, title: severity, description: 'why' });
    const player = new Player().play(notice('info'), notice('warning'), notice('error'), notice('cosmic'));
    assert.deepEqual(
      player.all('notice').map(({ severity, title }) => [severity, title]),
      [
        ['info', 'info'],
        ['warning', 'warning'],
        ['error', 'error'],
        ['info', 'cosmic'],
      ],
    );
  });

  void it('creates and changes compactions by id; null clears', () => {
    const text = (value: string) => ({ type: 'text', text: value });
    const player = new Player().play(
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text('So ') },
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text('far') },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'failed', error: 'too long' },
    );
    const compaction = () => player.all('compaction')[0]!;
    assert.deepEqual(compaction().summary, [{ type: 'text', text: 'So far' }]);
    assert.deepEqual([compaction().status, compaction().error], ['failed', 'too long']);
    player.play({ sessionUpdate: 'compaction_update', compactionId: 'c', summary: null, error: null });
    assert.deepEqual([compaction().status, compaction().error, compaction().summary], ['failed', undefined, []]);
  });

  void it('unknown and malformed updates change nothing', () => {
    const player = new Player().play(chunk('agent', 'a'));
    const { rev } = player.transcript;
    const odd = [undefined, null, 7, 'x', [], {}, { sessionUpdate: 'hum' }, { sessionUpdate: 'tool_call', title: 'x' }];
    player.play(...odd, { sessionUpdate: 'agent_message_chunk', content: 'x' }, { sessionUpdate: 'plan' });
    player.play({ sessionUpdate: 'subagent_update', title: 'Whose?' }, { sessionUpdate: 'notice', severity: 'info' });
    assert.equal(player.transcript.rev, rev);
  });
});
