import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyUpdate } from '../../../test/unit-support/everyUpdate';
import { Player } from '../../../test/unit-support/playUpdates';
import { toolCall } from '../../../test/unit-support/toolCall';
import { offeredDialect } from '../../acp/dialects';
import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import { TurnCounter } from '../../acp/shape/turnCounter';
import { UsedIds } from '../../acp/shape/usedIds';
import type { SessionId, ToolCallId } from '../../shared/values/ids';
import { applyOps } from '../../shared/transcript/ops';
import { ofSubagent } from './ofSubagent';
import { reduceSubagent } from './reduceSubagent';
import { toolCallEntryId } from './entryIds';

const child = 'child' as SessionId;

void describe('a subagent', () => {
  void it('does nothing for an update that changes nothing', () => {
    const { transcript } = new Player();
    const place = { turn: 1 } as never;
    const update = { sessionId: child, fields: { title: 'Search', state: { state: 'running' } } } as never;
    applyOps(transcript, reduceSubagent(transcript, update, 10, place));
    assert.deepEqual(reduceSubagent(transcript, update, 20, place), []);
    const ended = { sessionId: child, fields: { state: { state: 'idle', stopReason: 'end_turn' } } } as never;
    applyOps(transcript, reduceSubagent(transcript, ended, 30, place));
    const [entry] = new Player().entries.concat([...transcript.entries.values()]);
    assert.ok(entry?.kind === 'subagent');
    assert.deepEqual([entry.title, entry.state, entry.startedAt, entry.endedAt], ['Search', 'idle', 10, 30]);
    assert.deepEqual(reduceSubagent(transcript, ended, 40, place), []);
  });

  void it('shows what it says and does, and nothing about its session', () => {
    const { transcript } = new Player();
    const reader = offeredDialect.createReader(new TurnCounter(), new UsedIds());
    const mode = { sessionUpdate: 'current_mode_update', modeId: 'code' } as const;
    const updates = [...everyUpdate.flatMap((update) => reader.upgrade(update)), mode];
    const hidden = updates.filter((update) => !ofSubagent(transcript, update, child));
    assert.deepEqual(
      hidden.map(({ sessionUpdate }) => sessionUpdate),
      [
        'user_message_chunk',
        'user_message',
        'available_commands_update',
        'config_option_update',
        'session_info_update',
        'usage_update',
        'prompt_suggestions_update',
        'state_update',
        'current_mode_update',
      ],
    );
  });

  void it('shows calls below its own calls, not below its starting call', () => {
    const { transcript } = new Player();
    for (const [name, subagent] of [['started'], ['own', child]] as const) {
      const entry = toolCall(toolCallEntryId(name as ToolCallId), subagent === undefined ? {} : { subagent });
      applyOps(transcript, [{ op: 'insert', entry }]);
    }
    const parentOf = (parent?: string) => {
      const fields = parent === undefined ? {} : { parent };
      const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c', fields } as unknown as SessionUpdate;
      const converted = ofSubagent(transcript, update, child);
      assert.ok(converted?.sessionUpdate === 'tool_call_update');
      return converted.fields.parent;
    };
    assert.equal(parentOf('own'), 'own');
    assert.equal(parentOf('started'), undefined);
    assert.equal(parentOf('unknown'), undefined);
    assert.equal(parentOf(), undefined);
  });
});
