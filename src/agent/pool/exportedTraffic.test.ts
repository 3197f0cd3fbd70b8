import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readTraffic, TrafficPlayer } from '../../../test/unit-support/playTraffic';
import { all, asks, isDone, PoolHarness, text, until, workspace } from '../../../test/unit-support/poolHarness';

const harness = new PoolHarness();
after(() => harness.pool.stopAll());

const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const call = { toolCallId: 'c1', title: 'Look around', kind: 'execute', status: 'pending' };

test('an exported log is a recording that produces the original transcript', async () => {
  const session = harness.start({
    turns: [
      {
        steps: [
          { line: 'a banner, which is no message' },
          { update: { sessionUpdate: 'tool_call', ...call } },
          { request: 'session/request_permission', params: { toolCall: { toolCallId: 'c1' }, options } },
          { update: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' } },
          { say: 'Nobody is here.' },
        ],
      },
      { steps: [{ say: 'I stop.' }], stopReason: 'refusal' },
    ],
  });
  session.sendPrompt('Is anybody here?');
  await until(session, asks);
  const { permission } = all(session, 'tool_call')[0]!;
  assert.ok(permission.state === 'asked');
  session.answerPermission(permission.request, 'yes');
  await until(session, isDone);
  session.sendPrompt('Go on.');
  await until(session, (one) => text(one).includes('I stop.') && isDone(one));

  const exported = harness.pool.traffic[0]!.traffic.export();
  assert.match(exported, /"direction":"noise".*a banner/);
  const player = await new TrafficPlayer('Codex').play(readTraffic(exported));
  assert.match(player.test.text, /Nobody is here\.[^]*I stop\./);
  assert.equal(player.test.text, text(session));
  const written = JSON.stringify(workspace).slice(1, -1);
  assert.ok(exported.includes(written), 'folders of this machine are left for a person to replace');
});

test("recordings accept the export's note for an oversized message", () => {
  const message = { jsonrpc: '2.0', method: 'session/cancel', params: {} };
  const lines = [
    { note: 'a scenario' },
    { from: 'client', message },
    { at: '2026-01-01T00:00:00.000Z', direction: 'send', bytes: 9, message },
    {
      at: '2026-01-01T00:00:00.000Z',
      direction: 'receive',
      bytes: 99_999,
      message: { summary: 'x (98 KiB, not kept)' },
    },
    { at: '2026-01-01T00:00:00.000Z', direction: 'note', bytes: 9, message: 'the connection closed' },
  ];
  assert.deepEqual(readTraffic(lines.map((line) => `${JSON.stringify(line)}\r\n`).join('')), [
    { note: 'a scenario' },
    { from: 'client', message },
    { from: 'client', message },
    { note: '{"summary":"x (98 KiB, not kept)"}' },
    { note: '"the connection closed"' },
  ]);
});
