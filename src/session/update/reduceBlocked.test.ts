import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Player } from '../../../test/unit-support/playUpdates';
import { applyOps } from '../../shared/transcript/ops';
import type { BlockedPlace } from '../../shared/transcript/transcript';
import { reduceBlocked } from './reduceBlocked';

const place = (path: string): BlockedPlace => ({ kind: 'write', path, canAllow: true });
const call = (toolCallId: string, status: string) => ({ sessionUpdate: 'tool_call', toolCallId, title: 'Run', status });

test('shows what was blocked at the call that runs or ended last', () => {
  const player = new Player();
  const block = (path: string) => {
    const { transcript, turns } = player;
    applyOps(transcript, reduceBlocked(transcript, turns.current, place(path)));
  };
  const paths = () => player.all('tool_call').map(({ blocked = [] }) => blocked.map(({ path }) => path));
  block('/before');
  player.play(call('a', 'in_progress'), call('b', 'completed'));
  block('/a');
  block('/a');
  assert.deepEqual(paths(), [['/a'], []]);
  player.play({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'failed' });
  block('/late');
  assert.deepEqual(paths(), [['/a', '/late'], []]);
});

test('many places of a kind keep out none of another', () => {
  const player = new Player();
  player.play(call('a', 'in_progress'));
  const block = (one: BlockedPlace) => {
    const { transcript, turns } = player;
    applyOps(transcript, reduceBlocked(transcript, turns.current, one));
  };
  for (let n = 0; n < 30; n++) block(place(`/${n}`));
  block({ kind: 'write', path: '/guarded' });
  const [{ blocked = [] } = {}] = player.all('tool_call');
  assert.equal(blocked.length, 21);
  assert.equal(blocked.at(-1)?.path, '/guarded');
});
