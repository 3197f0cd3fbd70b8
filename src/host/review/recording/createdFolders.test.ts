// Folders that an agent made, and that an undo leaves empty.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';

beforeEach(() => editor.reset());

test('an undo after a reload removes the folders that it empties', async (context) => {
  const folder = reviewFolder(context, { 'a.txt': 'one\n' });
  const window = folder.open();
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('new/deep'), { recursive: true });
  writeFileSync(window.path('new/deep/b.txt'), 'agent\n');
  await window.end(session);
  await window.close();
  const later = folder.open();
  await later.review['loaded'];
  await later.undoAll();
  assert.deepEqual(readdirSync(later.folder), ['a.txt']);
});

test('an undo of a moved folder leaves no folder behind', async (context) => {
  const folder = reviewFolder(context, {});
  mkdirSync(`${folder.root}/project/in`);
  writeFileSync(`${folder.root}/project/in/a.txt`, 'one\ntwo\nthree\n');
  const window = folder.open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('in'), window.path('moved'));
  mkdirSync(window.path('in'));
  writeFileSync(window.path('in/b.txt'), 'agent\n');
  await window.end(session);
  await window.undoAll();
  assert.deepEqual([readdirSync(window.folder), readdirSync(window.path('in'))], [['in'], ['a.txt']]);
});

test('a moved folder that the agent emptied is listed and undone', async (context) => {
  const folder = reviewFolder(context, {});
  mkdirSync(`${folder.root}/project/in`);
  writeFileSync(`${folder.root}/project/in/a.txt`, 'one\n');
  const window = folder.open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('in'), window.path('moved'));
  rmSync(window.path('moved/a.txt'));
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, status }) => [path, status]),
    [
      ['in/a.txt', 'deleted'],
      ['moved', 'created'],
    ],
  );
  await window.undoAll();
  assert.deepEqual([existsSync(window.path('moved')), existsSync(window.path('in/a.txt'))], [false, true]);
});

test('a new folder that a later turn empties is listed and undone', async (context) => {
  const window = reviewFolder(context, {}).open();
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('new/deep'), { recursive: true });
  writeFileSync(window.path('new/deep/b.txt'), 'agent\n');
  await window.end(session);
  await window.begin(session);
  rmSync(window.path('new/deep'), { recursive: true });
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, status }) => [path, status]),
    [['new', 'created']],
  );
  await window.undoAll();
  assert.deepEqual(readdirSync(window.folder), []);
});

test('an undo of renamed files that are gone leaves no folder behind', async (context) => {
  const texts = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'four\nfive\nsix\n' };
  const window = reviewFolder(context, texts).open();
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('new/deep'), { recursive: true });
  for (const name of ['a.txt', 'b.txt']) renameSync(window.path(name), window.path(`new/deep/${name}`));
  await window.end(session);
  await window.begin(session);
  rmSync(window.path('new'), { recursive: true });
  await window.end(session);
  await window.undoAll();
  assert.deepEqual(readdirSync(window.folder), ['a.txt', 'b.txt']);
});

test('an undo after discarded text leaves no folder behind', async (context) => {
  const window = reviewFolder(context, { 'a.txt': 'one\n' }).open();
  const session = window.session();
  editor.answers.push('Undo');
  await window.begin(session);
  mkdirSync(window.path('new'));
  writeFileSync(window.path('new/b.txt'), '');
  const document = window.documents.open(window.path('new/b.txt'));
  document.type('mine\n');
  writeFileSync(window.path('new/b.txt'), 'agent\n');
  await window.look('new/b.txt');
  await window.end(session);
  document.revert();
  await window.look('new/b.txt');
  await window.undoAll();
  assert.deepEqual(readdirSync(window.folder), ['a.txt']);
});

test('an empty folder where git’s files are missing is listed and undone', async (context) => {
  const folder = reviewFolder(context, { 'a.txt': 'one\n', '.gitignore': '' });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: `${folder.root}/project`, stdio: 'pipe' });
  mkdirSync(`${folder.root}/project/src`);
  writeFileSync(`${folder.root}/project/src/c.txt`, 'one\n');
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'start');
  renameSync(`${folder.root}/project/src`, `${folder.root}/project/mine`);
  const window = folder.open();
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('src'));
  renameSync(window.path('a.txt'), window.path('src/a.txt'));
  renameSync(window.path('src/a.txt'), window.path('a.txt'));
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, status }) => [path, status]),
    [['src', 'created']],
  );
  await window.undoAll();
  assert.equal(existsSync(window.path('src')), false);
});
