import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultOptions, SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import type { PermissionRules, RuledOption } from '../services';

const edit = { toolCallId: 'c1', title: 'Edit notes', kind: 'edit' };
const params = { sessionId: 's1', toolCall: edit, options: defaultOptions };
const { signal } = new AbortController();
const option = { optionId: 'yes', name: 'Allow', kind: 'allow_once' } as const;

/** Rules whose answers the test controls. */
class SlowRules implements PermissionRules {
  readonly asked: Parameters<PermissionRules['answer']>[0][] = [];
  say!: (ruled: RuledOption | undefined) => void;

  answer(request: Parameters<PermissionRules['answer']>[0]): Promise<RuledOption | undefined> {
    this.asked.push(request);
    return new Promise((resolve) => (this.say = resolve));
  }
}

void describe('permission requests under rules', () => {
  void it('are answered by a matching rule, which the tool call shows', async () => {
    const test = new SessionHarness().open();
    const rules = new SlowRules();
    const answer = test.session.agentSide.handlePermission(params, signal, rules);
    const [request] = rules.asked;
    assert.deepEqual([request?.agentName, request?.cwd, request?.entry.title], ['Codex', '/workspace', 'Edit notes']);
    const fields = { title: 'Edit notes', toolKind: 'edit' };
    assert.deepEqual(request?.subject, { fields, kind: 'edit', strangeParts: [] });
    assert.deepEqual(request.options, defaultOptions);
    rules.say({ option, rule: 'notes/**' });
    assert.deepEqual(await answer, { outcome: { outcome: 'selected', optionId: 'yes' } });
    const [call] = test.all('tool_call');
    assert.deepEqual(call?.permission, { state: 'answered', option, by: 'rule', rule: 'notes/**' });
    assert.equal(test.view.activity.state, 'idle');
  });

  void it('are asked when no rule answers, immediately if there are none', async () => {
    const test = new SessionHarness().open();
    const rules = new SlowRules();
    const answer = test.session.agentSide.handlePermission(params, signal, rules);
    rules.say(undefined);
    await settle();
    test.answer(0, 'no');
    assert.deepEqual(await answer, { outcome: { outcome: 'selected', optionId: 'no' } });
    void test.session.agentSide.handlePermission(params, signal, { answer: () => undefined });
    assert.match(test.text, /asks: Always/);
  });

  void it('are withdrawn with the turn or session, regardless of a later ruling', async () => {
    const test = new SessionHarness().open();
    const rules = new SlowRules();
    test.session.sendPrompt('go');
    const answer = test.session.agentSide.handlePermission(params, signal, rules);
    test.session.cancel();
    await test.agent.end('cancelled');
    rules.say({ option, rule: '' });
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
    assert.doesNotMatch(test.text, /answered/);
    const late = test.session.agentSide.handlePermission(params, signal, rules);
    test.session.close();
    rules.say({ option, rule: '' });
    assert.deepEqual(await late, { outcome: { outcome: 'cancelled' } });
  });
});
