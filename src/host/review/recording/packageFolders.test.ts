// Package folders that an agent installs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { needsGit } from '../../../../test/unit-support/platform';
import { reviewFolder, type ReviewWindow } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { clockSlackMs } from '../moves/noticed';

beforeEach(() => editor.reset());

function install(window: ReviewWindow, count: number): void {
  for (let at = 0; at < count; at++) {
    const path = window.path(`node_modules/p${at}/index.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${at}\n`);
  }
}

function start(context: TestContext, rules?: string) {
  const folder = reviewFolder(context, {
    'package.json': '{}\n',
    ...(rules === undefined ? {} : { '.gitignore': rules }),
  });
  if (rules !== undefined) {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: `${folder.root}/project` });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'start');
  }
  return folder.open();
}

const places = [
  ['a folder', undefined],
  ['a repository', ''],
  ['a repository that ignores it', 'node_modules/\n'],
] as const;

for (const [where, rules] of places) {
  for (const count of [3, 700])
    test(`${count} installed packages are undone in ${where}`, needsGit, async (context) => {
      const window = start(context, rules);
      const session = window.session();
      await window.begin(session);
      install(window, count);
      await window.end(session);
      assert.deepEqual(
        window.listed(session).map(({ path, status }) => [path, status]),
        [['node_modules', 'created']],
      );
      await window.undoAll();
      assert.deepEqual([existsSync(window.path('node_modules')), window.listed(session)], [false, []]);
    });
}

for (const [where, rules] of places)
  test(`packages from before stay in ${where}`, needsGit, async (context) => {
    const window = start(context, rules);
    mkdirSync(window.path('node_modules/mine'), { recursive: true });
    writeFileSync(window.path('node_modules/mine/index.js'), 'mine\n');
    const session = window.session();
    await window.begin(session);
    install(window, 3);
    await window.end(session);
    await window.undoAll();
    assert.equal(readFileSync(window.path('node_modules/mine/index.js'), 'utf8'), 'mine\n');
    assert.deepEqual(window.errors, []);
  });

test('an ignored folder is undone although the next turn began at once', needsGit, async (context) => {
  const window = start(context, 'ignored/\n');
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('ignored'));
  writeFileSync(window.path('ignored/a.txt'), 'new\n');
  session.end();
  await window.begin(session);
  await window.end(session);
  await window.undoAll();
  assert.deepEqual([existsSync(window.path('ignored')), window.listed(session)], [false, []]);
});

test('a new ignored folder that the next turn finds is listed once', needsGit, async (context) => {
  const window = start(context, 'ignored/\n');
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('ignored'));
  writeFileSync(window.path('ignored/a.txt'), 'new\n');
  session.end();
  session.begin();
  const [, next] = window.review.turns.current;
  assert.ok(next);
  // Within one tick of the file system’s clock.
  Object.assign(next, { startedAt: statSync(window.path('ignored/a.txt')).ctimeMs + 1 });
  await window.look('ignored/a.txt');
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, status }) => [path, status]),
    [['ignored', 'created']],
  );
});

test('an ignored folder with a user’s file is undone after a question', needsGit, async (context) => {
  const window = start(context, 'ignored/\n');
  const session = window.session();
  await window.begin(session);
  mkdirSync(window.path('ignored'));
  writeFileSync(window.path('ignored/a.txt'), 'agent\n');
  await window.end(session);
  editor.answers.push('Undo');
  for (const turn of window.review.turns.current) if (turn.endedAt !== undefined) turn.endedAt -= 2 * clockSlackMs;
  writeFileSync(window.path('ignored/a.txt'), 'agent\nuser\n');
  await window.undoAll();
  assert.match(editor.shown[0]?.message ?? '', /Undoing these changes also removes your lines in them/);
  assert.deepEqual([existsSync(window.path('ignored')), window.listed(session)], [false, []]);
});

for (const above of ['.git', 'node_modules/.store/node_modules'])
  test(`changes are listed at once in a workspace below ${above}`, async (context) => {
    const { root, open } = reviewFolder(context, {});
    mkdirSync(join(root, above, 'mine'), { recursive: true });
    const window = open(undefined, `${above}/mine`);
    const session = window.session();
    await window.begin(session);
    for (const name of ['new.txt', '.git/index', 'node_modules/p/index.js']) {
      mkdirSync(dirname(window.path(name)), { recursive: true });
      writeFileSync(window.path(name), 'new\n');
      await window.look(name);
    }
    assert.deepEqual(
      window.listed(session).map(({ path }) => path),
      ['new.txt'],
    );
    await window.end(session);
    assert.deepEqual(
      window.listed(session).map(({ path }) => path),
      ['new.txt', 'node_modules'],
    );
  });
