import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyUpdate } from '../../../test/unit-support/everyUpdate';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { takeSnapshot } from '../../shared/transcript/ops';
import { dialectOf } from '../dialects';
import { TurnCounter } from '../shape/turnCounter';
import { UsedIds } from '../shape/usedIds';

const noQuirks = { replayNoise: undefined, modeAsText: undefined };
const versions = [1, 2].map((version) => dialectOf(version) ?? assert.fail(String(version)));
const names = (updates: readonly unknown[]) =>
  updates.map((update) => (update as { sessionUpdate: string }).sessionUpdate);

void describe('each kind of update', () => {
  void it('is read by at least one version', () => {
    const unread = everyUpdate.filter((update) =>
      versions.every((dialect) => {
        const [read] = dialect.createReader(new TurnCounter(), new UsedIds()).upgrade(update);
        return read === undefined || read.sessionUpdate === 'unknown';
      }),
    );
    assert.deepEqual(names(unread), []);
  });

  for (const dialect of versions) {
    const { version } = dialect;

    void it(`is history or state when a session opens with version ${version}`, () => {
      const runs = { sessionUpdate: 'subagent_update', sessionId: 'sub8', state: { state: 'running' } };
      for (const method of version === 1 ? (['resume', 'fork', 'kept'] as const) : (['fork', 'kept'] as const)) {
        const shown = dialect.updatesToShow([...everyUpdate, runs, { sessionUpdate: 'later' }], method, noQuirks);
        assert.deepEqual(
          names(shown),
          [
            'available_commands_update',
            'config_option_update',
            'current_mode_update',
            'session_info_update',
            'usage_update',
            'prompt_suggestions_update',
            'state_update',
            'subagent_update',
            'later',
          ],
          method,
        );
      }
    });

    void it(`is shown once when it is replayed with version ${version}`, () => {
      const test = new SessionHarness().open({}, true, dialect);
      test.session.sendPrompt('words');
      test.update(...everyUpdate);
      test.session.agentSide.disconnected(undefined);
      const before = takeSnapshot(test.session.transcript).entries;
      assert.ok(before.length > 5, String(before.length));
      test.session.agentSide.useDialect(dialect, true);
      test.session.replay.compare(dialect.updatesToShow(everyUpdate, 'load', noQuirks), false);
      for (const update of dialect.updatesToShow(everyUpdate, 'kept', noQuirks)) test.update(update as object);
      assert.deepEqual(takeSnapshot(test.session.transcript).entries, before);
    });

    void it(`does no harm with damaged fields in version ${version}`, () => {
      const test = new SessionHarness().open({}, true, dialect);
      for (const update of everyUpdate) {
        for (const field of Object.keys(update).filter((name) => name !== 'sessionUpdate')) {
          for (const value of [null, 7, '', 'odd', [], [null], [{}], {}, { type: 'odd' }]) {
            test.update({ ...update, [field]: value });
          }
        }
      }
      test.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'still here' } });
      assert.match(test.text, /still here/);
    });

    void it(`ends a message without an id or not in version ${version}`, () => {
      const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' } };
      const breaks = everyUpdate.filter((update) => {
        const reader = dialect.createReader(new TurnCounter(), new UsedIds());
        const idOf = () => {
          const [read] = reader.upgrade(chunk);
          return read && 'messageId' in read ? read.messageId : assert.fail();
        };
        const id = idOf();
        reader.upgrade(update);
        return idOf() !== id;
      });
      const both = ['user_message_chunk', 'agent_thought_chunk', 'user_message', 'agent_message', 'agent_thought'];
      const calls = version === 1 ? ['tool_call', 'tool_call_update', 'plan'] : ['tool_call_update'];
      assert.deepEqual(names(breaks), [...both, ...calls, 'plan_update', 'notice', 'compaction_update']);
    });
  }
});
