import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionMessages } from './sessionMessages';

const text = (words: string) => ({ type: 'text', text: words });
const message = (fields: object) => ({ sessionUpdate: 'session_message', messageId: 'm', ...fields });
const chunk = (words: string) => ({ sessionUpdate: 'session_message_chunk', messageId: 'm', content: text(words) });

test('puts a message between sessions together from its parts', () => {
  const messages = new SessionMessages();
  messages.read(chunk('Read '));
  messages.read(message({ senderSessionId: 's', recipientSessionId: 'c' }));
  messages.read(message({ senderMessageId: 'out', recipientMessageId: 'in' }));
  assert.deepEqual(messages.read(chunk('the notes.')), {
    messageId: 'm',
    senderSessionId: 's',
    recipientSessionId: 'c',
    senderMessageId: 'out',
    recipientMessageId: 'in',
    text: 'Read the notes.',
  });
  const replaced = messages.read(message({ senderMessageId: null, content: [text('One'), 7, text('two')] }));
  assert.deepEqual(
    [replaced?.text, replaced?.senderMessageId, replaced?.senderSessionId],
    ['One\ntwo', undefined, 's'],
  );
  assert.equal(messages.read(message({ content: null }))?.text, '');
});

test('reads nothing from other updates and keeps no endless list', () => {
  const messages = new SessionMessages();
  for (const other of [
    null,
    7,
    {},
    { sessionUpdate: 'agent_message_chunk', messageId: 'm' },
    { ...chunk('x'), messageId: 7 },
  ])
    assert.equal(messages.read(other), undefined);
  messages.read(chunk('first '));
  for (let at = 0; at < 100; at += 1) messages.read({ ...chunk('x'), messageId: String(at) });
  assert.equal(messages.read(chunk('again'))?.text, 'again');
});
