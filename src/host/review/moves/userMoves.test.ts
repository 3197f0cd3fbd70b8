import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import * as vscode from 'vscode';
import { editor } from '../../../../test/unit-support/vscode';
import { changeTimeNow } from './noticed';
import { UserMoves } from './userMoves';

function start(context: TestContext) {
  editor.reset();
  const folder = mkdtempSync(join(tmpdir(), 'parley-moves-'));
  const moves = new UserMoves(
    () => true,
    () => undefined,
  );
  context.after(() => {
    moves.dispose();
    rmSync(folder, { recursive: true });
  });
  const uri = (name: string) => vscode.Uri.file(join(folder, name));
  const write = (name: string) => writeFileSync(join(folder, name), 'text\n');
  const rename = (from: string, to: string) => {
    const files = [{ oldUri: uri(from), newUri: uri(to) }];
    editor.fire('workspace.onWillRenameFiles', { files });
    renameSync(join(folder, from), join(folder, to));
    editor.fire('workspace.onDidRenameFiles', { files });
  };
  const remove = (name: string) => {
    editor.fire('workspace.onWillDeleteFiles', { files: [uri(name)] });
    rmSync(join(folder, name));
    editor.fire('workspace.onDidDeleteFiles', { files: [uri(name)] });
  };
  const names = (name: string, since: number) =>
    moves.namesSince(uri(name), since).map(({ fsPath }) => fsPath.slice(folder.length + 1));
  const removedAt = (name: string) => moves.removedAt(uri(name).toString());
  return { folder, moves, uri, write, rename, remove, names, removedAt };
}

test('a file has earlier names only in turns before the move', (context) => {
  const { write, rename, names } = start(context);
  write('a');
  rename('a', 'b');
  rename('b', 'c');
  assert.deepEqual(names('c', 0), ['a', 'b', 'c']);
  assert.deepEqual(names('c', Date.now() + 1), ['c']);
});

test('a name that came back after a move is not removed', (context) => {
  const { write, rename, names, removedAt } = start(context);
  write('a');
  rename('a', 'b');
  assert.notEqual(removedAt('a'), undefined);
  rename('b', 'a');
  assert.equal(removedAt('a'), undefined);
  assert.notEqual(removedAt('b'), undefined);
  assert.deepEqual(names('a', 0), ['a', 'b', 'a']);
});

test('whatever comes where the user removed a file came later', (context) => {
  const { write, rename, remove, names } = start(context);
  for (const name of ['moved', 'deleted']) write(name);
  rename('moved', 'now');
  remove('deleted');
  assert.deepEqual([names('moved', 0), names('deleted', 0)], [[], []]);
  assert.deepEqual([names('moved', Date.now() + 1), names('now', 0)], [['moved'], ['moved', 'now']]);
});

test('a moved file has arrived until it is written again', (context) => {
  const { folder, moves, uri, write, rename } = start(context);
  const hasArrived = () => {
    const time = changeTimeNow(join(folder, 'b'));
    return time && moves.hasArrived(uri('b').toString(), time);
  };
  write('a');
  rename('a', 'b');
  assert.equal(hasArrived(), true);
  writeFileSync(join(folder, 'b'), 'another text\n');
  assert.equal(hasArrived(), false);
});
