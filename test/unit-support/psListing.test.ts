import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markedPids } from './psListing';

const mark = 'MARK=1';
const at = 'Sun Nov 22 18:00:00 2026';
const line = (pid: number, parent: number, group: number, command: string, started = at, state = 'S') =>
  `${pid} ${parent} ${group} ${state}  ${started} ${command}`;

test('counts processes by mark, and those without one by origin', () => {
  const seen = new Map<number, string>();
  const listing = [
    line(1, 0, 1, '/sbin/launchd'),
    line(50, 1, 50, 'node test PATH=/bin'),
    // Processes started by this one: an agent, a system shell in its own group, its child, and unrelated processes.
    line(60, 50, 60, `node agent.mjs PATH=/bin ${mark}`),
    line(61, 60, 60, 'sleep 100'),
    line(62, 50, 62, '/bin/sh -c sleep'),
    line(63, 62, 62, 'sleep 100'),
    line(64, 50, 50, 'ps -A'),
    line(65, 50, 65, 'node other.mjs PATH=/bin'),
    line(66, 1, 66, 'sleep 100'),
    line(67, 60, 60, '(node)', at, 'Z'),
  ];
  assert.deepEqual(markedPids(listing.join('\n'), mark, 50, seen), [60, 62, 61, 63]);
  // Their parents have exited, and one pid has been reused.
  const later = [line(61, 1, 60, 'sleep 100'), line(63, 1, 62, 'sleep 100', 'Sun Nov 22 18:00:09 2026')];
  assert.deepEqual(markedPids(later.join('\n'), mark, 50, seen), [61]);
});
