// Undo over files that aren't what was reviewed: it changes nothing and says why.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { undoWithQuestion } from './undoWithQuestion';

beforeEach(() => editor.reset());

const lines = (...changed: readonly number[]) =>
  Array.from({ length: 9 }, (_, at) => `${changed.includes(at) ? 'agent' : 'line'} ${at}\n`).join('');

async function changedBy(context: TestContext, files: Readonly<Record<string, string>>, write: (path: string) => void) {
  const window = reviewFolder(context, files).open();
  const session = window.session();
  await window.begin(session);
  write(window.path('a.txt'));
  await window.end(session);
  return window;
}

const said = () => editor.shown.map(({ message }) => message).join('\n');

test('undoes nothing in a file that has just changed on disk', async (context) => {
  const window = await changedBy(context, { 'a.txt': lines() }, (path) => writeFileSync(path, lines(1)));
  writeFileSync(window.path('a.txt'), `${lines(1)}of the user\n`);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), `${lines(1)}of the user\n`);
  assert.match(said(), /The file just changed on disk/);
});

test('removes no new file that has just changed on disk', async (context) => {
  const window = await changedBy(context, {}, (path) => writeFileSync(path, lines(1)));
  writeFileSync(window.path('a.txt'), `${lines(1)}of the user\n`);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), `${lines(1)}of the user\n`);
  assert.match(said(), /The file just changed on disk/);
});

test('undoes no part of a text that the editor could not decode', async (context) => {
  const latin1 = (text: string) => Buffer.from(`caf\u00e9\n${text}`, 'latin1');
  const window = await changedBy(context, {}, () => undefined);
  const path = window.path('a.txt');
  writeFileSync(path, latin1(lines()));
  const session = window.session('Other');
  await window.begin(session);
  writeFileSync(path, latin1(lines(1, 7)));
  await window.end(session);
  window.documents.open(path);
  const { log, disk } = window.review;
  const uri = window.uri('a.txt').toString();
  const [first] = log.file(uri)?.hunks ?? [];
  assert.ok(first);
  await undoWithQuestion(log, disk, [{ uri, ids: [first.id] }]);
  assert.deepEqual(readFileSync(path), latin1(lines(1, 7)));
  assert.match(said(), /The file isn’t valid utf8, so saving it would corrupt it/);
  // The whole file gets its first bytes back.
  await window.undoAll();
  assert.deepEqual(readFileSync(path), latin1(lines()));
});
