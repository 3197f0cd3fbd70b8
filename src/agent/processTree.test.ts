import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, suite, test } from 'node:test';
import { fixtureAgent, ProcessMark } from '../../test/unit-support/markedProcesses';
import { endTree, listProcesses, startTimeOf, treeOf, type ProcessInfo } from './processTree';

const mark = new ProcessMark();
afterEach(() => mark.clean());

function info(pid: number, parent: number, group: number, started = 't', session?: number): ProcessInfo {
  return { pid, parent, group, started, ...(session === undefined ? {} : { session }) };
}

function pidsOf(tree: readonly ProcessInfo[]): number[] {
  return tree.map((member) => member.pid).sort((a, b) => a - b);
}

suite('the tree of a group leader', () => {
  const processes = [
    info(1, 0, 1),
    info(10, 1, 10),
    info(11, 10, 10),
    info(12, 11, 12),
    info(13, 12, 13),
    info(20, 1, 20),
  ];

  test('is its group and all descendants, groups of their own included', () => {
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, processes)), [10, 11, 12, 13]);
  });

  test('is still found when the leader itself has ended', () => {
    const orphans = processes.filter((process) => process.pid !== 10);
    assert.deepEqual(pidsOf(treeOf({ pid: 10, started: 't' }, orphans)), [11, 12, 13]);
  });

  test('is empty when the pid belongs to a later process', () => {
    assert.deepEqual(treeOf({ pid: 10, started: 'earlier' }, processes), []);
    assert.deepEqual(treeOf({ pid: 99 }, processes), []);
  });

  test('leaves out a group of the same number in another session', () => {
    const others = [info(11, 1, 10, 't', 4), info(12, 1, 10, 't', 10)];
    assert.deepEqual(pidsOf(treeOf({ pid: 10 }, others)), [12]);
  });
});

test('this process is listed with its parent and its start', async () => {
  const own = (await listProcesses())?.find((candidate) => candidate.pid === process.pid);
  assert.equal(own?.parent, process.ppid);
  assert.equal(own.started, await startTimeOf(process.pid));
  assert.equal(await startTimeOf(2 ** 30), undefined);
});

test('a process whose start differs from the one remembered is left alone', async () => {
  const child = spawn(process.execPath, [fixtureAgent('silent')], { detached: true, env: mark.env });
  await once(child, 'spawn');
  await endTree({ pid: child.pid!, started: 'before the reboot' }, 0);
  assert.deepEqual(await mark.pids(), [child.pid]);
  await endTree({ pid: child.pid!, started: (await startTimeOf(child.pid!))! }, 0);
  assert.deepEqual(await mark.pids(), []);
});

test('groups whose numbers mean "everything" or "my own" are never signalled', async () => {
  for (const pid of [0, 1, -1, Number.NaN]) await endTree({ pid }, 0);
});
