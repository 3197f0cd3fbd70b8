import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Dialect, UpdateReader, UpgradedPermission } from '../acp/dialect/dialect';
import { requestedDialect } from '../acp/dialects';
import type { SessionUpdate } from '../acp/shape/sessionUpdate';
import type { MessageId, ToolCallId } from '../shared/values/ids';
import { FakeAgent, SessionHarness, settle } from '../../test/unit-support/fakeSession';
import { toStored, fromStored } from './transcript/storedSession';

/** Messages of an agent that speaks the second version. */
type Said =
  | { readonly say: string; readonly in: string }
  | { readonly call: string; readonly status: 'in_progress' | 'completed' }
  | { readonly now: 'running' }
  | { readonly now: 'idle'; readonly because: string };

/** A request of the second version. It refers to its call by id, and its options are plain strings. */
interface Request {
  readonly may: string;
  readonly choices: readonly string[];
}

/** A version in which prompts are answered immediately, updates end turns, and every shape differs from version 1. */
const second: Dialect = {
  ...requestedDialect,
  version: 2,
  normalizeUpdate: (update) => update,
  updatesToShow: (updates) => updates,
  createReader: () => reader,
};

const reader: UpdateReader = {
  turnBegan: () => undefined,
  turnEnded: () => undefined,
  breakText: () => undefined,
  continueSession: () => undefined,
  continueCall: () => undefined,
  callId: (id) => id,
  wireCallId: (id) => id,
  wireTerminalId: (id) => id,
  claimMessage: (id) => id,
  ofSubagent: () => reader,
  upgrade: (update) => [upgraded(update as Said)],
  upgradePermission: (params) => upgradedRequest(params as Request),
};

function upgraded(said: Said): SessionUpdate {
  if ('say' in said) {
    const content = { type: 'text', text: said.say } as const;
    return { sessionUpdate: 'agent_message_chunk', messageId: said.in as MessageId, content };
  }
  if ('call' in said) {
    const fields = { title: said.call, status: said.status };
    return { sessionUpdate: 'tool_call_update', toolCallId: said.call as ToolCallId, fields };
  }
  if (said.now === 'running') return { sessionUpdate: 'unknown', raw: said };
  return { sessionUpdate: 'state_update', state: 'idle', stopReason: said.because };
}

function upgradedRequest({ may, choices }: Request): UpgradedPermission {
  return {
    toolCallId: may as ToolCallId,
    updates: [],
    options: choices.map((name) => ({ optionId: name, name, kind: 'allow_once' })),
    subject: { fields: {}, kind: undefined, strangeParts: [] },
    answer: (optionId) => ({ chosen: optionId ?? 'nothing' }),
  };
}

const { signal } = new AbortController();
const hear = (test: SessionHarness, ...said: readonly Said[]) => test.update(...said);

void describe('a session of an agent with another protocol version', () => {
  void it('has turns that end by an update after their prompts were answered', async () => {
    const test = new SessionHarness().open({}, true, second);
    test.session.sendPrompt('Fix my notes');
    test.session.sendPrompt('And then?');
    test.agent.prompts.at(-1)!.resolve(undefined);
    await settle();
    assert.equal(test.view.activity.state, 'running');
    hear(test, { now: 'running' }, { say: 'I will ', in: 'm' }, { call: 'Edit', status: 'in_progress' });
    const answer = test.session.agentSide.handlePermission({ may: 'Edit', choices: ['sure'] }, signal);
    test.answer(0, 'sure');
    assert.deepEqual(await answer, { chosen: 'sure' });
    hear(test, { call: 'Edit', status: 'completed' }, { say: 'do it.', in: 'm' }, { now: 'idle', because: 'end_turn' });
    assert.deepEqual(test.agent.heard, ['prompt Fix my notes', 'prompt And then?']);
    test.agent.prompts.at(-1)!.resolve(undefined);
    await settle();
    hear(test, { say: 'Nothing.', in: 'n' }, { now: 'idle', because: 'max_tokens' });
    assert.equal(test.view.activity.state, 'idle');
    const conversation = [
      '# Fix my notes',
      'You:\n  Fix my notes',
      'Codex:\n  I will do it.',
      'Tool call (other, completed): Edit\n  answered: sure (allow_once)',
      'You:\n  And then?',
      'Codex:\n  Nothing.',
      'Notice (warning): Codex reached its token limit',
    ];
    assert.equal(test.text.slice(0, test.text.lastIndexOf('\n  ')), conversation.join('\n\n'));
  });

  void it("waits for a stopped turn's end and answers in its version's form", async () => {
    const test = new SessionHarness().open({}, true, second);
    test.session.sendPrompt('go');
    test.agent.prompts.at(-1)!.resolve(undefined);
    hear(test, { call: 'Edit', status: 'in_progress' });
    const answer = test.session.agentSide.handlePermission({ may: 'Edit', choices: ['sure'] }, signal);
    test.session.cancel();
    assert.deepEqual(await answer, { chosen: 'nothing' });
    assert.equal(test.view.activity.state, 'running');
    hear(test, { now: 'idle', because: 'cancelled' });
    assert.equal(test.view.activity.state, 'idle');
    hear(test, { now: 'idle', because: 'max_tokens' });
    assert.deepEqual(
      test.all('notice').map(({ title }) => title),
      ['Stopped'],
    );
  });

  void it('continues a transcript of another version and switches back', async () => {
    const first = new SessionHarness();
    first.session.sendPrompt('one');
    assert.match(first.text, /You:\n {2}one/, 'a message is shown before any agent has spoken');
    first.open();
    first.say('of the first');
    await first.agent.end();
    const stored = fromStored(JSON.parse(JSON.stringify(toStored(first.session.key, first.session.transcript))));
    assert.ok(stored !== undefined && stored !== 'later');

    const test = new SessionHarness('Codex', stored);
    test.session.sendPrompt('two');
    test.session.agentSide.handleUpdate({ say: 'nobody speaks yet', in: 'm' });
    test.open({}, false, second);
    hear(test, { say: 'of the second', in: 'm' }, { now: 'idle', because: 'end_turn' });
    test.session.agentSide.disconnected(undefined);
    test.open({}, false);
    test.session.sendPrompt('three');
    test.say('of the first again');
    await test.agent.end();
    assert.match(test.text, /one[^]*of the first[^]*two[^]*of the second[^]*three[^]*of the first again/);
    assert.doesNotMatch(test.text, /nobody speaks/);
    assert.deepEqual(
      test.all('user_message').map(({ id, turn }) => [id, turn]),
      [1, 2, 3].map((turn) => [`prompt:${turn}`, turn]),
    );
  });

  void it('ignores the channel of an agent that has exited', async () => {
    const test = new SessionHarness().open({}, true, second);
    const { agent } = test;
    test.session.sendPrompt('one');
    test.session.agentSide.disconnected(undefined);
    test.agent = new FakeAgent();
    test.open({}, false, second);
    test.session.sendPrompt('two');
    await agent.end();
    assert.equal(test.view.activity.state, 'running');
  });
});
