import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResponseError } from '../../acp/base/errors';
import type { ClientQuestion } from '../services';
import { toStored } from '../transcript/storedSession';
import { defaultOptions, SessionHarness, settle } from '../../../test/unit-support/fakeSession';

const edit = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Edit notes', kind: 'edit', status: 'in_progress' };
const diff = { type: 'diff', path: '/workspace/a.md', oldText: 'a', newText: 'b' };
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const cancelled = { outcome: { outcome: 'cancelled' } };

void describe('permissions', () => {
  void it("shows options in the agent's order and returns the chosen id", async () => {
    const test = new SessionHarness().open();
    const options = [
      { optionId: '', name: 'Empty id', kind: 'allow_always' },
      { optionId: '2', name: 'Same kind', kind: 'allow_always' },
      { optionId: 'no way', name: 'No', kind: 'reject_always' },
      { optionId: 'odd', name: 'Odd', kind: 'shrug' },
    ];
    const answer = test.ask({ toolCallId: 'c1', title: 'Edit' }, options);
    assert.match(
      test.text,
      /asks: Empty id \(allow_always\) \| Same kind \(allow_always\) \| No .* \| Odd \(unknown\)/,
    );
    test.answer(0, 'not offered');
    test.answer(0, '2');
    assert.deepEqual(await answer, selected('2'));
    assert.match(test.text, /answered: Same kind/);
    const again = test.ask({ toolCallId: 'c2', title: 'Edit' }, options);
    test.answer(1, '');
    assert.deepEqual(await again, selected(''));
  });

  void it('does not count the time until the answer as the call’s', async () => {
    const test = new SessionHarness().open();
    const answer = test.ask({ ...edit, status: 'pending' });
    test.clock.pass(60_000);
    test.answer(0, 'yes');
    await answer;
    test.clock.pass(3000);
    test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
    const [call] = test.all('tool_call');
    assert.equal((call?.endedAt ?? 0) - (call?.startedAt ?? 0), 3000);
  });

  void it("keeps a request's own diff if it was allowed, not rejected", async () => {
    const test = new SessionHarness().open();
    const done = { type: 'content', content: { type: 'text', text: 'Wrote file.' } };
    const end = (status: string) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status, content: [done] });
    const allowed = test.ask({ ...edit, content: [diff] });
    test.answer(0, 'yes');
    await allowed;
    test.update(end('completed'));
    assert.deepEqual(
      test.all('tool_call')[0]!.content.map(({ type }) => type),
      ['diff', 'content'],
    );
    const other = new SessionHarness().open();
    const rejected = other.ask({ ...edit, content: [diff] });
    other.answer(0, 'no');
    await rejected;
    other.update(end('failed'));
    assert.deepEqual(
      other.all('tool_call')[0]!.content.map(({ type }) => type),
      ['content'],
    );
  });

  void it("shows the question on its call without losing the call's fields", async () => {
    const test = new SessionHarness().open();
    test.update({ ...edit, rawInput: { file: 'a.md' }, locations: [{ path: '/workspace/a.md' }] });
    const toolCall = {
      toolCallId: 'c1',
      title: 'Edit file',
      status: 'pending',
      content: [diff],
      locations: [],
      rawInput: { reason: 'A typo' },
    };
    const answer = test.ask(toolCall);
    const call = test.all('tool_call')[0]!;
    assert.deepEqual([call.title, call.toolKind, call.status], ['Edit file', 'edit', 'in_progress']);
    assert.deepEqual(
      [call.content, call.locations, call.rawInput],
      [[diff], [{ path: '/workspace/a.md' }], { file: 'a.md', reason: 'A typo' }],
    );
    test.answer(0, 'yes');
    assert.deepEqual(await answer, selected('yes'));
    const empty = test.ask({ toolCallId: 'c1', content: [] });
    assert.deepEqual(test.all('tool_call')[0]!.content, [diff]);
    test.answer(0, 'yes');
    await empty;
  });

  void it("uses the request's own fields, whatever the call was announced with", async () => {
    for (const [rawInput, shown] of [
      [{ command: 'rm -rf dist' }, { command: 'rm -rf dist', cwd: '/workspace' }],
      ['rm -rf dist', 'rm -rf dist'],
      [null, { command: 'ls', cwd: '/workspace' }],
    ] as const) {
      const test = new SessionHarness().open();
      const call = { toolCallId: 'c1', title: 'bash', kind: 'execute' };
      test.update({ sessionUpdate: 'tool_call', ...call, rawInput: { command: 'ls', cwd: '/workspace' } });
      const answer = test.ask({ ...call, rawInput });
      assert.deepEqual(test.all('tool_call')[0]!.rawInput, shown);
      test.answer(0, 'no');
      await answer;
    }
  });

  void it('shows a call that was never announced', async () => {
    const test = new SessionHarness().open();
    const answer = test.ask({ toolCallId: 'new', title: 'Run', kind: 'execute', content: [diff] });
    assert.match(test.text, /Tool call \(execute, pending\): Run\n {2}diff/);
    test.answer(0, 'no');
    assert.deepEqual(await answer, selected('no'));
  });

  void it('requires action until every question is answered separately', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.clock.time = 2000;
    const first = test.ask({ toolCallId: 'c1', title: 'A' });
    const second = test.ask({ toolCallId: 'c2', title: 'B' });
    assert.deepEqual(test.view.activity, { state: 'requires_action', since: 2000 });
    test.answer(1, 'yes');
    assert.deepEqual(await second, selected('yes'));
    assert.equal(test.view.activity.state, 'requires_action');
    test.answer(0, 'no');
    assert.deepEqual(await first, selected('no'));
    assert.deepEqual(test.view.activity, { state: 'running', since: 1000 });
  });

  void it('keeps two questions about one call apart', async () => {
    const test = new SessionHarness().open();
    const first = test.ask({ toolCallId: 'c1', title: 'A' });
    const second = test.ask({ toolCallId: 'c1', title: 'A' });
    assert.equal(test.all('tool_call').length, 2);
    test.answer(1, 'no');
    test.answer(0, 'yes');
    assert.deepEqual([await first, await second], [selected('yes'), selected('no')]);
  });

  void it('can only be withdrawn if it has no valid options', async () => {
    const test = new SessionHarness().open();
    const controller = new AbortController();
    const answer = test.ask({ toolCallId: 'c1', title: 'A' }, [{ name: 'no id' }], controller.signal);
    assert.equal(test.view.activity.state, 'requires_action');
    controller.abort();
    assert.deepEqual(await answer, cancelled);
    assert.deepEqual(
      [test.all('tool_call')[0]!.permission, test.view.activity],
      [{ state: 'cancelled' }, { state: 'idle' }],
    );
  });

  void it('is answered once when the agent withdraws while the user answers', async () => {
    const test = new SessionHarness().open();
    const controller = new AbortController();
    const answer = test.ask({ toolCallId: 'c1', title: 'A' }, defaultOptions, controller.signal);
    test.answer(0, 'yes');
    controller.abort();
    assert.deepEqual(await answer, selected('yes'));
    assert.equal(test.all('tool_call')[0]!.permission.state, 'answered');
  });

  void it('is withdrawn on cancel after its turn, because it may lack options', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    const answer = test.ask({ toolCallId: 'c1', title: 'A' }, []);
    await test.agent.end();
    test.session.cancel();
    assert.deepEqual(await answer, cancelled);
    assert.deepEqual(
      [test.all('tool_call')[0]!.permission, test.view.activity],
      [{ state: 'cancelled' }, { state: 'idle' }],
    );
  });

  void it('stays open when the turn ends, since the agent still waits', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    const answer = test.ask({ toolCallId: 'c1', title: 'A' });
    await test.agent.end();
    assert.equal(test.view.activity.state, 'requires_action');
    test.answer(0, 'yes');
    assert.deepEqual(await answer, selected('yes'));
    assert.equal(test.view.activity.state, 'idle');
  });

  void it('rejects requests without options or without a call', async () => {
    const test = new SessionHarness().open();
    const { signal } = new AbortController();
    const isInvalid = (error: unknown) => error instanceof ResponseError && error.code === -32602;
    await assert.rejects(test.session.agentSide.handlePermission({ sessionId: 's1', toolCall: {} }, signal), isInvalid);
    await assert.rejects(
      test.session.agentSide.handlePermission({ toolCall: { title: 'x' }, options: [] }, signal),
      isInvalid,
    );
  });

  void it("asks Parley's own questions as a tool call", async () => {
    const test = new SessionHarness().open();
    const question: ClientQuestion = {
      title: 'Read /etc/hosts',
      toolKind: 'read',
      content: [],
      locations: [{ path: '/etc/hosts' }],
      options: [{ optionId: 'once', name: 'Allow', kind: 'allow_once' }],
    };
    const answer = test.session.context.ask(question, new AbortController().signal);
    assert.match(test.text, /Tool call \(read, pending\): Read \/etc\/hosts\n {2}at \/etc\/hosts\n {2}asks: Allow/);
    test.answer(0, 'once');
    assert.equal(await answer, 'once');
    assert.equal(test.all('tool_call')[0]!.status, 'completed');
    const withdrawn = new AbortController();
    const second = test.session.context.ask(question, withdrawn.signal);
    withdrawn.abort();
    assert.equal(await second, undefined);
    assert.equal(test.all('tool_call')[1]!.status, 'cancelled');
    await settle();
  });

  void it('asked by Parley can show something first and stays open', async () => {
    const test = new SessionHarness().open();
    let shows = 0;
    const question: ClientQuestion = {
      title: 'MCP servers',
      toolKind: 'other',
      content: [],
      locations: [],
      asks: { question: 'Use it?', text: 'Command: node' },
      look: { optionId: 'show', show: () => shows++ },
      options: [
        { optionId: 'use', name: 'Use', kind: 'allow_always' },
        { optionId: 'show', name: 'Show', kind: 'unknown' },
      ],
    };
    const answer = test.session.context.ask(question, new AbortController().signal);
    test.answer(0, 'show');
    await settle();
    const [card, ...more] = test.all('tool_call');
    assert.deepEqual([shows, card!.permission.state, card!.asks, more], [1, 'asked', question.asks, []]);
    assert.equal(test.view.activity.state, 'requires_action');
    test.answer(0, 'use');
    assert.equal(await answer, 'use');
    assert.equal(test.all('tool_call')[0]!.status, 'completed');
  });

  void it('asked by Parley has a card that no later window reuses', async () => {
    const first = new SessionHarness().open();
    const ask = (of: SessionHarness) => {
      const options = [{ optionId: 'once', name: 'Allow', kind: 'allow_once' }] as const;
      const about = { title: 'Q', toolKind: 'other', content: [], locations: [], options } as const;
      return of.session.context.ask(about, new AbortController().signal);
    };
    const answers = [ask(first), ask(first)];
    first.answer(0, 'once');
    first.answer(1, 'once');
    await Promise.all(answers);
    const later = new SessionHarness('Codex', toStored(first.session.key, first.session.transcript));
    void ask(later);
    const calls = later.all('tool_call');
    assert.equal(calls.length, 3);
  });
});
