import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { StartingRepository, waysIn, type WayIn } from '../../../test/unit-support/startingRepository';
import { editor } from '../../../test/unit-support/vscode';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { KnownPrograms } from '../../git/knownPrograms';
import { heldPlaces } from '../../sandbox/places/heldPlaces';
import type { Session } from '../../session/session';
import type { Sandbox } from '../../shared/limits/sandbox';
import { NewRepositories } from './newRepositories';
import { programMemory } from './programMemory';

/** A session whose sandbox holds what is in a folder now, and what it's told. */
async function working(context: TestContext, folder: string, mode: 'files' | 'ownCopy' = 'files') {
  const known = new KnownPrograms(programMemory(tempFolder(context)));
  await known.begin(folder);
  const notices: string[] = [];
  const told: string[] = [];
  let ended = 0;
  const session = {
    key: 's1',
    isClosed: false,
    addNotice: ({ title, description }: { title: string; description: string }) =>
      notices.push(`${title}. ${description}`),
    tellAgent: (note: string) => told.push(note),
  } as unknown as Session;
  const policy = { mode, folders: [folder], readOnly: heldPlaces(folder).readOnly };
  const repositories = new NewRepositories({
    pool: {
      sessions: [session],
      sandboxOf: () => ({ policy }) as unknown as Sandbox,
      endProcess: () => (ended += 1),
    },
    known,
    report: () => undefined,
  });
  context.after(() => repositories.dispose());
  const isSetAside = (at: string) => !existsSync(join(at, '.git')) && existsSync(join(at, '.git-set-aside', '1'));
  return { repositories, notices, told, isSetAside, ended: () => ended };
}

const later: readonly (readonly [WayIn, string])[] = [
  ['a nested repository', 'sub/.git/config'],
  ['a new repository', '.git/config'],
  ['a file that leads to a repository', 'sub/.git'],
  ["a worktree's shared settings", '.git/worktrees/sub/commondir'],
];

for (const [way, path] of later) {
  test(`sets aside ${way} that appears while an agent works`, { ...needsGit, ...posixOnly }, async (t) => {
    assert.ok(waysIn.includes(way));
    const repository = new StartingRepository(t, way);
    const { folder, inner } = repository;
    // What the agent makes isn't there at first.
    const parts = way === 'a new repository' ? ['.git'] : ['sub'];
    const hidden = tempFolder(t);
    for (const name of parts) renameSync(join(folder, name), join(hidden, name));
    const { repositories, notices, told, isSetAside } = await working(t, folder);
    for (const name of parts) renameSync(join(hidden, name), join(folder, name));
    await repositories.look(join(folder, path));
    assert.ok(isSetAside(inner), readdirSync(inner).join(' '));
    assert.equal(notices.length, 1);
    assert.match(told.join(), /was set aside as \.git-set-aside\/1, because Git would start .* Don't bring it back/);
    repository.started();
    try {
      repository.git(inner, 'status');
    } catch {
      // There is no repository.
    }
    assert.equal(repository.started(), '');
  });
}

test('leaves repositories that start nothing, and those that were there', needsGit, async (t) => {
  const { folder, git } = plainRepository(t, 'old');
  git('-C', 'old', 'config', 'core.fsmonitor', './x.sh');
  git('commit', '--quiet', '--allow-empty', '-m', 'First');
  const { repositories, notices } = await working(t, folder);
  git('init', '--quiet', 'new');
  git('worktree', 'add', '--quiet', '--detach', 'tree');
  for (const path of [
    'old/.git/config',
    'new/.git/config',
    'tree/.git',
    '.git/worktrees/tree/commondir',
    '.git/config',
  ])
    await repositories.look(join(folder, path));
  assert.deepEqual(notices, []);
  for (const name of ['old', 'new', 'tree']) assert.ok(existsSync(join(folder, name, '.git')));
});

test('leaves what appears in a copy of its own', needsGit, async (t) => {
  const { folder, git } = plainRepository(t);
  const { repositories, notices } = await working(t, folder, 'ownCopy');
  git('init', '--quiet', 'sub');
  git('-C', 'sub', 'config', 'core.fsmonitor', './x.sh');
  await repositories.look(join(folder, 'sub/.git/config'));
  assert.deepEqual(notices, []);
});

test('puts a repository back that the user wants, and leaves it there', needsGit, async (t) => {
  const { folder, git } = plainRepository(t);
  const { repositories, notices } = await working(t, folder);
  git('init', '--quiet', 'sub');
  git('-C', 'sub', 'config', 'core.fsmonitor', './x.sh');
  const changes = watch(join(folder, 'sub'));
  editor.answers.push('Put Back');
  await repositories.look(join(folder, 'sub'));
  for await (const { filename } of changes) if (filename === '.git' && existsSync(join(folder, 'sub/.git'))) break;
  await repositories.look(join(folder, 'sub/.git/config'));
  assert.ok(existsSync(join(folder, 'sub/.git/HEAD')));
  assert.equal(notices.length, 1);
});

test('ends an agent that brings its repository back', needsGit, async (t) => {
  const { folder, git } = plainRepository(t);
  const { repositories, notices, ended } = await working(t, folder);
  for (let times = 1; times <= 3; times += 1) {
    git('init', '--quiet', 'sub');
    git('-C', 'sub', 'config', 'core.fsmonitor', './x.sh');
    assert.equal(ended(), 0);
    await repositories.look(join(folder, 'sub'));
    assert.equal(notices.length, times);
  }
  assert.equal(ended(), 1);
  assert.deepEqual(readdirSync(join(folder, 'sub', '.git-set-aside')), ['.gitignore', '1', '2', '3']);
});

test('ends an agent that puts a link in the way', { ...needsGit, ...posixOnly }, async (t) => {
  const { folder, git } = plainRepository(t);
  const { repositories, notices, ended } = await working(t, folder);
  const outside = tempFolder(t);
  git('init', '--quiet', 'sub');
  git('-C', 'sub', 'config', 'core.fsmonitor', './x.sh');
  symlinkSync(outside, join(folder, 'sub', '.git-set-aside'));
  await repositories.look(join(folder, 'sub'));
  assert.equal(ended(), 1);
  assert.match(notices.join(), /Couldn’t set aside/);
  assert.deepEqual(readdirSync(outside), []);
});

function plainRepository(context: TestContext, inner?: string) {
  const repository = new StartingRepository(context, 'a new repository');
  const folder = join(repository.folder, 'plain');
  mkdirSync(folder);
  const git = (...args: readonly string[]) => repository.git(folder, ...args);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  if (inner !== undefined) git('init', '--quiet', inner);
  return { folder, git };
}
