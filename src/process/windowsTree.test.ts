import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemProgram } from './run';
import { endWindowsTree, parseWindowsList, WindowsTree, type WindowsProcess } from './windowsTree';

const at = (ms: number) => (BigInt(ms) + 11_644_473_600_000n) * 10_000n;
const agent = 100;

/** Returns a fake process table and a clock that the test controls. */
function fakeSystem() {
  const killed: number[] = [];
  const state = { now: 1000, table: [] as WindowsProcess[] };
  const start = (pid: number, parent: number) => void state.table.push({ pid, parent, started: at(state.now) });
  const end = (pid: number) => void (state.table = state.table.filter((one) => one.pid !== pid));
  const system = {
    list: () => Promise.resolve(state.table),
    kill: (pid: number) => {
      if (!state.table.some((one) => one.pid === pid)) return Promise.reject(new Error('not found'));
      end(pid);
      killed.push(pid);
      return Promise.resolve('');
    },
    now: () => state.now,
  };
  return { system, state, start, end, killed };
}

test('ends only the descendants of an exited agent', async () => {
  const { system, state, start, end, killed } = fakeSystem();
  start(7, 4);
  start(8, agent);
  state.now = 2000;
  start(agent, 4);
  const tree = new WindowsTree(agent, system);
  state.now = 3000;
  start(101, agent);
  start(102, 101);
  state.now = 4000;
  end(agent);
  tree.ended();
  state.now = 5000;
  // The id is reused, so its children aren't ours.
  start(agent, 4);
  start(103, agent);
  await Promise.all([tree.endRest(), tree.endRest()]);
  assert.deepEqual(killed, [101, 102]);
});

test("ends known orphans of an exited agent if their ids weren't reused", async () => {
  const { system, state, start, end, killed } = fakeSystem();
  start(agent, 4);
  const tree = new WindowsTree(agent, system);
  for (const [pid, parent] of [
    [101, agent],
    [102, 101],
    [103, 101],
  ] as const) {
    start(pid, parent);
  }
  await tree.look();
  state.now = 2000;
  for (const pid of [agent, 101, 103]) end(pid);
  tree.ended();
  start(103, 4);
  await tree.endRest();
  assert.deepEqual(killed, [102]);
});

test("ends nothing if the process table can't be read", async () => {
  const { system, killed } = fakeSystem();
  const tree = new WindowsTree(agent, { ...system, list: () => Promise.reject(new Error('no powershell')) });
  await tree.look();
  tree.ended();
  await tree.endRest();
  assert.deepEqual(killed, []);
});

test('parses valid lines of the table and skips others', () => {
  assert.deepEqual(parseWindowsList('4 0 133500000000000001\r\n\r\nsomething else\r\n12 4 5\r\n'), [
    { pid: 4, parent: 0, started: 133500000000000001n },
    { pid: 12, parent: 4, started: 5n },
  ]);
});

suite('ending a tree on Windows', () => {
  /** A machine on which `taskkill` fails, with a tree of 100, 101, and 102 and an older process that had 100's id as parent. */
  function machine({ hasTable = true } = {}) {
    const { state, start } = fakeSystem();
    start(7, agent);
    state.now = 2000;
    start(agent, 4);
    start(101, agent);
    start(102, 101);
    start(8, 4);
    const killed: number[] = [];
    const enders = {
      list: () => (hasTable ? Promise.resolve(state.table) : Promise.reject(new Error('no powershell'))),
      killTree: () => Promise.reject(new Error('invalid argument /T')),
      killOne: (pid: number) => void killed.push(pid),
      isAlive: (pid: number) => state.table.some((one) => one.pid === pid),
    };
    return { enders, killed };
  }

  test('ends each process of the tree if taskkill fails', async () => {
    const { enders, killed } = machine();
    await endWindowsTree(agent, enders);
    assert.deepEqual(killed, [agent, 101, 102]);
  });

  test('ends the process itself if the process table is missing, too', async () => {
    const { enders, killed } = machine({ hasTable: false });
    await endWindowsTree(agent, enders);
    assert.deepEqual(killed, [agent]);
  });

  test('ignores processes that exited or refuse to end', async () => {
    const { enders, killed } = machine();
    await endWindowsTree(999, enders);
    assert.deepEqual(killed, []);
    const killOne = () => {
      throw new Error('EPERM');
    };
    await endWindowsTree(agent, { ...enders, killOne });
  });

  test('never searches for the programs of Windows on PATH', () => {
    assert.equal(
      systemProgram('taskkill.exe', { systemroot: 'D:\\Win', PATH: 'C:\\other' }),
      'D:\\Win\\System32\\taskkill.exe',
    );
    assert.equal(systemProgram('taskkill.exe', {}), 'C:\\Windows\\System32\\taskkill.exe');
  });
});
