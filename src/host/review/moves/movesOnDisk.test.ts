// Files under review that the user moves in a terminal.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { clockSlackMs } from './noticed';

const before = 'one\ntwo\nthree\n';

beforeEach(() => editor.reset());

/** A file in a folder that an agent has changed some time ago. */
async function changed(context: TestContext) {
  const folder = reviewFolder(context, { 'other.txt': before });
  mkdirSync(`${folder.root}/project/in`);
  writeFileSync(`${folder.root}/project/in/a.txt`, before);
  const window = folder.open();
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('in/a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  for (const turn of window.review.turns.current) if (turn.endedAt !== undefined) turn.endedAt -= 2 * clockSlackMs;
  const listed = () => window.listed(session).map(({ path, session: { added } }) => [path, added]);
  return { folder, window, listed };
}

for (const [what, order] of [
  ['first', ['in/a.txt', 'moved.txt']],
  ['last', ['moved.txt', 'in/a.txt']],
] as const) {
  test(`changes move along if the removal is reported ${what}`, async (context) => {
    const { window, listed } = await changed(context);
    renameSync(window.path('in/a.txt'), window.path('moved.txt'));
    for (const name of order) await window.look(name);
    assert.deepEqual(listed(), [['moved.txt', 1]]);
    await window.undoAll();
    assert.equal(readFileSync(window.path('moved.txt'), 'utf8'), before);
    assert.deepEqual(window.errors, []);
  });
}

for (const [what, order] of [
  ['first', ['in/a.txt', 'new']],
  ['last', ['new', 'in/a.txt']],
] as const) {
  test(`changes move with their folder if its removal is reported ${what}`, async (context) => {
    const { window, listed } = await changed(context);
    renameSync(window.path('in'), window.path('new'));
    for (const name of order) await window.look(name);
    assert.deepEqual(listed(), [['new/a.txt', 1]]);
    // And back.
    renameSync(window.path('new'), window.path('in'));
    for (const name of ['new/a.txt', 'in']) await window.look(name);
    assert.deepEqual(listed(), [['in/a.txt', 1]]);
  });
}

test('changes of an earlier window move along', async (context) => {
  const { folder, window } = await changed(context);
  await window.close();
  const later = folder.open();
  await later.review['loaded'];
  assert.deepEqual(
    later.review.log.pending.map((uri) => uri.split('/').at(-1)),
    ['a.txt'],
  );
  renameSync(later.path('in/a.txt'), later.path('moved.txt'));
  for (const name of ['in/a.txt', 'moved.txt']) await later.look(name);
  assert.deepEqual(
    later.review.log.pending.map((uri) => uri.split('/').at(-1)),
    ['moved.txt'],
  );
});

test('a copy of a removed file doesn’t get its changes', async (context) => {
  const { window, listed } = await changed(context);
  writeFileSync(window.path('copy.txt'), readFileSync(window.path('in/a.txt')));
  rmSync(window.path('in/a.txt'));
  for (const name of ['copy.txt', 'in/a.txt', 'copy.txt']) await window.look(name);
  assert.deepEqual([listed(), existsSync(window.path('copy.txt'))], [[], true]);
});
