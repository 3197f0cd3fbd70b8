// Tries are started with real git. The test plays the user and the agents.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { mementoOf } from '../../../test/unit-support/memento';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, window } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { copyAround, keepCopiesIn } from '../../git/copyPlaces';
import type { NoticeText } from '../../session/session';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import type { TryGroup } from '../../tries/tryGroup';
import { tryWith, type TryWithServices } from './tryWith';

type Items = readonly { readonly label: string; readonly description?: string; readonly picked?: boolean }[];

/** A window on a repository with files that Git ignores, and the agents Ada and Bob. */
function here(t: TestContext, selected: readonly string[] | undefined, sandbox: SandboxMode = 'off') {
  editor.reset();
  const repository = new GitRepository(t);
  repository.write('a.txt', 'a\n');
  repository.write('.gitignore', '.env*\n*.log\n');
  repository.commit();
  for (const path of ['.env', 'web/.env.local', 'x.log']) repository.write(path, `${path}\n`);
  repository.write('a.txt', 'mine\n');
  editor.folders = [repository.folder];
  // The command that checks each try.
  editor.answers.push('');
  const asked: Items[] = [];
  const labels = ['Ada', 'Bob', 'Start 2 tries'];
  const show = (items: Items, { canPickMany }: { readonly canPickMany?: boolean }) => {
    if (!canPickMany) return Promise.resolve(items.find(({ label }) => label === labels[0] && labels.shift()));
    asked.push(items);
    return Promise.resolve(selected && items.filter(({ label }) => selected.includes(label)));
  };
  t.mock.method(window as unknown as Record<'showQuickPick', typeof show>, 'showQuickPick', show);

  const groups: TryGroup[] = [];
  const sent: string[] = [];
  const notices: NoticeText[] = [];
  const held: (SandboxMode | undefined)[] = [];
  const pool = {
    sandboxFor: () => sandbox,
    createSession: ({ spec, cwd, ...more }: { spec: AgentSpec; cwd: string; sandbox?: SandboxMode }) => {
      held.push(more.sandbox);
      return {
        key: spec.id,
        transcript: { view: { cwd } },
        addNotice: (notice: NoticeText) => void notices.push(notice),
        sendPrompt: (text: string) => void sent.push(`${spec.name}: ${text}`),
      };
    },
  };
  const agents = ['Ada', 'Bob'].map((name) => ({ id: name, name }));
  const services = {
    pool,
    catalog: { all: agents, presets: [], find: (id: string) => agents.find((one) => one.id === id) },
    scratch: { has: () => false },
    settings: settingsWith({}),
    store: { put: (group: TryGroup) => void groups.push(group) },
    memory: mementoOf(),
    log: { error: (text: string) => assert.fail(text) },
  } as unknown as TryWithServices;
  const start = () => tryWith(services, { prompt: 'Fix it' });
  return { repository, asked, groups, sent, notices, held, start };
}

test('copies only the ignored files that the user selects', needsGit, async (t) => {
  const { repository, asked, groups, sent, start } = here(t, ['web/.env.local']);
  await start();
  assert.deepEqual(
    asked.map((items) => items.map(({ label, description, picked }) => [label, description, picked])),
    [
      [
        ['.env', 'may have secrets', undefined],
        ['web/.env.local', 'may have secrets', undefined],
      ],
    ],
  );
  const tries = groups.flatMap((group) => group.tries);
  assert.equal(tries.length, 2);
  for (const { path } of tries) {
    assert.equal(repository.read('web/.env.local', path), 'web/.env.local\n');
    assert.equal(repository.read('a.txt', path), 'mine\n');
    assert.equal(existsSync(join(path, '.env')), false);
    assert.equal(existsSync(join(path, 'x.log')), false);
  }
  assert.deepEqual(sent, ['Ada: Fix it', 'Bob: Fix it']);
});

test('creates nothing if the user cancels the list of ignored files', needsGit, async (t) => {
  const { repository, groups, start } = here(t, undefined);
  assert.equal(await start(), undefined);
  assert.deepEqual(groups, []);
  assert.equal(repository.git('worktree', 'list').split('\n').length, 1);
  assert.equal(repository.git('branch', '--format=%(refname:short)'), 'main');
});

test('gives the tries of sandboxed agents copies of their own', { ...needsGit, ...posixOnly }, async (t) => {
  const { repository, groups, sent, notices, held, start } = here(t, [], 'files');
  keepCopiesIn(join(tempFolder(t), 'copies'));
  t.after(() => keepCopiesIn(undefined));
  await start();
  const tries = groups.flatMap((group) => group.tries);
  assert.equal(tries.length, 2);
  for (const { path } of tries) {
    assert.notEqual(copyAround(path), undefined);
    assert.equal(repository.read('a.txt', path), 'mine\n');
    writeFileSync(join(path, 'a.txt'), 'the agent’s\n');
  }
  assert.equal(repository.read('a.txt'), 'mine\n');
  assert.equal(repository.git('worktree', 'list').split('\n').length, 1);
  assert.deepEqual(held, ['ownCopy', 'ownCopy']);
  assert.deepEqual(sent, ['Ada: Fix it', 'Bob: Fix it']);
  for (const { title, description = '' } of notices) {
    assert.match(title, /^Try \d of 2, in the own copy “/);
    assert.doesNotMatch(description, /Branch|worktree/);
  }
});
