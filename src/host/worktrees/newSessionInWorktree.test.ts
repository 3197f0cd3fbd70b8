// Sessions in worktrees, from the questions to the agent's answer: the whole product with real git, agents, and commands.
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { posixOnly } from '../../../test/unit-support/platform';
import { all, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { AskedInputs } from '../../../test/unit-support/askedInputs';
import { editor, ShellExecution, tasks, Uri } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';

const agents = new PoolHarness();
const script = { turns: [{ steps: [{ say: 'an answer' }] }] };

/** A window on two repositories, in the second of which the user has worked. */
function here(t: TestContext, settings: Readonly<Record<string, unknown>> = {}) {
  const opened: ProductWindow[] = [];
  const removals: (() => Promise<void>)[] = [];
  const owner = { after: (end: () => Promise<void>) => void removals.push(end) };
  const [first, second] = [new GitRepository(owner, 'lib'), new GitRepository(owner, 'shop')];
  // Until it has stopped, it writes to the folder.
  t.after(async () => {
    for (const one of opened) await one.stop();
    for (const remove of removals) await remove();
  });
  for (const repository of [first, second]) {
    repository.write('web/a.txt', 'a\n');
    repository.write('.gitignore', '.env*\n');
    repository.commit();
  }
  second.git('branch', 'stable');
  second.write('web/a.txt', 'mine\n');
  second.write('.env', 'KEY=1\n');
  editor.reset();
  editor.folders = [first.folder, second.folder];
  const spec = (version: 1 | 2) => {
    const { command, args, env } = agents.spec({ ...script, version });
    return { command, args, env, protocolVersion: version === 2 ? 'auto' : 1 };
  };
  Object.assign(editor.settings, { 'parley.agents': { One: spec(1), Two: spec(2) }, ...settings });
  const kept = join(first.around, 'kept');
  mkdirSync(kept);
  const window = new ProductWindow(keptState(kept));
  opened.push(window);
  const page = window.openChat();
  const start = async (argument: unknown): Promise<Session> => {
    const before = window.pool.sessions.length;
    await editor.commands.get('parley.newSessionInWorktree')?.(argument);
    const session = window.pool.sessions[before];
    assert.ok(session, JSON.stringify(editor.shown));
    return session;
  };
  return { first, second, window, page, start };
}

test('asks for repository, base, branch, and what to bring along', posixOnly, async (t) => {
  const { second, start } = here(t);
  const asked = new AskedInputs(t);
  asked.pickOne('shop');
  asked.list(({ items, placeholder, title }) => {
    assert.deepEqual([title, placeholder], ['New session in worktree', 'Select where the worktree starts']);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Current commit', 'Branches', 'main', 'stable'],
    );
    return [items[0]];
  });
  asked.box(async (box) => {
    assert.equal(box.value, 'parley/retry-flaky-uploads');
    await box.type('main');
    assert.equal(box.validationMessage, 'The branch “main” already exists. Choose another name.');
    await box.type('fix/uploads');
    assert.equal(box.validationMessage, undefined);
    assert.match(box.prompt, /The worktree is created in .*shop\.worktrees.fix-uploads$/);
  });
  asked.list(({ items, selectedItems }) => {
    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [
        ['Uncommitted changes', '1 file'],
        ['Ignored files', undefined],
        ['.env', 'may have secrets'],
      ],
    );
    // Nothing is copied without a choice.
    assert.deepEqual(selectedItems, []);
    return [items[0], items[2]];
  });
  const session = await start({ agent: 'One', prompt: 'Retry the flaky uploads' });
  assert.equal(asked.left, 0);
  const { cwd } = session.transcript.view;
  assert.equal(basename(cwd), 'fix-uploads');
  assert.equal(second.read('web/a.txt', cwd), 'mine\n');
  assert.equal(second.read('.env', cwd), 'KEY=1\n');
  assert.equal(second.gitIn(cwd, 'branch', '--show-current'), 'fix/uploads');
  assert.deepEqual(second.status(), [' M web/a.txt']);
  const [notice] = all(session, 'notice');
  assert.equal(notice?.title, 'This session works in the worktree “fix-uploads”');
  await until(session, (one) => text(one).includes('an answer'));
});

test('goes back to the base, and cancels without a worktree', posixOnly, async (t) => {
  const { first, window } = here(t);
  const asked = new AskedInputs(t);
  asked.pickOne('lib');
  asked.list(({ items }) => [items[0]]);
  asked.box((box) => box.back());
  asked.list(({ items }) => [items.find(({ label }) => label === 'main')]);
  asked.box((box) => box.hide());
  await editor.commands.get('parley.newSessionInWorktree')?.({ agent: 'One', prompt: 'Fix' });
  assert.equal(asked.left, 0);
  assert.equal(window.pool.sessions.length, 0);
  assert.equal(first.git('worktree', 'list').split('\n').length, 1);
  assert.deepEqual(first.git('branch', '--format=%(refname:short)').split('\n'), ['main']);
});

