import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormContent } from '../../shared/forms/elicitation';
import { SessionHarness } from '../../../test/unit-support/fakeSession';

const questions = [
  { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }] },
  {
    question: 'Which parts?',
    options: [{ label: 'Cache' }, { label: 'Log' }, { name: 'no label' }],
    multiSelect: true,
  },
  { header: 'no question' },
  { question: 'Why?', options: 'none' },
];
const meta = { qwenInteractionKind: 'user_question', qwenQuestions: questions };
const toolCall = { toolCallId: 'c1', title: 'Ask user 3 questions', kind: 'think', status: 'pending' };
const options = [
  { optionId: 'proceed_once', name: 'Submit', kind: 'allow_once' },
  { optionId: 'cancel', name: 'Cancel', kind: 'reject_once' },
];

function ask(call: object) {
  const test = new SessionHarness('Qwen').open();
  test.session.sendPrompt('go');
  const answer = test.ask(call, options);
  const open = test.all('elicitation')[0]?.question;
  const request = open?.state === 'asked' ? open.request : undefined;
  return { test, answer, request };
}

void describe('questions in a permission request', () => {
  void it('become a form whose answers are sent by question index', async () => {
    const { test, answer, request } = ask({ ...toolCall, _meta: meta });
    assert.match(test.text, /Question: Ask user 3 questions\n {2}asks: Colour \(choice\) \| Other answer/);
    assert.match(test.text, /Other answer \(text\) \| Which parts\? \(choices\) \| .* \| Why\? \(text\)/);
    assert.equal(test.view.activity.state, 'requires_action');
    const content: FormContent = [
      ['question 0', 'Blue'],
      ['question 1', ['Cache', 'Log']],
      ['question 1 other', 'Metrics'],
    ];
    test.session.elicitations.answer(request!, { action: 'accept', content });
    assert.deepEqual(await answer, {
      outcome: { outcome: 'selected', optionId: 'proceed_once' },
      answers: { 0: 'Blue', 1: 'Cache, Log, Metrics' },
    });
  });

  void it('are read from the raw input and can be declined or cancelled', async () => {
    const call = { ...toolCall, rawInput: { questions }, _meta: { qwenInteractionKind: 'user_question' } };
    for (const [action, outcome] of [
      ['decline', { outcome: 'selected', optionId: 'cancel' }],
      ['cancel', { outcome: 'cancelled' }],
    ] as const) {
      const { test, answer, request } = ask(call);
      test.session.elicitations.answer(request!, { action });
      assert.deepEqual(await answer, { outcome });
    }
  });

  void it('end with the turn', async () => {
    const { test, answer } = ask({ ...toolCall, _meta: meta });
    test.session.cancel();
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
  });

  void it('without questions or the mark are an ordinary request', () => {
    for (const call of [
      { ...toolCall, _meta: { ...meta, qwenQuestions: [{}, 3] } },
      { ...toolCall, rawInput: { questions } },
    ]) {
      const { test } = ask(call);
      assert.equal(test.all('elicitation').length, 0);
      assert.equal(test.all('tool_call')[0]!.permission.state, 'asked');
    }
  });
});
