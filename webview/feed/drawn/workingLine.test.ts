import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { retryWords, silenceWords } from './workingLine';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { readTraffic, TrafficPlayer } from '../../../test/unit-support/playTraffic';

test('reports a silent agent after 15 seconds', () => {
  assert.equal(silenceWords('Claude', 14_999, false), undefined);
  assert.equal(silenceWords('Claude', 15_400, false), 'Claude hasn’t responded for 15 s. The model may be busy.');
});

test('reports a silent agent after one minute while a tool runs', () => {
  assert.equal(silenceWords('Claude', 59_000, true), undefined);
  assert.equal(silenceWords('Claude', 61_000, true), 'Claude hasn’t responded for 1 m 1 s.');
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

test('says why Codex waits until it goes on', () => {
  const harness = new SessionHarness('Codex').open();
  const error = (more: object) => ({ sessionUpdate: 'session_info_update', _meta: { codex: { error: more } } });
  harness.session.sendPrompt('Fix it');
  harness.update(error({ message: 'Reconnecting... 2/5', additionalDetails: 'waiting for network', willRetry: true }));
  const { transcript } = harness.session;
  assert.equal(retryWords(transcript), 'Codex is trying its model again: Reconnecting... 2/5: waiting for network');
  harness.say('Fixed.');
  assert.equal(retryWords(transcript), undefined);
  harness.update(error({ message: 'The stream broke.', willRetry: false }));
  assert.equal(retryWords(transcript), undefined);
  const words = silenceWords('Codex', 20_000, false, 'Reconnecting... 2/5');
  assert.equal(words, 'Codex hasn’t responded for 20 s: Reconnecting... 2/5');
});

for (const agent of ['opencode', 'qwen']) {
  test(`reports the silence of ${agent} while it tries its model again`, async () => {
    const lines = readTraffic(readFileSync(join('test', 'fixtures', 'traffic', `failures-${agent}.ndjson`), 'utf8'));
    const asked = lines.findIndex((line) => 'message' in line && line.message.method === 'session/prompt');
    const before = lines[asked - 1];
    const [, seconds] = /(\d+) s until the first word/.exec(before && 'note' in before ? before.note : '') ?? [];
    const { test: harness } = await new TrafficPlayer(agent).play(lines.slice(0, asked + 1));
    assert.equal(retryWords(harness.session.transcript), undefined);
    const words = silenceWords(agent, Math.min(15, Number(seconds)) * 1000, false);
    assert.equal(words, `${agent} hasn’t responded for 15 s. The model may be busy.`);
  });
}
