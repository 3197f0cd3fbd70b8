import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, suite, test } from 'node:test';
import { fixtureAgent, ProcessMark } from '../../test/unit-support/markedProcesses';
import { posixOnly } from '../../test/unit-support/platform';
import { endTree, listProcesses, parseProcStat, parsePs, startTimeOf, treeOf, type ProcessInfo } from './processTree';

const mark = new ProcessMark();
afterEach(() => mark.clean());

function info(pid: number, parent: number, group = pid, session?: number, started = 't'): ProcessInfo {
  return { pid, parent, group, started, ...(session === undefined ? {} : { session }) };
}

function pidsOf(tree: readonly ProcessInfo[]): number[] {
  return tree.map((member) => member.pid).sort((a, b) => a - b);
}

suite('a listing', () => {
  const stat = (state: string) => `42 (a) (b c)) ${state} 7 42 41 34816 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 1`;

  test('of /proc reads a name that holds brackets and blanks', () => {
    assert.deepEqual(parseProcStat(stat('S')), info(42, 7, 42, 41, '98765'));
    assert.equal(parseProcStat(''), undefined);
  });

  test('of ps is read line by line', () => {
    const text = '    1     0     1 Ss   Sat Nov 21 10:00:00 2026\n  42     1    42 S+   Sat Nov 21 10:00:01 2026 \n\n';
    assert.deepEqual(parsePs(text), [
      info(1, 0, 1, undefined, 'Sat Nov 21 10:00:00 2026'),
      info(42, 1, 42, undefined, 'Sat Nov 21 10:00:01 2026'),
    ]);
  });

  test('leaves out what is dead and only waits for its parent to notice', () => {
    assert.equal(parseProcStat(stat('Z')), undefined);
    assert.deepEqual(parsePs('  42     1    42 Z+   Sat Nov 21 10:00:01 2026\n'), []);
  });

  test('holds this process with its parent and its start', posixOnly, async () => {
    const own = (await listProcesses())?.find((candidate) => candidate.pid === process.pid);
    assert.equal(own?.parent, process.ppid);
    assert.equal(own.started, await startTimeOf(process.pid));
    assert.equal(await startTimeOf(2 ** 30), undefined);
  });
});

suite('the tree of a group leader', () => {
  const processes = [info(1, 0), info(10, 1), info(11, 10, 10), info(12, 11), info(13, 12), info(20, 1)];

  test('is its group and all descendants, groups of their own included', () => {
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, processes)), [10, 11, 12, 13]);
  });

  test('is its whole session and every descendant where sessions are known, and no one else', () => {
    const sessions = [
      info(1, 0, 1, 1),
      info(10, 1, 10, 1),
      info(100, 10, 100, 100),
      info(101, 100, 100, 100),
      info(102, 101, 102, 100), // a group of its own
      info(103, 102, 103, 103), // a session of its own
      info(104, 1, 100, 100), // its parent ended, its group did not
      info(105, 1, 105, 100), // the same with a group of its own
      info(200, 10, 200, 1),
      info(201, 200, 200, 1),
    ];
    assert.deepEqual(pidsOf(treeOf({ pid: 100 }, sessions)), [100, 101, 102, 103, 104, 105]);
  });

  test('is still found when the leader itself has ended', () => {
    const orphans = processes.filter((process) => process.pid !== 10);
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 't' }, orphans)), [11, 12, 13]);
  });

  test('holds a leader that was just forked and leads nothing yet, if its start is known', () => {
    const forked = [info(10, 1, 1, 1)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 't' }, forked)), [10]);
    assert.deepEqual(treeOf({ pid: 10 }, forked), []);
  });

  test('is empty when the pid belongs to a later process', () => {
    assert.deepEqual(treeOf({ pid: 10, started: 'earlier' }, processes), []);
    assert.deepEqual(treeOf({ pid: 99 }, processes), []);
  });

  test('leaves out a group of the same number in another session', () => {
    const others = [info(11, 1, 10, 4), info(12, 1, 10, 10)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, others)), [12]);
  });

  test('holds a process seen before and what that started, but not another one with its id', () => {
    const known = [info(103, 102)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, [info(103, 1), info(104, 103)], known)), [103, 104]);
    assert.deepEqual(treeOf({ pid: 10 }, [info(103, 1, 103, undefined, 'later')], known), []);
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 'earlier' }, [...processes, info(103, 1)], known)), [103]);
  });
});

test('a process whose start differs from the one remembered is left alone', posixOnly, async () => {
  const child = spawn(process.execPath, [fixtureAgent('silent')], { detached: true, env: mark.env });
  await once(child, 'spawn');
  await endTree({ pid: child.pid!, started: 'before the reboot' }, 0);
  assert.deepEqual(await mark.pids(), [child.pid]);
  await endTree({ pid: child.pid!, started: (await startTimeOf(child.pid!))! }, 0);
  assert.deepEqual(await mark.pids(), []);
});

test('groups whose numbers mean "everything" or "my own" are never signalled', posixOnly, async () => {
  for (const pid of [0, 1, -1, Number.NaN]) await endTree({ pid }, 0);
});
