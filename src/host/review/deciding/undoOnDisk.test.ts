// Undo where files have more than a name and a text: other names, permission bits, line breaks, and the user's own lines.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, test } from 'node:test';
import { join } from 'node:path';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { newDraftName } from '../../workspaceFiles/ownDrafts';

const before = 'one\ntwo\nthree\n';
const isPosix = process.platform !== 'win32';

/** What the user was told, besides what is always said. */
const complaints = () =>
  editor.shown.flatMap(({ message }) => (message.startsWith('Undid the changes') ? [] : [message]));

beforeEach(() => editor.reset());

const files = { 'a.txt': before, 'b.txt': before };

test('an undo after a reload restores the line breaks', async (context) => {
  const { open } = reviewFolder(context, files);
  const first = open();
  const lines = before.replaceAll('\n', '\r\n');
  writeFileSync(first.path('a.txt'), lines);
  const session = first.session();
  await first.begin(session);
  writeFileSync(first.path('a.txt'), 'one\nagent\nthree\n');
  await first.end(session);
  await first.close();
  const second = open();
  second.documents.open(second.path('a.txt'));
  await second.begin(second.session('Other'));
  assert.deepEqual(second.review.log.pending, [second.uri('a.txt').toString()]);
  await second.undoAll();
  assert.equal(readFileSync(second.path('a.txt'), 'utf8'), lines);
});

test('copies a closed file before an undo removes the user’s lines', async (context) => {
  const { root, open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nagent and mine\nthree\n');
  await document.save();
  await window.look('a.txt');
  document.close();
  editor.answers.push('Undo');
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  const [copy = ''] = readdirSync(join(root, 'storage', 'removed'));
  assert.equal(readFileSync(join(root, 'storage', 'removed', copy, 'a.txt'), 'utf8'), 'one\nagent and mine\nthree\n');
  assert.ok(editor.shown.some(({ message }) => message.startsWith('A copy of the file with your lines')));
});

test('both names of a file are undone', { skip: !isPosix }, async (context) => {
  const { root, open } = reviewFolder(context, files);
  linkSync(join(root, 'project', 'a.txt'), join(root, 'project', 'other.txt'));
  const window = open();
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path }) => path),
    ['a.txt', 'other.txt'],
  );
  await window.undoAll();
  assert.deepEqual(complaints(), []);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.equal(statSync(window.path('other.txt')).ino, statSync(window.path('a.txt')).ino);
  assert.deepEqual(window.listed(session), []);
});

test('joins both names of a file that the agent separated', { skip: !isPosix }, async (context) => {
  const { root, open } = reviewFolder(context, files);
  linkSync(join(root, 'project', 'a.txt'), join(root, 'project', 'other.txt'));
  const window = open();
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('draft'), 'one\nagent\nthree\n');
  renameSync(window.path('draft'), window.path('a.txt'));
  await window.end(session);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.equal(readFileSync(window.path('other.txt'), 'utf8'), before);
});

test('unsaved text under another name of a file is the user’s', { skip: !isPosix }, async (context) => {
  const { root, open } = reviewFolder(context, files);
  symlinkSync('a.txt', join(root, 'project', 'link.txt'));
  const window = open();
  const session = window.session();
  const document = window.documents.open(window.path('link.txt'));
  document.type('mine\none\ntwo\nthree\n');
  await window.begin(session);
  const { review } = window;
  const author = { session: session.key, agentName: 'Told', cwd: window.folder } as never;
  await review.writing(author, window.uri('a.txt'), async () => {
    document.type('mine\none\nagent\nthree\n');
    await document.save();
  });
  await window.end(session);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'mine\none\ntwo\nthree\n');
  assert.equal(document.getText(), 'mine\none\ntwo\nthree\n');
});

test('undoes only the write under unsaved text in another name', { skip: !isPosix }, async (context) => {
  const { root, open } = reviewFolder(context, files);
  symlinkSync('a.txt', join(root, 'project', 'link.txt'));
  const window = open();
  const session = window.session();
  const document = window.documents.open(window.path('link.txt'));
  document.type('mine\none\ntwo\nthree\n');
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, isUnderUnsaved }) => [path, isUnderUnsaved]),
    [['a.txt', true]],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.equal(document.getText(), 'mine\none\ntwo\nthree\n');
});

test('an undo leaves a new folder that has the user’s files', async (context) => {
  const { open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('new'));
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path }) => path),
    ['new'],
  );
  writeFileSync(window.path('new/mine.txt'), 'mine\n');
  await window.undoAll();
  assert.deepEqual(complaints(), []);
  assert.deepEqual(window.listed(session), []);
  assert.equal(readFileSync(window.path('new/mine.txt'), 'utf8'), 'mine\n');
});

test('an undo keeps the new name if the old one is used', async (context) => {
  const { open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('c.txt'));
  writeFileSync(window.path('c.txt'), `${before}agent\n`);
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path }) => path),
    ['c.txt'],
  );
  writeFileSync(window.path('a.txt'), 'mine\n');
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'mine\n');
  assert.equal(readFileSync(window.path('c.txt'), 'utf8'), before);
  assert.deepEqual(complaints(), ['c.txt keeps its new name, because the old name is in use again.']);
  assert.deepEqual(window.listed(session), []);
});

