import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { canUndoLast, reviewAgain, undoLast } from './takeBack';
import { undoWithQuestion } from './undoWithQuestion';

const before = 'one\ntwo\nthree\n';
const files = { 'a.txt': before, 'b.txt': before, 'c.txt': before };
const isPosix = process.platform !== 'win32';

beforeEach(() => editor.reset());

test('takes back an undo of every kind of change', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log, disk } = window.review;
  const session = window.session();
  const written = Buffer.from([0, 1, 2, 255]);
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  if (isPosix) chmodSync(window.path('a.txt'), 0o755);
  rmSync(window.path('b.txt'));
  writeFileSync(window.path('new.txt'), 'fresh\n');
  writeFileSync(window.path('new.bin'), written);
  await window.end(session);
  const pending = log.pending;
  const counts = pending.map((uri) => log.counts(uri));
  await window.undoAll();
  assert.deepEqual(log.pending, []);
  assert.equal(existsSync(window.path('new.bin')), false);
  await undoLast(log, disk);
  assert.deepEqual(log.pending, pending);
  assert.deepEqual(
    pending.map((uri) => log.counts(uri)),
    counts,
  );
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'one\nagent\nthree\n');
  if (isPosix) assert.equal(statSync(window.path('a.txt')).mode & 0o777, 0o755);
  assert.equal(existsSync(window.path('b.txt')), false);
  assert.equal(readFileSync(window.path('new.txt'), 'utf8'), 'fresh\n');
  assert.deepEqual(readFileSync(window.path('new.bin')), written);
  // And the changes can be undone again.
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.equal(readFileSync(window.path('b.txt'), 'utf8'), before);
});

test('takes back the undo of a rename with its new name', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log, disk } = window.review;
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('moved.txt'));
  await window.end(session);
  const pending = log.pending;
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  await undoLast(log, disk);
  assert.equal(existsSync(window.path('a.txt')), false);
  assert.equal(readFileSync(window.path('moved.txt'), 'utf8'), before);
  assert.deepEqual(log.pending, pending);
});

test('takes back the undo of a rename that kept its new name', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log, disk } = window.review;
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('moved.txt'));
  writeFileSync(window.path('moved.txt'), `${before}agent\n`);
  await window.end(session);
  const [uri = ''] = log.pending;
  const [counts, status] = [log.counts(uri), log.file(uri)?.status];
  // The user uses the old name for another file.
  writeFileSync(window.path('a.txt'), 'mine\n');
  await window.undoAll();
  assert.deepEqual(log.pending, []);
  assert.equal(readFileSync(window.path('moved.txt'), 'utf8'), before);
  await undoLast(log, disk);
  assert.equal(readFileSync(window.path('moved.txt'), 'utf8'), `${before}agent\n`);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'mine\n');
  assert.deepEqual([log.pending, log.counts(uri), log.file(uri)?.status], [[uri], counts, status]);
  // And the changes can be undone again.
  await window.undoAll();
  assert.equal(readFileSync(window.path('moved.txt'), 'utf8'), before);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'mine\n');
});

test('takes back keeps and undos in the order they were made', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log, disk } = window.review;
  const session = window.session();
  await window.begin(session);
  for (const name of Object.keys(files)) writeFileSync(window.path(name), 'one\nagent\nthree\n');
  await window.end(session);
  const [a, b, c] = log.pending;
  assert.ok(a && b && c);
  log.keep(a);
  await undoWithQuestion(log, disk, [{ uri: b, ids: 'all' }]);
  log.keep(c);
  const left = [];
  while (canUndoLast(log, disk)) {
    await undoLast(log, disk);
    left.push(log.pending.length);
  }
  assert.deepEqual(left, [1, 2, 3]);
  assert.deepEqual(log.pending, [a, b, c]);
});

test('one decided file can be reviewed again', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log, disk } = window.review;
  const session = window.session();
  await window.begin(session);
  for (const name of Object.keys(files)) writeFileSync(window.path(name), 'one\nagent\nthree\n');
  await window.end(session);
  const [a, b] = log.pending;
  assert.ok(a && b);
  log.keepAll();
  await reviewAgain(log, disk, a);
  assert.deepEqual(log.pending, [a]);
  await window.undoAll();
  await reviewAgain(log, disk, a);
  assert.deepEqual(log.pending, [a]);
});

test('leaves a file alone that the user changed after the undo', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log, disk } = window.review;
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  await window.undoAll();
  writeFileSync(window.path('a.txt'), 'mine\n');
  // Surely after the turn, whatever the clock of the file system says.
  const later = new Date(Date.now() + 1000);
  utimesSync(window.path('a.txt'), later, later);
  await window.look('a.txt');
  await assert.rejects(undoLast(log, disk), /was changed since\. Nothing was restored\./);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'mine\n');
  assert.deepEqual(log.pending, []);
});

test('ticks the step of the walkthrough after a keep or an undo', async (context) => {
  const window = reviewFolder(context, files).open();
  const { log } = window.review;
  const isTicked = () =>
    editor.executed.some(({ id, args }) => id === 'setContext' && args[0] === 'parley.hasReviewed');
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\n');
  writeFileSync(window.path('b.txt'), 'one\n');
  await window.end(session);
  const [a, b] = log.pending;
  assert.ok(a && b);
  assert.equal(isTicked(), false);
  await undoWithQuestion(log, window.review.disk, [{ uri: a, ids: 'all' }]);
  assert.equal(isTicked(), true);
  editor.executed.length = 0;
  log.keep(b);
  assert.equal(isTicked(), true);
});
