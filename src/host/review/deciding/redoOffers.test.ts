import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { reviewFolder, type ReviewWindow } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { carryOutIntent } from '../page/reviewMessages';
import { undoLast } from './takeBack';

const before = 'one\ntwo\nthree\n';
const after = 'one\nagent\nthree\n';

beforeEach(() => editor.reset());

/** A window in which two sessions have each changed a file, and the first one also made one. */
async function changedByTwo(context: TestContext) {
  const folder = reviewFolder(context, { 'a.txt': before, 'b.txt': before });
  const window = folder.open();
  const [session, other] = [window.session(), window.session('Other')];
  await window.begin(session);
  writeFileSync(window.path('a.txt'), after);
  await window.end(session);
  await window.begin(session);
  writeFileSync(window.path('new.txt'), 'new\n');
  await window.end(session);
  await window.begin(other);
  writeFileSync(window.path('b.txt'), after);
  await window.end(other);
  return { folder, window, session, other };
}

const text = (window: ReviewWindow, name: string) => readFileSync(window.path(name), 'utf8');

test('what a session undid at once is redone at once', async (context) => {
  const { window, session, other } = await changedByTwo(context);
  const { log, redo } = window.review;
  const intent = { type: 'reviewChanges', scope: 'session', session: session.key } as const;
  const pending = log.pending;
  await carryOutIntent(window.review, { ...intent, action: 'undo' });
  assert.deepEqual(redo.of(session.key), { files: 2, turn: 2 });
  assert.equal(redo.of(other.key), undefined);
  assert.equal(text(window, 'a.txt'), before);
  assert.equal(existsSync(window.path('new.txt')), false);
  await carryOutIntent(window.review, { ...intent, action: 'redo' });
  assert.deepEqual([text(window, 'a.txt'), text(window, 'new.txt')], [after, 'new\n']);
  assert.deepEqual(log.pending.toSorted(), pending.toSorted());
  assert.equal(redo.of(session.key), undefined);
  // There is nothing any more.
  await carryOutIntent(window.review, { ...intent, action: 'redo' });
});

test('each session redoes its own part of Undo All', async (context) => {
  const { window, session, other } = await changedByTwo(context);
  const { redo } = window.review;
  await window.undoAll();
  assert.deepEqual(
    [redo.of(session.key), redo.of(other.key)],
    [
      { files: 2, turn: 2 },
      { files: 1, turn: 1 },
    ],
  );
  await redo.redo(other.key);
  assert.deepEqual([text(window, 'a.txt'), text(window, 'b.txt')], [before, after]);
  assert.deepEqual([redo.of(session.key)?.files, redo.of(other.key)], [2, undefined]);
  await undoLast(window.review.log, window.review.disk);
  assert.equal(redo.of(session.key), undefined);
});

test('the offer to redo ends with the next turn', async (context) => {
  const { window, session } = await changedByTwo(context);
  await window.undoAll();
  await window.begin(session);
  assert.equal(window.review.redo.of(session.key), undefined);
  await window.end(session);
});

test('Undo All says how many files it undid, with Redo', async (context) => {
  const { window } = await changedByTwo(context);
  const { log } = window.review;
  editor.answers.push('Redo');
  const redone = new Promise<void>((resolve) => log.onDidChange(() => log.pending.length === 3 && resolve()));
  await window.undoAll();
  await redone;
  const { message, items } = editor.shown.find(({ kind }) => kind === 'information') ?? {};
  assert.deepEqual([message, items], ['Undid the changes in 3 files.', ['Redo']]);
  assert.equal(text(window, 'a.txt'), after);
});

test('what was undone is redone after a reload', async (context) => {
  const { folder, window, session, other } = await changedByTwo(context);
  await window.undoAll();
  await window.review.redo.redo(other.key);
  await window.close();
  const next = folder.open();
  await next.review.beforeTurn(next.session('Third').key);
  const { redo, disk, log } = next.review;
  assert.deepEqual([redo.of(session.key), redo.of(other.key)], [{ files: 2, turn: 2 }, undefined]);
  await redo.redo(session.key);
  assert.deepEqual([text(next, 'a.txt'), text(next, 'new.txt'), text(next, 'b.txt')], [after, 'new\n', after]);
  assert.equal(log.pending.length, 3);
  assert.equal(disk.undone.last, undefined);
  await next.close();
  const last = folder.open();
  await last.review.beforeTurn(last.session('Third').key);
  assert.equal(last.review.redo.of(session.key), undefined);
});

test('the last decision is taken back first after a reload, too', async (context) => {
  const { folder, window, session } = await changedByTwo(context);
  const uri = (name: string) => window.uri(name).toString();
  const intent = { type: 'reviewFile', session: session.key, uri: uri('a.txt'), scope: 'session' } as const;
  await carryOutIntent(window.review, { ...intent, action: 'undo' });
  window.review.log.keep(uri('b.txt'), 'all');
  await window.close();
  const next = folder.open();
  await next.review.beforeTurn(next.session('Third').key);
  const { log, disk } = next.review;
  await undoLast(log, disk);
  assert.ok(log.pending.includes(uri('b.txt')));
  assert.equal(text(next, 'a.txt'), before);
  await undoLast(log, disk);
  assert.equal(text(next, 'a.txt'), after);
});

test('a file that changed after the reload is not redone', async (context) => {
  const { folder, window, session } = await changedByTwo(context);
  await window.undoAll();
  await window.close();
  writeFileSync(window.path('a.txt'), 'mine\n');
  const next = folder.open();
  await next.review.beforeTurn(next.session('Third').key);
  await assert.rejects(next.review.redo.redo(session.key), /changed/);
  assert.deepEqual([text(next, 'a.txt'), text(next, 'new.txt')], ['mine\n', 'new\n']);
});
