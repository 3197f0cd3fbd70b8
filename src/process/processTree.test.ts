import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, suite, test } from 'node:test';
import { fixtureAgent, ProcessMark } from '../../test/unit-support/markedProcesses';
import { posixOnly } from '../../test/unit-support/platform';
import type { ProcessInfo } from './processInfo';
import { endTree, listProcesses, parseProcStat, parsePs, startTimeOf, treeOf } from './processTree';

const mark = new ProcessMark();
afterEach(() => mark.clean());

function info(pid: number, parent: number, group = pid, session?: number, started = 't'): ProcessInfo {
  return { pid, parent, group, started, ...(session === undefined ? {} : { session }) };
}

function pidsOf(tree: readonly ProcessInfo[]): number[] {
  return tree.map((member) => member.pid).sort((a, b) => a - b);
}

suite('a process listing', () => {
  const stat = (state: string) => `42 (a) (b c)) ${state} 7 42 41 34816 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 1`;

  test('parses a name with parentheses and spaces in /proc', () => {
    assert.deepEqual(parseProcStat(stat('S')), info(42, 7, 42, 41, '98765'));
    assert.equal(parseProcStat(''), undefined);
  });

  test('parses ps output line by line', () => {
    const text = '    1     0     1 Ss   Sat Nov 21 10:00:00 2026\n  42     1    42 S+   Sat Nov 21 10:00:01 2026 \n\n';
    assert.deepEqual(parsePs(text), [
      info(1, 0, 1, undefined, 'Sat Nov 21 10:00:00 2026'),
      info(42, 1, 42, undefined, 'Sat Nov 21 10:00:01 2026'),
    ]);
  });

  test('omits zombie processes', () => {
    assert.equal(parseProcStat(stat('Z')), undefined);
    assert.deepEqual(parsePs('  42     1    42 Z+   Sat Nov 21 10:00:01 2026\n'), []);
  });

  test('contains this process with its parent and start time', posixOnly, async () => {
    const own = (await listProcesses())?.find((candidate) => candidate.pid === process.pid);
    assert.equal(own?.parent, process.ppid);
    assert.equal(own.started, await startTimeOf(process.pid));
    assert.equal(await startTimeOf(2 ** 30), undefined);
  });
});

suite('the tree of a group leader', () => {
  const processes = [info(1, 0), info(10, 1), info(11, 10, 10), info(12, 11), info(13, 12), info(20, 1)];

  test('has its group and all descendants, even in other groups', () => {
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, processes)), [10, 11, 12, 13]);
  });

  test('has its session and all descendants, and nothing else', () => {
    const sessions = [
      info(1, 0, 1, 1),
      info(10, 1, 10, 1),
      info(100, 10, 100, 100),
      info(101, 100, 100, 100),
      info(102, 101, 102, 100), // in its own group
      info(103, 102, 103, 103), // in its own session
      info(104, 1, 100, 100), // its parent exited, its group is still running
      info(105, 1, 105, 100), // the same in its own group
      info(200, 10, 200, 1),
      info(201, 200, 200, 1),
    ];
    assert.deepEqual(pidsOf(treeOf({ pid: 100 }, sessions)), [100, 101, 102, 103, 104, 105]);
  });

  test('is found after the leader exits', () => {
    const orphans = processes.filter((process) => process.pid !== 10);
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 't' }, orphans)), [11, 12, 13]);
  });

  test('contains a just-forked leader without a group by its start time', () => {
    const forked = [info(10, 1, 1, 1)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 't' }, forked)), [10]);
    assert.deepEqual(treeOf({ pid: 10 }, forked), []);
  });

  test('is empty if the pid belongs to a later process', () => {
    assert.deepEqual(treeOf({ pid: 10, started: 'earlier' }, processes), []);
    assert.deepEqual(treeOf({ pid: 99 }, processes), []);
  });

  test('omits a group with the same number in another session', () => {
    const others = [info(11, 1, 10, 4), info(12, 1, 10, 10)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, others)), [12]);
  });

  test('contains known processes and their children, but not reused ids', () => {
    const known = [info(103, 102)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, [info(103, 1), info(104, 103)], known)), [103, 104]);
    assert.deepEqual(treeOf({ pid: 10 }, [info(103, 1, 103, undefined, 'later')], known), []);
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 'earlier' }, [...processes, info(103, 1)], known)), [103]);
  });
});

test('does not signal a process with a different start time', posixOnly, async () => {
  const child = spawn(process.execPath, [fixtureAgent('silent')], { detached: true, env: mark.env });
  await once(child, 'spawn');
  await endTree({ pid: child.pid!, started: 'before the reboot' }, 0);
  assert.deepEqual(await mark.pids(), [child.pid]);
  await endTree({ pid: child.pid!, started: (await startTimeOf(child.pid!))! }, 0);
  assert.deepEqual(await mark.pids(), []);
});

test('never signals group numbers that mean "everything" or "my own"', posixOnly, async () => {
  for (const pid of [0, 1, -1, Number.NaN]) await endTree({ pid }, 0);
});
