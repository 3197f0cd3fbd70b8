// Real git, real files, and the review: what an agent changed in a worktree comes into the user's folder, and can be undone exactly.
import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import { editor, Uri } from '../../../test/unit-support/vscode';
import { Bringing } from '../../../test/unit-support/bringing';

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const crlf = (text: string) => text.replaceAll('\n', '\r\n');

test('brings an agent’s changes as changes of its session', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': 'b\n', 'src/c.txt': 'c\n' });
  one.agent('a.txt', seven.replace('seven', 'SEVEN'));
  one.agent('new/d.txt', 'd\n');
  rmSync(join(one.there, 'b.txt'));
  one.repository.write('a.txt', seven.replace('one', 'mine'));
  const brought = await one.bring();
  assert.deepEqual(brought, { written: ['a.txt', 'b.txt', 'new/d.txt'], conflicts: [], skipped: [] });
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'mine').replace('seven', 'SEVEN'));
  assert.equal(one.repository.read('new/d.txt'), 'd\n');
  assert.ok(!one.repository.has('b.txt'));
  assert.deepEqual(one.pending.toSorted(), ['a.txt', 'b.txt', 'new/d.txt']);
  const [notice] = one.notices.values();
  assert.equal(notice?.title, 'Brought the changes in 3 files from “fix”');
  await one.window.undoAll();
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'mine'));
  assert.equal(one.repository.read('b.txt'), 'b\n');
  assert.ok(!one.repository.has('new/d.txt'));
  assert.deepEqual(one.pending, []);
});

test('does not bring what was brought along at the start', needsGit, async (t) => {
  const one = await Bringing.start(
    t,
    { 'a.txt': seven },
    { 'a.txt': seven.replace('one', 'dirty'), 'b.txt': 'mine\n' },
  );
  one.agent('a.txt', seven.replace('one', 'dirty').replace('seven', 'SEVEN'));
  one.repository.write('a.txt', seven);
  rmSync(join(one.repository.folder, 'b.txt'));
  assert.deepEqual((await one.bring()).written, ['a.txt']);
  assert.equal(one.repository.read('a.txt'), seven.replace('seven', 'SEVEN'));
  assert.ok(!one.repository.has('b.txt'));
});

test('brings committed changes, but not ignored files', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', '.gitignore': 'out\n' });
  one.agent('a.txt', 'b\n');
  one.agent('out', 'x\n');
  one.repository.commit('Work', one.there);
  assert.deepEqual((await one.bring()).written, ['a.txt']);
  assert.deepEqual(one.repository.status(), [' M a.txt']);
});

test('changes text that isn’t saved, and leaves it unsaved', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  const document = one.window.documents.open(one.window.path('a.txt'));
  const mine = seven.replace('one', 'typed');
  document.type(mine);
  one.agent('a.txt', seven.replace('seven', 'SEVEN'));
  assert.deepEqual((await one.bring()).written, ['a.txt']);
  assert.equal(document.getText(), mine.replace('seven', 'SEVEN'));
  assert.ok(document.isDirty);
  assert.equal(one.repository.read('a.txt'), seven);
  await one.window.undoAll();
  assert.equal(document.getText(), mine);
  assert.ok(document.isDirty);
  assert.equal(one.repository.read('a.txt'), seven);
});

test('shows both sides of a conflict only on request', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  const mine = seven.replace('one', 'mine');
  one.repository.write('a.txt', mine);
  one.agent('a.txt', seven.replace('one', 'theirs').replace('seven', 'SEVEN'));
  const brought = await one.bring();
  assert.deepEqual(brought, { written: ['a.txt'], conflicts: ['a.txt lines'], skipped: [] });
  assert.equal(one.repository.read('a.txt'), mine.replace('seven', 'SEVEN'));
  const [notice] = one.notices.values();
  assert.equal(notice?.description, 'a.txt: you and the agent changed the same lines. Yours are unchanged.');
  assert.equal(notice.severity, 'warning');
});

test('leaves what only one side deleted', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  rmSync(join(one.repository.folder, 'a.txt'));
  one.agent('a.txt', 'changed\n');
  one.repository.write('b.txt', 'mine\n');
  rmSync(join(one.there, 'b.txt'));
  const brought = await one.bring();
  assert.deepEqual(brought, { written: [], conflicts: ['a.txt deletedHere', 'b.txt deletedThere'], skipped: [] });
  assert.ok(!one.repository.has('a.txt'));
  assert.equal(one.repository.read('b.txt'), 'mine\n');
  assert.deepEqual(one.pending, []);
});

