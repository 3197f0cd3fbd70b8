// Files that an agent renamed in a turn, and that it or the user moves again.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';

const before = 'one\ntwo\nthree\n';

beforeEach(() => editor.reset());

test('lists a renamed file that was removed before anything reported it', async (context) => {
  const window = reviewFolder(context, { 'a.txt': before }).open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('moved.txt'));
  await window.look('a.txt');
  await window.look('moved.txt');
  rmSync(window.path('moved.txt'));
  await window.end(session);
  const file = window.review.log.file(window.uri('moved.txt').toString());
  assert.deepEqual([file?.status?.kind, file?.current.kind], ['deleted', 'absent']);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
});

test('lists a renamed file that the agent removes after the user’s move', async (context) => {
  const window = reviewFolder(context, { 'a.txt': before }).open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('agent.txt'));
  await window.look('a.txt');
  await window.look('agent.txt');
  const files = [{ oldUri: window.uri('agent.txt'), newUri: window.uri('mine.txt') }];
  editor.fire('workspace.onWillRenameFiles', { files });
  renameSync(window.path('agent.txt'), window.path('mine.txt'));
  editor.fire('workspace.onDidRenameFiles', { files });
  rmSync(window.path('mine.txt'));
  await window.end(session);
  const file = window.review.log.file(window.uri('mine.txt').toString());
  assert.deepEqual([file?.status?.kind, file?.current.kind], ['deleted', 'absent']);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
});

test('an agent’s rename is undone after the user’s own rename', async (context) => {
  const window = reviewFolder(context, { 'a.txt': before }).open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('agent.txt'));
  await window.end(session);
  const files = [{ oldUri: window.uri('agent.txt'), newUri: window.uri('mine.txt') }];
  editor.fire('workspace.onWillRenameFiles', { files });
  renameSync(window.path('agent.txt'), window.path('mine.txt'));
  editor.fire('workspace.onDidRenameFiles', { files });
  const [listed] = window.listed(session);
  assert.deepEqual([listed?.path, listed?.from], ['mine.txt', 'a.txt']);
  await window.undoAll();
  assert.deepEqual([existsSync(window.path('a.txt')), existsSync(window.path('mine.txt'))], [true, false]);
});

test('a file that the user saved and moved stays theirs', async (context) => {
  const window = reviewFolder(context, { 'a.txt': before }).open();
  const session = window.session();
  await window.begin(session);
  const saved = 'one\nmine\ntwo\nthree\n';
  const document = window.documents.open(window.path('a.txt'));
  document.type(saved);
  await document.save();
  await window.look('a.txt');
  const files = [{ oldUri: window.uri('a.txt'), newUri: window.uri('mine.txt') }];
  editor.fire('workspace.onWillRenameFiles', { files });
  renameSync(window.path('a.txt'), window.path('mine.txt'));
  // The editor opens the file in its new place before it announces the move as done.
  window.documents.open(window.path('mine.txt'));
  editor.fire('workspace.onDidRenameFiles', { files });
  renameSync(window.path('mine.txt'), window.path('agent.txt'));
  await window.end(session);
  await window.undoAll();
  const left = ['a.txt', 'mine.txt', 'agent.txt'].filter((name) => existsSync(window.path(name)));
  assert.deepEqual(
    left.map((name) => [name, readFileSync(window.path(name), 'utf8')]),
    [['mine.txt', saved]],
  );
});

test('a folder that the user moved is not the agent’s', async (context) => {
  const folder = reviewFolder(context, {});
  mkdirSync(`${folder.root}/project/src`);
  writeFileSync(`${folder.root}/project/src/a.txt`, before);
  const window = folder.open();
  const session = window.session();
  await window.begin(session);
  const files = [{ oldUri: window.uri('src'), newUri: window.uri('mine') }];
  editor.fire('workspace.onWillRenameFiles', { files });
  renameSync(window.path('src'), window.path('mine'));
  editor.fire('workspace.onDidRenameFiles', { files });
  mkdirSync(window.path('src'));
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, status }) => [path, status]),
    [['src', 'created']],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('mine/a.txt'), 'utf8'), before);
});
