import assert from 'node:assert/strict';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, scratchFolder } from '../filesSupport';
import { bytes, undoneTo, until } from '../reviewFiles';
import { base, changes, eight, git, lenses, newAgent, undo } from '../reviewSupport';
import { needsGit } from '../platform';

const shout = (...words: string[]) => words.reduce((text, word) => text.replace(word, word.toUpperCase()), eight);

/** Creates a repository whose branch `other` has another text in `a.txt`, no `gone.txt`, and an additional file. */
async function repository(context: TestContext): Promise<string> {
  const folder = await scratchFolder(context);
  git(folder, 'init', '-q', '-b', 'main');
  await file(folder, 'a.txt', eight);
  await file(folder, 'gone.txt', `only in main\n`);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'one');
  git(folder, 'checkout', '-q', '-b', 'other');
  await file(folder, 'a.txt', shout('two', 'seven'));
  await file(folder, 'own.txt', 'only in the other\n');
  git(folder, 'rm', '-q', 'gone.txt');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'two');
  git(folder, 'checkout', '-q', 'main');
  return folder;
}

/** A script that runs git. */
const gitScript = (...args: string[]) =>
  `require('node:child_process').execFileSync('git', ${JSON.stringify(['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args])})`;

suite('every way an agent changes files is reviewed', () => {
  test('git checkout of another branch', async (context) => {
    needsGit(context);
    const folder = await repository(context);
    const path = join(folder, 'a.txt');
    await (await newAgent(context)).turn({ script: gitScript('checkout', '-q', 'other'), cwd: folder });
    await changes(path, 2);
    assert.equal(await base(path), eight);
    await undoneTo({ [path]: eight, [join(folder, 'gone.txt')]: 'only in main\n', [join(folder, 'own.txt')]: null });
    assert.match(git(folder, 'branch', '--show-current').toString(), /other/, 'the repository itself is left alone');
  });

  test("git stash, which removes the user's uncommitted changes", async (context) => {
    needsGit(context);
    const folder = await repository(context);
    const path = await file(folder, 'a.txt', shout('four'));
    await (await newAgent(context)).turn({ script: gitScript('stash', '-q'), cwd: folder });
    await changes(path, 1);
    assert.equal(await base(path), shout('four'));
    await undoneTo({ [path]: shout('four') });
  });

  const moves = {
    'a move': { isRepository: false, script: "renameSync('a.txt', join('sub', 'b.txt'))" },
    'a move in a repository': { isRepository: true, script: "renameSync('a.txt', join('sub', 'b.txt'))" },
    'git mv': { isRepository: true, script: gitScript('mv', 'a.txt', 'sub/b.txt') },
  };
  for (const [title, { isRepository, script }] of Object.entries(moves)) {
    test(`${title}: the file is shown as renamed, and undo restores its name`, async (context) => {
      if (isRepository) needsGit(context);
      const folder = isRepository ? await repository(context) : await scratchFolder(context);
      await file(folder, 'a.txt', eight);
      const [old, now] = [join(folder, 'a.txt'), join(folder, 'sub', 'b.txt')];
      const agent = await newAgent(context);
      await agent.turn({ script: `mkdirSync('sub'); ${script}`, cwd: folder }, { edit: now, from: 'two', to: 'TWO' });
      // A created file would be one change without the editor's details.
      // The editor had opened it empty, and gave it the system's line breaks then.
      await until(
        async () => (await base(now)).replaceAll('\r\n', '\n') === eight,
        async () => `the base is ${JSON.stringify(await base(now))}`,
      );
      const [name, change] = await changes(now, 2);
      assert.deepEqual([name?.line, change?.line], [0, 1]);
      const words = (await lenses(now)).map(({ command }) => command?.title ?? '');
      assert.ok(
        words.some((title) => /^Renamed from .*a\.txt$/.test(title)),
        words.join(),
      );
      assert.equal(await base(old), '', 'the old name has nothing to review');
      await vscode.commands.executeCommand('parley.review.undoFile', vscode.Uri.file(now));
      assert.deepEqual([await onDisk(old), await bytes(now)], [eight, null]);
      await changes(old, 0);
    });
  }

  test('a generator that writes 200 files', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'g/1.txt', 'mine\n');
    const agent = await newAgent(context);
    const script = "for (let i = 1; i <= 200; i++) writeFileSync(i + '.txt', 'made ' + i + '\\n');";
    await agent.turn({ script, cwd: join(folder, 'g') });
    await until(
      async () => (await bytes(join(folder, 'g', '200.txt'))) !== null,
      () => 'the agent did nothing',
    );
    await changes(join(folder, 'g', '200.txt'), 1);
    await changes(join(folder, 'g', '77.txt'), 1);
    await until(
      async () => {
        await vscode.commands.executeCommand('parley.review.undoAll');
        return (await readdir(join(folder, 'g'))).length === 1;
      },
      async () => `left: ${(await readdir(join(folder, 'g'))).join(' ')}`,
    );
    assert.equal(await onDisk(path), 'mine\n');
  });

  test('many writes in a row, of which the last counts', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const texts = [shout('one'), 'short\n', shout('three', 'six'), '', shout('two')];
    await (await newAgent(context)).turn(...texts.map((text) => ({ write: path, text })));
    const places = async () =>
      (await lenses(path))
        .filter(({ command }) => command?.command === 'parley.review.keepChange')
        .map(({ range }) => range.start.line);
    await until(
      async () => [...new Set(await places())].join() === '1',
      async () => `it has changes at lines ${(await places()).join()}`,
    );
    const [change] = await changes(path, 1);
    assert.ok(change);
    await undo(change);
    assert.equal(await onDisk(path), eight);
  });

  test("only during a turn; later changes are the user's", async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    await (await newAgent(context)).turn({ write: path, text: shout('two') });
    const [change] = await changes(path, 1);
    assert.ok(change);
    // A change after a turn's end must not be attributed to that turn.
    const later = Date.now() + 300;
    await until(
      () => Date.now() > later,
      () => '',
    );
    await writeFile(path, shout('two', 'seven'));
    await until(
      async () => (await base(path)) === shout('seven'),
      async () => `the base is ${await base(path)}`,
    );
    await undo((await changes(path, 1))[0] ?? change);
    assert.equal(await onDisk(path), shout('seven'));
    await rm(path);
    await assert.rejects(stat(path));
  });

  test('of two running agents, the one whose tool call has the file', async (context) => {
    const folder = await scratchFolder(context);
    const [mine, other, stop] = ['mine.txt', 'other.txt', 'stop'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await file(folder, 'mine.txt', eight);
    await file(folder, 'other.txt', eight);
    const names = ['First', 'Second'] as const;
    const agent = await newAgent(context, names);
    context.after(() => writeFile(stop, ''));
    const call = (path: string) => ({
      tell: {
        sessionUpdate: 'tool_call',
        toolCallId: path,
        title: 'Edit',
        status: 'in_progress',
        locations: [{ path }],
      },
    });
    const wait = { awaits: stop };
    await agent.turnOf('First', call(mine), { write: `${stop}1`, text: '' }, wait);
    await until(
      async () => (await bytes(`${stop}1`)) !== null,
      () => 'the first agent does not work',
    );
    await agent.turnOf(
      'Second',
      call(other),
      { write: mine, text: shout('two') },
      { write: other, text: shout('six') },
      wait,
    );
    await until(
      async () => (await onDisk(other)) !== eight,
      () => 'the second agent does not work',
    );
    assert.match((await changes(mine, 1))[0]?.tooltip ?? '', /First/);
    assert.match((await changes(other, 1))[0]?.tooltip ?? '', /Second/);
  });
});
