// Sessions in copies of their own, from the first message to the changes in the user's folder: the whole product in a real sandbox.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { all, isDone, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { buildKeeper, inSandbox, pathForSandbox } from '../../../test/unit-support/sandbox';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import { worktreeOf } from '../../worktree/made/worktreeOf';

const agents = new PoolHarness();

suite('a session in its own copy', inSandbox, () => {
  const built = tempFolder({ after });
  before(() => buildKeeper(join(built, 'dist')));

  /** A window on a repository with changes, whose agent does these steps in its first turn. */
  function here(t: TestContext, run: string, prepare: (repository: GitRepository) => void = () => undefined) {
    let remove: () => Promise<void> = () => Promise.resolve();
    const repository = new GitRepository({ after: (end) => (remove = end) });
    repository.write('a.txt', 'one\n');
    repository.write('.gitignore', 'out\n');
    repository.commit();
    prepare(repository);
    const { command, args } = agents.spec({ turns: [{ steps: [{ run }] }] });
    editor.reset();
    editor.folders = [repository.folder];
    const home = join(repository.around, 'home');
    const kept = join(repository.around, 'kept');
    for (const folder of [home, kept]) mkdirSync(folder);
    Object.assign(editor.settings, {
      'parley.agents': { One: { command, args, env: { PATH: pathForSandbox, HOME: home } } },
      'parley.sandbox': 'ownCopy',
    });
    const window = new ProductWindow(keptState(kept), built);
    t.after(async () => {
      await window.stop();
      await remove();
    });
    window.openChat();
    const copies = join(kept, 'global', 'copies');
    const start = async (argument: object = { agent: 'One' }) => {
      await editor.commands.get('parley.newSession')?.(argument);
      const session = window.pool.sessions.at(-1);
      assert.ok(session, JSON.stringify(editor.shown));
      return session;
    };
    return { repository, window, start, copies };
  }

  test('changes only the copy until the user brings the changes', async (t) => {
    const run = 'echo two > a.txt; echo new > new.txt; git commit --quiet -am Two && git log --format=%s; cat mine.txt';
    const { repository, start } = here(t, run, (one) => one.write('mine.txt', 'my own\n'));
    const session = await start();
    session.sendPrompt('go');
    await until(session, isDone);
    const said = text(session);
    assert.match(said, /Two\n {2}First\n {2}my own/);
    const { cwd, sandbox } = session.transcript.view;
    assert.equal(sandbox, 'ownCopy');
    assert.equal(worktreeOf(cwd)?.isCopy, true);
    assert.deepEqual(
      all(session, 'notice').map(({ title }) => title),
      ['This session works in its own copy of “shop”'],
    );
    assert.equal(repository.read('a.txt'), 'one\n');
    assert.deepEqual(repository.status(), ['?? mine.txt']);
    await editor.commands.get('parley.bringChanges')?.(session.key);
    assert.equal(repository.read('a.txt'), 'two\n', JSON.stringify(editor.shown));
    assert.equal(repository.read('new.txt'), 'new\n');
    assert.equal(repository.git('log', '--format=%s'), 'First');
  });

  test('sees nothing of the user’s folder but its objects', async (t) => {
    const { repository, start } = here(
      t,
      'f=$(sed "s|/.git/objects$||" .git/objects/info/alternates); ls -A $f $f/.git; cat $f/a.txt; echo evil > $f/evil; echo x > $f/.git/objects/x; echo done',
    );
    const session = await start();
    session.sendPrompt('go');
    await until(session, isDone);
    const said = text(session);
    assert.match(said, /objects/);
    assert.match(said, /done/);
    assert.doesNotMatch(said, /\bHEAD\b|\bone\b/);
    assert.equal(existsSync(join(repository.folder, 'evil')), false);
    assert.equal(existsSync(join(repository.folder, '.git/objects/x')), false);
  });

  test('is offered instead of a worktree, which would share the repository', async (t) => {
    const { repository, window } = here(t, 'git branch --show-current');
    editor.settings['parley.sandbox'] = 'files';
    await editor.commands.get('parley.newSessionInWorktree')?.({ agent: 'One', prompt: 'go' });
    assert.equal(window.pool.sessions.length, 0);
    editor.answers.push('Use Own Copy');
    await editor.commands.get('parley.newSessionInWorktree')?.({ agent: 'One', prompt: 'go' });
    const [session] = window.pool.sessions;
    assert.ok(session);
    await until(session, isDone);
    assert.equal(worktreeOf(session.transcript.view.cwd)?.isCopy, true);
    assert.equal(repository.git('worktree', 'list').split('\n').length, 1);
    await editor.commands.get('parley.mergeBranch')?.(session.key);
    assert.match(editor.shown.at(-1)?.message ?? '', /Fetch its branch first/);
  });

  test('doesn’t start where there can’t be a copy', async (t) => {
    const { repository, window, start, copies } = here(t, 'echo evil > evil.txt', (one) => {
      one.git('config', 'core.repositoryFormatVersion', '1');
      one.git('config', 'extensions.unknown', 'true');
    });
    const session = await start();
    session.sendPrompt('go');
    await until(session, ({ transcript }) => transcript.view.connection.state === 'closed');
    const said = text(session);
    assert.match(said, /Couldn’t start One/);
    assert.match(said, /Couldn’t (?:read the repository|make the agent’s own copy)/);
    assert.equal(window.pool.sandboxOf(session), undefined);
    assert.deepEqual(existsSync(copies) ? readdirSync(copies) : [], []);
    assert.equal(repository.has('evil.txt'), false);
  });
});