test('an undo restores line breaks of an open, kept text', async (context) => {
  const { open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  const kept = 'one\nagent\nthree\n';
  await window.begin(session);
  writeFileSync(window.path('a.txt'), kept);
  await window.end(session);
  window.review.log.keepAll();
  window.documents.open(window.path('a.txt'));
  await window.begin(session);
  writeFileSync(window.path('a.txt'), kept.replaceAll('\n', '\r\n'));
  await window.end(session);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), kept);
  assert.deepEqual(complaints(), []);
  assert.deepEqual(window.listed(session), []);
});

for (const place of ['a repository', 'a plain folder']) {
  test(`in ${place}, changed permissions are listed and undone`, { skip: !isPosix }, async (context) => {
    const modes = { 'a.txt': 0o600, 'b.txt': 0o640, 'c.txt': 0o444 };
    const { root, open } = reviewFolder(context, { ...files, 'c.txt': before });
    const project = join(root, 'project');
    chmodSync(join(project, 'a.txt'), 0o640);
    if (place === 'a repository') commitAll(project);
    const window = open();
    const session = window.session();
    await window.begin(session);
    const old = Object.keys(modes).map((name) => statSync(window.path(name)).mode);
    // Git compares times by the second, and the file system's clock lags behind.
    const next = (Math.floor(Date.now() / 1000) + 1) * 1000 + 100;
    while (Date.now() < next) await new Promise((resolve) => setImmediate(resolve));
    for (const [name, mode] of Object.entries(modes)) chmodSync(window.path(name), mode);
    await window.end(session);
    assert.deepEqual(
      window.listed(session).map(({ path }) => path),
      Object.keys(modes),
    );
    await window.undoAll();
    assert.deepEqual(
      Object.keys(modes).map((name) => statSync(window.path(name)).mode),
      old,
    );
  });
}

for (const place of ['a repository', 'a plain folder']) {
  test(`in ${place}, a file whose name isn’t UTF-8 is listed without undo`, { skip: !isPosix }, async (context) => {
    const { root, open } = reviewFolder(context, files);
    const strange = Buffer.concat([Buffer.from(join(root, 'project', 'caf')), Buffer.from([0xe9])]);
    const untracked = Buffer.concat([Buffer.from(join(root, 'project', 'th')), Buffer.from([0xe9])]);
    writeFileSync(strange, before);
    if (place === 'a repository') commitAll(join(root, 'project'));
    writeFileSync(untracked, before);
    for (const path of [strange, untracked]) utimesSync(path, 1_000_000, 1_000_000);
    const window = open();
    const session = window.session();
    await window.begin(session);
    for (const path of [strange, untracked]) writeFileSync(path, 'of the agent\n');
    await window.end(session);
    assert.deepEqual(
      window.listed(session).map(({ path, unread }) => [path, unread]),
      [
        ['caf\uFFFD', 'unreadable'],
        ['th\uFFFD', 'unreadable'],
      ],
    );
    await window.undoAll();
    assert.equal(readFileSync(strange, 'utf8'), 'of the agent\n');
    assert.deepEqual(readdirSync(join(root, 'project')).filter((name) => name.startsWith('caf')).length, 1);
  });
}

function commitAll(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
}

test('Parley’s own draft is neither a new file nor a renamed one', async (context) => {
  const { open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  const [early, late] = [newDraftName('b.txt'), newDraftName('b.txt')];
  writeFileSync(window.path(early), before);
  await window.begin(session);
  rmSync(window.path(early));
  rmSync(window.path('a.txt'));
  // An undo of an earlier change is being written as the turn ends.
  writeFileSync(window.path(late), before);
  await window.end(session);
  assert.deepEqual(window.review.log.pending, [window.uri('a.txt').toString()]);
  rmSync(window.path(late));
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
});

test('an undo restores a renamed file that is gone without an event', async (context) => {
  const { open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  await window.begin(session);
  renameSync(window.path('a.txt'), window.path('moved.txt'));
  await window.end(session);
  rmSync(window.path('moved.txt'));
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.deepEqual(window.review.log.pending, []);
});

test('an undo that met an unreported change succeeds when repeated', async (context) => {
  const { open } = reviewFolder(context, files);
  const window = open();
  const session = window.session();
  await window.begin(session);
  rmSync(window.path('a.txt'));
  writeFileSync(window.path('new.txt'), 'new\n');
  await window.end(session);
  const later = 'written later\n';
  writeFileSync(window.path('new.txt'), later);
  utimesSync(window.path('new.txt'), new Date(), new Date());
  await window.undoAll();
  assert.equal(readFileSync(window.path('new.txt'), 'utf8'), later);
  await window.undoAll();
  assert.deepEqual(window.review.log.pending, []);
});
