import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCallId } from '../../src/shared/values/ids';
import { applyOps, createTranscript } from '../../src/shared/transcript/ops';
import type { Entry } from '../../src/shared/transcript/transcript';
import { agentMessage, asking, toolCall } from '../../test/page/samples';
import { emptyView } from '../../test/unit-support/emptyView';
import { trimPoint } from './trimPoint';

/** Twenty messages, with some of them replaced. */
function transcriptWith(replaced: Readonly<Record<number, Entry>>) {
  const transcript = createTranscript(emptyView);
  for (let at = 0; at < 20; at++) {
    applyOps(transcript, [{ op: 'insert', entry: replaced[at] ?? agentMessage(`m${at}`, 'Text') }]);
  }
  return transcript;
}

test('drops all but the newest entries', () => {
  assert.equal(trimPoint(transcriptWith({}), 5), 15);
  assert.equal(trimPoint(transcriptWith({}), 50), 0);
});

test('keeps open requests and running calls', () => {
  assert.equal(trimPoint(transcriptWith({ 7: asking('a') }), 5), 7);
  assert.equal(trimPoint(transcriptWith({ 3: toolCall('r', { status: 'in_progress' }), 9: asking('a') }), 5), 3);
});

test('keeps rows whose calls are still shown, and the row above', () => {
  const top = toolCall('top', { status: 'completed', toolCallId: 'top' as ToolCallId });
  const row = toolCall('row', { status: 'completed', toolCallId: 'row' as ToolCallId, parent: 'top' as ToolCallId });
  const child = toolCall('child', { status: 'completed', parent: 'row' as ToolCallId });
  assert.equal(trimPoint(transcriptWith({ 4: top, 8: row, 17: child }), 5), 4);
});
