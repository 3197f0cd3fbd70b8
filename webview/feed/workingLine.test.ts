import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryWords, silenceWords } from './workingLine';
import { SessionHarness } from '../../test/unit-support/fakeSession';

test('reports a silent agent after 15 seconds', () => {
  assert.equal(silenceWords('Claude', 14_999, false), undefined);
  assert.equal(silenceWords('Claude', 15_400, false), 'Claude hasn’t responded for 15 s. The model may be busy.');
});

test('reports a silent agent after one minute while a tool runs', () => {
  assert.equal(silenceWords('Claude', 59_000, true), undefined);
  assert.equal(silenceWords('Claude', 61_000, true), 'Claude hasn’t responded for 61 s.');
});

test('says that an agent tries its model again, in its words', () => {
  const harness = new SessionHarness('Copilot').open();
  harness.session.sendPrompt('Fix it');
  assert.equal(retryWords(harness.session.transcript), undefined);
  // As Copilot sends it.
  harness.say('Info: Request failed due to a transient API error. Retrying...');
  assert.equal(
    retryWords(harness.session.transcript),
    'Copilot is trying its model again: Info: Request failed due to a transient API error. Retrying...',
  );
  harness.say('\n\nThe upload now retries three times.');
  assert.equal(retryWords(harness.session.transcript), undefined);
  harness.say('\n\nIt is retrying '.repeat(40));
  harness.say(`${'x'.repeat(200)} retrying`);
  assert.equal(retryWords(harness.session.transcript), undefined);
});
