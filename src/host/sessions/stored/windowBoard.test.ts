import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FakeMachine } from '../../../../test/unit-support/storage';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import type { AgentId, SessionKey } from '../../../shared/values/ids';
import type { SessionRow } from '../../../shared/pages/sessionRows';
import { WindowBoard } from './windowBoard';
import type { WindowNote } from './windowNote';

const row: SessionRow = {
  id: 'own a',
  session: 'a' as SessionKey,
  title: 'Fix the retry',
  agentId: 'settings:Ada' as AgentId,
  agentName: 'Ada',
  place: 'here',
  state: 'needsYou',
  words: 'Wants to run a command',
  folder: 'harbor',
  branch: 'main',
  at: 5,
  actions: ['rename', 'delete'],
};

const harbor: WindowNote = { name: 'harbor', place: 'file:///work/harbor', rows: [row] };

/** Windows of one user, each a process of its own. */
function user(t: TestContext) {
  const boards: WindowBoard[] = [];
  // Before the folder is deleted: on Windows, a watched folder can't be.
  t.after(() => boards.forEach((board) => board.dispose()));
  const folder = tempFolder(t);
  const machine = new FakeMachine();
  const open = () => {
    const { windows, end } = machine.window(folder);
    const board = new WindowBoard(folder, windows);
    boards.push(board);
    return { board, end, id: windows.id };
  };
  return { folder, open };
}

test('a window sees the sessions of another one with their state', async (t) => {
  const { open } = user(t);
  const [one, two] = [open(), open()];
  await one.board.post(harbor);
  await two.board.look();
  const seen = { ...row, place: 'otherWindow', actions: [] };
  assert.deepEqual(two.board.others, [{ ...harbor, id: one.id, rows: [seen] }]);
  await one.board.look();
  assert.deepEqual(one.board.others, []);
});

test('a window hears of changes in another one', async (t) => {
  const { open } = user(t);
  const [one, two] = [open(), open()];
  await one.board.post(harbor);
  const changed = new Promise<void>((resolve) => {
    const watching = two.board.watch(() => {
      watching.dispose();
      resolve();
    });
  });
  await one.board.post({ ...harbor, rows: [{ ...row, state: 'running' }] });
  await changed;
  await two.board.look();
  assert.equal(two.board.others[0]?.rows[0]?.state, 'running');
});

test('the sessions of a window that closed or crashed are gone', async (t) => {
  const { folder, open } = user(t);
  const [one, two, three] = [open(), open(), open()];
  await one.board.post(harbor);
  await two.board.post({ ...harbor, name: 'quay' });
  one.board.leave();
  await three.board.look();
  assert.deepEqual(
    three.board.others.map(({ name }) => name),
    ['quay'],
  );
  two.end();
  await three.board.look();
  assert.deepEqual([three.board.others, readdirSync(join(folder, 'notes'))], [[], []]);
});

test('a window is asked to show one of its sessions', async (t) => {
  const { open } = user(t);
  const [one, two] = [open(), open()];
  await one.board.post(harbor);
  const asked = new Promise<SessionKey>((resolve) => one.board.onDidAsk(resolve));
  await two.board.ask(one.id, row.session!);
  assert.equal(await asked, 'a');
});

test('a damaged file is passed over and written again', async (t) => {
  const { folder, open } = user(t);
  const [one, two] = [open(), open()];
  await one.board.post(harbor);
  for (const content of ['', '{"version":1,"rows":[', '[]', '{"version":1,"name":"x","place":"","rows":[{"id":7}]}']) {
    writeFileSync(join(folder, 'notes', `${one.id}.json`), content);
    await two.board.look();
    assert.deepEqual(two.board.others, []);
  }
  await one.board.post({ ...harbor, rows: [] });
  await two.board.look();
  assert.deepEqual(two.board.others, [{ ...harbor, id: one.id, rows: [] }]);
});

test('a note that can’t be written is written with the next change', async (t) => {
  const { folder, open } = user(t);
  const [one, two] = [open(), open()];
  writeFileSync(join(folder, 'windows'), 'a file where the folder should be');
  await one.board.post(harbor);
  assert.deepEqual(readdirSync(folder), ['windows']);
  rmSync(join(folder, 'windows'));
  await one.board.post(harbor);
  await two.board.look();
  assert.equal(two.board.others.length, 1);
});
