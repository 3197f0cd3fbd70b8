import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../../test/unit-support/fakeSession';
import { mentionableSessions } from './mentionableSessions';

test('attaches a mentioned session without its secrets', async () => {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('Which token?');
  harness.say('GITHUB_TOKEN=ghp_abcdefghijklmnop0123456789');
  await harness.agent.end();
  const source = { sessions: [harness.session] } as unknown as Parameters<typeof mentionableSessions>[0];
  const sessions = mentionableSessions(source, { stored: [], read: () => Promise.resolve(undefined) });
  const text = await sessions.textOf(harness.session.key);
  assert.match(text ?? '', /Which token\?/);
  assert.doesNotMatch(text ?? '', /ghp_/);
});