test('follows renames of the agent and of the user', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': `${seven}eight\n`, 'c.txt': `${seven}nine\n` });
  renameSync(join(one.there, 'a.txt'), join(one.there, 'moved.txt'));
  one.repository.write('a.txt', seven.replace('one', 'mine'));
  one.agent('b.txt', `${seven}EIGHT\n`);
  renameSync(join(one.repository.folder, 'b.txt'), join(one.repository.folder, 'here.txt'));
  renameSync(join(one.there, 'c.txt'), join(one.there, 'there.txt'));
  one.agent('there.txt', `${seven}NINE\n`);
  const { written, conflicts } = await one.bring();
  assert.deepEqual(written, ['a.txt', 'c.txt', 'here.txt', 'moved.txt', 'there.txt']);
  assert.deepEqual(conflicts, []);
  assert.equal(one.repository.read('moved.txt'), seven.replace('one', 'mine'));
  assert.equal(one.repository.read('here.txt'), `${seven}EIGHT\n`);
  assert.equal(one.repository.read('there.txt'), `${seven}NINE\n`);
  assert.ok(!one.repository.has('a.txt') && !one.repository.has('b.txt') && !one.repository.has('c.txt'));
  await one.window.undoAll();
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'mine'));
  assert.equal(one.repository.read('c.txt'), `${seven}nine\n`);
  assert.ok(!one.repository.has('moved.txt') && !one.repository.has('there.txt'));
});

test('brings binary files, and leaves those that both sides changed', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.bin': Buffer.from([0, 1]), 'b.bin': Buffer.from([0, 2]) });
  one.agent('a.bin', Buffer.from([0, 255, 3]));
  one.agent('b.bin', Buffer.from([0, 4]));
  one.repository.write('b.bin', Buffer.from([0, 5]));
  const brought = await one.bring();
  assert.deepEqual(brought, { written: ['a.bin'], conflicts: ['b.bin binary'], skipped: [] });
  const bytes = (name: string) => [...readFileSync(one.window.path(name))];
  assert.deepEqual(bytes('a.bin'), [0, 255, 3]);
  assert.deepEqual(bytes('b.bin'), [0, 5]);
  await one.window.undoAll();
  assert.deepEqual(bytes('a.bin'), [0, 1]);
});

test('keeps the user’s line breaks, also mixed ones', needsGit, async (t) => {
  const mixed = 'one\r\ntwo\nthree\r\nfour\nfive\r\nsix\nseven\r\n';
  const one = await Bringing.start(t, { 'a.txt': crlf(seven), 'b.txt': mixed });
  one.agent('a.txt', crlf(seven).replace('seven', 'SEVEN'));
  one.agent('b.txt', mixed.replace('seven', 'SEVEN'));
  one.repository.write('b.txt', mixed.replace('one', 'mine'));
  await one.bring();
  assert.equal(one.repository.read('a.txt'), crlf(seven).replace('seven', 'SEVEN'));
  assert.equal(one.repository.read('b.txt'), mixed.replace('one', 'mine').replace('seven', 'SEVEN'));
  await one.window.undoAll();
  assert.equal(one.repository.read('a.txt'), crlf(seven));
  assert.equal(one.repository.read('b.txt'), mixed.replace('one', 'mine'));
});

test('merges files that git checks out with other line breaks', needsGit, async (t) => {
  const one = await Bringing.start(t, { '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': crlf(seven) });
  one.agent('a.txt', crlf(seven).replace('seven', 'SEVEN'));
  one.repository.write('a.txt', crlf(seven).replace('one', 'mine'));
  await one.bring();
  assert.equal(one.repository.read('a.txt'), crlf(seven).replace('one', 'mine').replace('seven', 'SEVEN'));
});

test('brings permission bits', posixOnly, async (t) => {
  const one = await Bringing.start(t, { 'run.sh': 'true\n' });
  chmodSync(join(one.there, 'run.sh'), 0o755);
  await one.bring();
  assert.equal(statSync(one.window.path('run.sh')).mode & 0o111, 0o111);
  await one.window.undoAll();
  assert.equal(statSync(one.window.path('run.sh')).mode & 0o111, 0);
});

test('brings links that stay in the repository, and no others', posixOnly, async (t) => {
  const one = await Bringing.start(t, { 'src/a.txt': 'a\n' });
  symlinkSync('a.txt', join(one.there, 'src/link'));
  symlinkSync('../../secret', join(one.there, 'src/out'));
  symlinkSync('/etc/passwd', join(one.there, 'root'));
  const brought = await one.bring();
  assert.deepEqual(brought, { written: ['src/link'], conflicts: [], skipped: ['root outside', 'src/out outside'] });
  assert.equal(readlinkSync(one.window.path('src/link')), 'a.txt');
});

test('brings no link that leads out through another link', posixOnly, async (t) => {
  const one = await Bringing.start(t, { 'src/a.txt': 'a\n' });
  symlinkSync('../not there yet', one.window.path('deps'));
  mkdirSync(join(one.repository.around, 'elsewhere'));
  symlinkSync('../elsewhere', one.window.path('there'));
  symlinkSync('../there/secret', join(one.there, 'src/existing'));
  symlinkSync('../deps/secret', join(one.there, 'src/through'));
  symlinkSync('../deps/../a.txt', join(one.there, 'src/back'));
  assert.deepEqual(await one.bring(), {
    written: [],
    conflicts: [],
    skipped: ['src/back outside', 'src/existing outside', 'src/through outside'],
  });
});

