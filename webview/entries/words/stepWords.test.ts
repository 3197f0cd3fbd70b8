import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolCall } from '../../../test/unit-support/toolCall';
import type { EntryId } from '../../../src/shared/values/ids';
import type { ThoughtEntry, ToolKind } from '../../../src/shared/transcript/transcript';
import { stepWords } from './stepWords';

const thought: ThoughtEntry = { id: 't' as EntryId, turn: 1, kind: 'agent_thought', startedAt: 0, content: [] };
const calls = (...kinds: ToolKind[]) => kinds.map((toolKind, at) => toolCall(String(at), { toolKind }));

test('counts steps by kind, in a fixed order, without empty kinds', () => {
  assert.equal(
    stepWords([...calls('execute', 'read', 'edit', 'read', 'move', 'delete', 'execute'), thought]),
    '8 steps: 2 reads, 3 edits, 2 commands, 1 thought',
  );
  assert.equal(
    stepWords(calls('read', 'search', 'edit', 'execute', 'fetch', 'think', 'switch_mode')),
    '7 steps: 1 read, 1 search, 1 edit, 1 command, 1 web request, 1 thought, 1 other call',
  );
  assert.equal(stepWords(calls('fetch')), '1 step: 1 web request');
});
