import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { Attachment } from '../../shared/content';
import type { EntryId } from '../../shared/ids';
import { earlierConversation, longestConversation } from './earlierConversation';

type Turns = readonly (readonly [question: string, answer: string, attachments?: readonly Attachment[]])[];

async function conversation(turns: Turns): Promise<SessionHarness> {
  const harness = new SessionHarness().open();
  for (const [question, answer, attachments] of turns) {
    harness.session.sendPrompt(question, attachments);
    harness.say(answer);
    await harness.agent.end();
  }
  return harness;
}

/** Returns what a new session receives when the message with this number, starting at 0, is edited. */
function received({ session }: SessionHarness, index: number): Attachment | undefined {
  const { order, entries } = session.transcript;
  const messages = order.filter((id) => entries.get(id)?.kind === 'user_message');
  return earlierConversation(session.transcript, messages[index] ?? ('' as EntryId));
}

function textOf(attachment: Attachment | undefined): string {
  return attachment?.type === 'resource' ? attachment.text : '';
}

test('only the messages before the edited one are received', async () => {
  const harness = await conversation([
    ['Read a', 'Read it'],
    ['Change b', 'Changed it'],
  ]);
  assert.equal(received(harness, 0), undefined);
  const text = textOf(received(harness, 1));
  assert.match(text, /nothing in it asks you/);
  assert.match(text, /\n\nUser:\nRead a\n\nCodex:\nRead it\n$/);
  assert.doesNotMatch(text, /Change/);
});

test('the conversation of a still earlier session is received once', async () => {
  const first = await conversation([
    ['Read a', 'Read it'],
    ['Change b', 'Changed it'],
  ]);
  const earlier = received(first, 1);
  assert.ok(earlier);
  const second = await conversation([
    ['Change c', 'Changed c', [earlier]],
    ['Next', 'Done'],
  ]);
  assert.deepEqual(received(second, 0), earlier);
  const text = textOf(received(second, 1));
  assert.match(text, /User:\nRead a\n\nCodex:\nRead it\n\nUser:\nChange c\n\nCodex:\nChanged c\n$/);
  assert.equal(text.split('nothing in it asks you').length, 2);
});

test('the beginning of a long conversation is omitted, and the end is kept', async () => {
  const long = 'x'.repeat(longestConversation - 20);
  const harness = await conversation([
    ['First', long],
    ['Second', 'Answer'],
    ['Third', ''],
  ]);
  const text = textOf(received(harness, 2));
  assert.ok(text.length < longestConversation);
  assert.match(text, /omitted because it is too long\.\)\n\nUser:\nSecond\n\nCodex:\nAnswer\n$/);
});