for (const [name, version] of [
  ['One', 1],
  ['Two', 2],
] as const) {
  test(`an agent of version ${version} waits for the setup command`, posixOnly, async (t) => {
    const { second, start } = here(t, {
      'parley.worktrees.setup': 'sleep 0.3; pwd; echo "from $PARLEY_SOURCE"; cat a.txt',
    });
    const asked = new AskedInputs(t);
    asked.list(({ items }) => [items.find(({ label }) => label === 'stable')]);
    asked.box((box) => assert.equal(box.value, 'parley/fix'));
    asked.list(({ items }) => {
      // The changes are those of the current commit.
      assert.deepEqual(
        items.map(({ label }) => label),
        ['Ignored files', '.env'],
      );
      return [];
    });
    const session = await start({ agent: name, cwd: join(second.folder, 'web'), prompt: 'Fix' });
    await until(session, (one) => text(one).includes('an answer'));
    const { cwd } = session.transcript.view;
    assert.equal(cwd, join(realpathSync(`${second.folder}.worktrees`), 'fix', 'web'));
    assert.equal(session.transcript.view.agentName, name);
    const [call] = all(session, 'tool_call');
    assert.match(call?.title ?? '', /^Setup: sleep/);
    assert.equal(call?.status, 'completed');
    assert.equal(second.has('.env', join(cwd, '..')), false);
    const printed = text(session);
    assert.ok(printed.includes(`from ${realpathSync(second.folder)}`), printed);
    const place = printed.indexOf(cwd);
    assert.ok(place > 0 && place < printed.indexOf('an answer'), printed);
  });
}

test('says that the setup command failed, and starts the agent', posixOnly, async (t) => {
  const { second, start } = here(t, { 'parley.worktrees.setup': 'echo no packages; exit 3' });
  const asked = new AskedInputs(t);
  asked.list(({ items }) => [items[0]]);
  asked.box(() => undefined);
  asked.list(() => []);
  const session = await start({ agent: 'One', cwd: second.folder, prompt: 'Fix' });
  await until(session, (one) => text(one).includes('an answer'));
  const { title, description } = all(session, 'notice').at(-1) ?? {};
  assert.equal(title, 'The setup command failed (exit code 3)');
  assert.match(description ?? '', /Change the command in the setting parley\.worktrees\.setup/);
  assert.match(text(session), /no packages/);
});

test('a preset with a worktree gets the typed message there', posixOnly, async (t) => {
  const { second, window, page } = here(t, {
    'parley.presets': [{ name: 'Fixes', agent: 'One', worktree: true }],
  });
  const asked = new AskedInputs(t);
  asked.pickOne('shop');
  asked.list(({ items }) => [items[0]]);
  asked.box((box) => assert.equal(box.value, 'parley/retry-uploads'));
  asked.list(() => []);
  page.say({ type: 'startPreset', preset: 'Fixes', sends: true, words: 'Retry uploads' });
  while (page.got.at(-1)?.type !== 'sendTyped') await page.hearsMore();
  const [session] = window.pool.sessions;
  assert.ok(session);
  assert.deepEqual(page.got.at(-1), { type: 'sendTyped', session: session.key });
  assert.equal(second.gitIn(session.transcript.view.cwd, 'branch', '--show-current'), 'parley/retry-uploads');
  page.say({ type: 'sendPrompt', session: session.key, text: 'Retry uploads' });
  await until(session, (one) => text(one).includes('an answer'));
});

test('runs a task with those that it needs as setup', posixOnly, async (t) => {
  const { second, start } = here(t, { 'parley.worktrees.setup': 'task: prepare' });
  const scope = { uri: Uri.file(second.folder), name: 'shop', index: 1 };
  const task = (name: string, execution: unknown) => ({ name, source: 'Workspace', scope, execution });
  const known = [
    task('fetch', new ShellExecution('echo fetched > fetched.txt')),
    task('prepare', new ShellExecution('cat fetched.txt; echo "${workspaceFolder}"')),
    task('asks', new ShellExecution('echo ${input:which}')),
  ];
  Object.assign(tasks, { fetchTasks: () => Promise.resolve(known) });
  t.after(() => Reflect.deleteProperty(tasks, 'fetchTasks'));
  editor.settings['tasks.tasks'] = [{ label: 'prepare', dependsOn: 'fetch' }];
  const asked = new AskedInputs(t);
  const startWith = async (setup: string) => {
    editor.settings['parley.worktrees.setup'] = setup;
    asked.list(({ items }) => [items[0]]);
    asked.box(() => undefined);
    asked.list(() => []);
    const session = await start({ agent: 'One', cwd: join(second.folder, 'web'), prompt: 'Fix' });
    await until(session, (one) => text(one).includes('an answer'));
    return session;
  };
  const session = await startWith('task: prepare');
  const root = join(session.transcript.view.cwd, '..');
  assert.equal(second.read('fetched.txt', root), 'fetched\n');
  assert.equal(second.has('fetched.txt'), false);
  const [call] = all(session, 'tool_call');
  assert.equal(call?.title, 'Setup: prepare');
  const lines = text(session).split(/\s*\n\s*/);
  assert.equal(lines[lines.indexOf('fetched') + 1], root);
  for (const [setup, problem] of [
    ['task: gone', /There is no task “gone”\. .*parley\.worktrees\.setup/],
    ['task: asks', /Only VS Code can run the task “asks”\. Use a command instead\./],
  ] as const) {
    const { title, description } = all(await startWith(setup), 'notice').at(-1) ?? {};
    assert.equal(title, 'Couldn’t start the setup command');
    assert.match(description ?? '', problem);
  }
});
