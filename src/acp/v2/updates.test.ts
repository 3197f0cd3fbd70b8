import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ToolCallId } from '../../shared/values/ids';
import { TurnCounter } from '../shape/turnCounter';
import { UsedIds } from '../shape/usedIds';
import { V2Reader } from './updates';

const text = (value: string) => ({ type: 'text', text: value });
const chunk = (role: string, value: string, messageId?: string) => ({
  sessionUpdate: `${role}_chunk`,
  content: text(value),
  ...(messageId === undefined ? {} : { messageId }),
});

void describe('the reader of version 2', () => {
  const setUp = () => {
    const turns = new TurnCounter();
    const reader = new V2Reader(turns, new UsedIds());
    const idOf = (update: object) => (reader.upgrade(update)[0] as { messageId?: string }).messageId;
    return { turns, reader, idOf };
  };

  void it('continues a message without an id until something else follows', () => {
    const { reader, idOf } = setUp();
    const first = idOf(chunk('agent_message', 'a'));
    assert.ok(first);
    assert.equal(idOf(chunk('agent_message', 'b')), first);
    assert.notEqual(idOf(chunk('agent_thought', 'c')), first);
    const third = idOf(chunk('agent_message', 'd'));
    assert.notEqual(third, first);
    reader.upgrade({ sessionUpdate: 'tool_call_update', toolCallId: 't' });
    const fourth = idOf(chunk('agent_message', 'e'));
    assert.notEqual(fourth, third);
    reader.breakText();
    assert.notEqual(idOf(chunk('agent_message', 'f')), fourth);
  });

  void it('begins a turn with a user message that is of none', () => {
    const { reader, turns } = setUp();
    reader.claimMessage('own' as never);
    const before = turns.current;
    reader.upgrade(chunk('user_message', 'a', 'own'));
    assert.equal(turns.current, before);
    reader.upgrade(chunk('user_message', 'b', 'other'));
    assert.equal(turns.current, before + 1);
    reader.upgrade(chunk('user_message', 'c', 'other'));
    assert.equal(turns.current, before + 1);
  });

  void it('an id keeps its item in the next process of a session', () => {
    for (const isSame of [true, false]) {
      const ids = new UsedIds();
      const reader = (same: boolean) => {
        const made = new V2Reader(new TurnCounter(), ids);
        made.continueSession(same);
        return made;
      };
      const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c' };
      const idIn = (one: V2Reader) => (one.upgrade(call)[0] as unknown as { toolCallId: string }).toolCallId;
      const first = idIn(reader(false));
      const next = reader(isSame);
      const second = idIn(next);
      assert.equal(second === first, isSame);
      assert.equal(next.wireCallId(second as ToolCallId), 'c');
    }
  });

  void it('treats items of a new process as other ones unless told otherwise', () => {
    const ids = new UsedIds();
    const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c' };
    const idIn = () =>
      (new V2Reader(new TurnCounter(), ids).upgrade(call)[0] as unknown as { toolCallId: string }).toolCallId;
    assert.notEqual(idIn(), idIn());
  });

  void it('shows what it can’t read as unknown', () => {
    const { reader } = setUp();
    for (const odd of [7, {}, { sessionUpdate: 'current_mode_update' }, { sessionUpdate: 'tool_call_update' }])
      assert.deepEqual(reader.upgrade(odd), [{ sessionUpdate: 'unknown', raw: odd }]);
    assert.deepEqual(reader.upgrade(chunk('agent_message', '', 'm')), []);
  });

  void it('asks about a command in its call or a new one', () => {
    const { reader } = setUp();
    const ask = (subject: object) => reader.upgradePermission({ title: 'Run?', options: [], subject });
    reader.upgrade({ sessionUpdate: 'tool_call_update', toolCallId: 'c' });
    const shown = ask({ type: 'command', command: 'ls', toolCallId: 'c' });
    assert.deepEqual([shown.toolCallId, shown.isOwnCall], ['c', undefined]);
    const own = ask({ type: 'command', command: 'ls', toolCallId: 'other', run: 'more' });
    assert.equal(own.isOwnCall, true);
    assert.deepEqual(own.subject.strangeParts, [{ run: 'more' }]);
    assert.deepEqual(own.subject.fields, { title: 'Run?', toolKind: 'execute', rawInput: { command: 'ls' } });
    assert.throws(() => ask({ type: 'command' }), /command must be a string/);
    assert.throws(() => ask({ type: 'tool_call', toolCall: {} }), /toolCallId/);
    const unknown = ask({ type: 'later', x: 1 });
    assert.deepEqual([unknown.subject.kind, unknown.subject.strangeParts], ['unknown', [{ type: 'later', x: 1 }]]);
  });
});
