import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quirksOf } from '../../agent/base/quirks';
import { normalizeUpdate, updatesToShow } from './normalizeUpdate';

const gemini = quirksOf('gemini-cli');
const others = quirksOf('anything else');
const chunk = (role: string, value: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text: value },
});

void describe('an update in an agent-specific form', () => {
  void it('turns a message into a mode if it has no other text', () => {
    const told = chunk('agent', '[MODE_UPDATE] autoEdit');
    assert.deepEqual(normalizeUpdate(told, gemini), {
      sessionUpdate: 'current_mode_update',
      currentModeId: 'autoEdit',
    });
    for (const update of [chunk('agent', 'It printed [MODE_UPDATE] autoEdit'), chunk('user', '[MODE_UPDATE] x'), 7]) {
      assert.equal(normalizeUpdate(update, gemini), update);
    }
    assert.equal(normalizeUpdate(told, others), told);
  });

  void it('removes text written for the model from a replay', () => {
    const replay = [
      chunk('user', '<session_context>\nThis is the CLI.\n</session_context>'),
      chunk('user', 'Fix my notes.'),
      chunk('agent', 'I will read it.[Function Call: read_file][Function Call: replace]'),
      chunk('user', '[Function Response: read_file]'),
      chunk('agent', 'Done, see [Function] a.md'),
      { sessionUpdate: 'tool_call', toolCallId: 'c' },
    ];
    const texts = (updates: readonly unknown[]) =>
      updates.map((update) => (update as { content?: { text: string } }).content?.text);
    assert.deepEqual(texts(updatesToShow(replay, 'load', gemini)), [
      '',
      'Fix my notes.',
      'I will read it.',
      '',
      'Done, see [Function] a.md',
      undefined,
    ]);
    assert.equal(updatesToShow(replay, 'load', others), replay);
    assert.deepEqual(updatesToShow(replay, 'resume', others), []);
  });
});
