import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';

const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png', description: 'a cat' };
const content = [{ type: 'content', content: { type: 'text', text: 'Viewed cat.png' } }];
const started = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'View', kind: 'read', status: 'in_progress' };
const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c1' };

function shown(...updates: readonly object[]) {
  const [call] = new SessionHarness('Copilot')
    .open()
    .update(started, ...updates)
    .all('tool_call');
  const blocks = call?.content.map((item) => (item.type === 'content' ? item.content : item));
  return { blocks, rawOutput: call?.rawOutput };
}

test('images in Copilot’s raw output are shown in the call', () => {
  const rawOutput = { content: 'Viewed', binaryResultsForLlm: [picture] };
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const text = { type: 'text', text: 'Viewed cat.png' };
  const expected = { blocks: [text, image], rawOutput: { content: 'Viewed' } };
  assert.deepEqual(shown({ ...update, status: 'completed', content, rawOutput }), expected);
  // In parts, twice, and with content that replaces the earlier.
  assert.deepEqual(shown({ ...update, content }, { ...update, rawOutput }, { ...update, rawOutput }), expected);
  assert.deepEqual(shown({ ...update, rawOutput }, { ...update, content }), expected);
});

test('an image that the content already has is shown once', () => {
  const own = { type: 'content', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } };
  const { blocks } = shown({ ...update, content: [own], rawOutput: { binaryResultsForLlm: [picture] } });
  assert.equal(blocks?.length, 1);
});

test('what isn’t an image or audio stays in the raw output', () => {
  const file = { type: 'resource', data: 'UEs=', mimeType: 'application/zip' };
  const found = shown({ ...update, rawOutput: { binaryResultsForLlm: [file, 7, picture] } });
  assert.deepEqual(found.blocks?.length, 1);
  assert.deepEqual(found.rawOutput, { binaryResultsForLlm: [file, 7] });
  assert.deepEqual(shown({ ...update, rawOutput: { binaryResultsForLlm: 'none' } }).rawOutput, {
    binaryResultsForLlm: 'none',
  });
});