test('asks about links to files that can run programs', posixOnly, async (t) => {
  const one = await Bringing.start(t, { 'src/a.txt': 'a\n' });
  symlinkSync('../.git/config', join(one.there, 'src/link'));
  assert.deepEqual((await one.bring()).written, []);
  assert.match(editor.shown[0]?.message ?? '', /^Change src\/link \(a link to \.git\/config\)\?/);
  editor.answers.push('Bring Changes');
  assert.deepEqual((await one.bring()).written, ['src/link']);
});

test('decides in the worktree what was brought whole', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': seven, 'c.txt': seven, 'd.txt': seven });
  const { log } = one.window.review;
  const there = (name: string) => Uri.file(join(one.there, name)).toString();
  const author = { kind: 'agent', agentName: 'Fixer', session: one.session.key, turn: 1 } as const;
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) {
    const text =
      name === 'c.txt' ? seven.replace('one', 'ONE').replace('seven', 'SEVEN') : seven.replace('four', 'FOUR');
    one.agent(name, text);
    log.track(there(name), { kind: 'text', text: seven });
    log.agentEdit(there(name), { kind: 'text', text }, author);
  }
  one.repository.write('b.txt', seven.replace('four', 'mine'));
  one.repository.write('d.txt', seven.replace('four', 'FOUR'));
  await one.bring({
    files: [{ path: 'a.txt' }, { path: 'b.txt' }, { path: 'c.txt', hunks: new Set([1]) }, { path: 'd.txt' }],
  });
  assert.deepEqual(
    log.pending.filter((uri) => uri.startsWith(there(''))),
    // A conflict and a change that stayed there are open.
    ['b.txt', 'c.txt'].map(there),
  );
  assert.equal(readFileSync(join(one.there, 'a.txt'), 'utf8'), seven.replace('four', 'FOUR'));
});

test('never writes through a folder that is a link here', posixOnly, async (t) => {
  const one = await Bringing.start(t, { 'src/a.txt': 'a\n' });
  one.agent('src/a.txt', 'agent\n');
  rmSync(join(one.repository.folder, 'src'), { recursive: true });
  mkdirSync(join(one.repository.around, 'elsewhere'));
  one.repository.write('a.txt', 'a\n', join(one.repository.around, 'elsewhere'));
  symlinkSync(join(one.repository.around, 'elsewhere'), join(one.repository.folder, 'src'));
  const { written, skipped } = await one.bring();
  assert.deepEqual(written, []);
  assert.equal(skipped.length, 1);
  assert.equal(one.repository.read('a.txt', join(one.repository.around, 'elsewhere')), 'a\n');
});

test('leaves a folder that is in a file’s place', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  one.agent('b', 'agent\n');
  one.repository.write('b/mine.txt', 'mine\n');
  assert.deepEqual(await one.bring(), { written: [], conflicts: ['b place'], skipped: [] });
  assert.ok(lstatSync(one.window.path('b')).isDirectory());
});

test('asks before it brings files that can run programs', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  one.agent('.vscode/tasks.json', '{}\n');
  one.agent('a.txt', 'b\n');
  assert.deepEqual((await one.bring()).written, []);
  assert.match(editor.shown[0]?.message ?? '', /^Change \.vscode\/tasks\.json\?/);
  assert.equal(one.repository.read('a.txt'), 'a\n');
  editor.answers.push('Bring Changes');
  assert.deepEqual((await one.bring()).written, ['.vscode/tasks.json', 'a.txt']);
});

test('undoes everything that was brought, from its notice', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': 'b\n' });
  const mine = seven.replace('one', 'mine');
  one.repository.write('a.txt', mine);
  one.agent('a.txt', seven.replace('seven', 'SEVEN'));
  one.agent('new.txt', 'new\n');
  rmSync(join(one.there, 'b.txt'));
  await one.bring();
  await one.undoBringing();
  assert.equal(one.repository.read('a.txt'), mine);
  assert.equal(one.repository.read('b.txt'), 'b\n');
  assert.ok(!one.repository.has('new.txt'));
  assert.deepEqual(one.pending, []);
  assert.deepEqual(
    [...one.notices.values()].map(({ title, restore }) => [title, restore]),
    [['Undid the changes in 3 files', 'over']],
  );
});

test('takes chosen changes of one file, one after another', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': 'b\n' });
  one.agent('a.txt', seven.replace('one', 'ONE').replace('seven', 'SEVEN'));
  one.agent('b.txt', 'agent\n');
  await one.bring({ files: [{ path: 'a.txt', hunks: new Set([1]) }] });
  assert.equal(one.repository.read('a.txt'), seven.replace('seven', 'SEVEN'));
  await one.bring({ files: [{ path: 'a.txt', hunks: new Set([0]) }] });
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'ONE').replace('seven', 'SEVEN'));
  assert.equal(one.repository.read('b.txt'), 'b\n');
});

test('says which folder to open if the repository isn’t open', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  editor.folders = [one.repository.around + '-other'];
  await assert.rejects(one.bring(), (error) => {
    assert.ok(error instanceof WorktreeProblem);
    assert.match(error.message, /^No folder of this repository is open here\. Open .+shop and try again\.$/);
    return true;
  });
});
