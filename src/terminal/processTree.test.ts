import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProcStat, parsePs, treeOf, type ProcessInfo } from './processTree';

const info = (pid: number, parent: number, group = pid, session = group, start = '1', zombie = false): ProcessInfo => ({
  pid,
  parent,
  group,
  session,
  start,
  zombie,
});

test('a process whose name holds brackets and spaces is read right', () => {
  const fields = 'S 7 42 42 34816 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 1';
  assert.deepEqual(parseProcStat(`42 (a) (b c)) ${fields}`), info(42, 7, 42, 42, '98765'));
  assert.equal(parseProcStat(''), undefined);
});

test('the listing of ps is read line by line', () => {
  const text = '    1     0     1 Ss   Sat Nov 21 10:00:00 2026\n  42     1    42 Z+   Sat Nov 21 10:00:01 2026\n\n';
  assert.deepEqual(parsePs(text), [
    info(1, 0, 1, 0, 'Sat Nov 21 10:00:00 2026'),
    info(42, 1, 42, 0, 'Sat Nov 21 10:00:01 2026', true),
  ]);
});

test('the tree holds group, session and every descendant, and no one else', () => {
  const processes = [
    info(1, 0),
    info(10, 1),
    info(100, 10),
    info(101, 100, 100),
    info(102, 101, 102), // a group of its own
    info(103, 102, 103, 103), // a session of its own
    info(104, 1, 100), // its parent ended, its group did not
    info(105, 1, 105, 100), // the same with a group of its own
    info(106, 100, 100, 100, '1', true), // dead already
    info(200, 10),
    info(201, 200, 200),
  ];
  assert.deepEqual(
    treeOf(processes, 100).map(({ pid }) => pid),
    [100, 101, 102, 103, 104, 105],
  );
});

test('a process seen before is found again, another one with its id is not', () => {
  const known = [info(103, 102, 103, 103, '1')];
  assert.deepEqual(treeOf([info(103, 1, 103, 103, '1')], 100, known), [info(103, 1, 103, 103, '1')]);
  assert.deepEqual(treeOf([info(103, 1, 103, 103, '2')], 100, known), []);
});
