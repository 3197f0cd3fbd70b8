import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Player } from '../../../test/unit-support/playUpdates';
import type { EntryId } from '../../shared/values/ids';
import { applyOps } from '../../shared/transcript/ops';
import {
  outcomeOf,
  reasonOf,
  reduceCancel,
  reduceTurnEnd,
  stopReasonWords,
  wasRejected,
  type TurnEnd,
} from './closeTurn';

const announced = (toolCallId: string, fields: object = {}) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: toolCallId,
  status: 'in_progress',
  ...fields,
});
/** A command that the agent runs itself, and that hasn't exited. */
const command = (toolCallId: string) =>
  announced(toolCallId, {
    content: [{ type: 'terminal', terminalId: toolCallId }],
    _meta: { terminal_info: { terminal_id: toolCallId } },
  });
const stop = (stopReason: string): TurnEnd => ({ by: 'stopReason', stopReason });
const none = () => false;

function statuses(player: Player): Readonly<Record<string, string>> {
  return Object.fromEntries(player.all('tool_call').map(({ title, status }) => [title, status]));
}

/** A session in its second turn, with calls of both turns. */
function secondTurn(): Player {
  const player = new Player();
  player.beginTurn();
  player.play(command('old command'), announced('old call'));
  player.endTurn();
  player.beginTurn();
  return player.play(command('command'), announced('call'));
}

void describe('the end of a turn', () => {
  const end = (given: TurnEnd, staysOpen: (entry: EntryId) => boolean = none) => {
    const player = secondTurn();
    const { transcript } = player;
    applyOps(transcript, reduceTurnEnd(transcript, player.turns.current, given, staysOpen, 5000));
    return statuses(player);
  };

  void it('keeps running commands open and completes other calls', () => {
    const expected = {
      'old command': 'in_progress',
      'old call': 'completed',
      command: 'in_progress',
      call: 'completed',
    };
    assert.deepEqual(end(stop('end_turn')), expected);
  });

  void it('cancels its calls when stopped, except running commands of earlier turns', () => {
    const expected = { 'old command': 'in_progress', 'old call': 'cancelled', command: 'cancelled', call: 'cancelled' };
    assert.deepEqual(end(stop('cancelled')), expected);
    assert.deepEqual(end(stop('max_tokens')), expected);
  });

  void it('cancels everything when the agent fails', () => {
    assert.deepEqual(new Set(Object.values(end({ by: 'failure' }))), new Set(['cancelled']));
  });

  void it('leaves calls open that must stay open', () => {
    assert.equal(end(stop('cancelled'), (id) => id.endsWith('call:call'))['call'], 'in_progress');
  });
});

void describe('cancelling a turn', () => {
  void it('cancels its calls but keeps running commands of earlier turns', () => {
    const player = secondTurn();
    const { transcript } = player;
    applyOps(transcript, reduceCancel(transcript, player.turns.current, 5000));
    const expected = { 'old command': 'in_progress', 'old call': 'cancelled', command: 'cancelled', call: 'cancelled' };
    assert.deepEqual(statuses(player), expected);
    assert.equal(player.all('tool_call').find(({ title }) => title === 'call')?.endedAt, 5000);
  });
});

void describe('why a turn ended', () => {
  void it('is the outcome for the user, however the agent put it', () => {
    assert.equal(outcomeOf(stop('end_turn'), false), 'completed');
    assert.equal(outcomeOf(stop('end_turn'), true), 'stopped');
    assert.equal(outcomeOf({ by: 'failure' }, true), 'stopped');
    assert.equal(outcomeOf({ by: 'failure' }, false), 'failed');
    assert.equal(outcomeOf({ by: 'failure', isLost: true }, false), 'cutOff');
    assert.equal(outcomeOf(stop('refusal'), false), 'cutOff');
    assert.equal(reasonOf('end_turn', true), 'cancelled');
    assert.equal(reasonOf('max_tokens', true), 'max_tokens');
    assert.equal(reasonOf('end_turn', false), 'end_turn');
  });

  void it('has no words for a normal end unless the agent was silent', () => {
    assert.equal(stopReasonWords('A', 'end_turn', { byUser: false, isSilent: false }), undefined);
    assert.match(stopReasonWords('A', 'end_turn', { byUser: false, isSilent: true })?.title ?? '', /without replying/);
  });

  void it('counts rejected requests of the turn only', () => {
    const player = secondTurn();
    const { transcript } = player;
    assert.equal(wasRejected(transcript, 2), false);
    const reject = (title: string) => {
      const entry = player.all('tool_call').find((one) => one.title === title)!;
      const permission = { state: 'answered', option: { kind: 'reject_once' } } as never;
      applyOps(transcript, [{ op: 'patch', id: entry.id, kind: 'tool_call', fields: { permission } }]);
    };
    reject('old call');
    assert.equal(wasRejected(transcript, 2), false);
    reject('command');
    assert.equal(wasRejected(transcript, 2), true);
  });
});
