import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, scratchFolder } from '../filesSupport';
import { needsPosix } from '../platform';
import { bytes, mode, undoneTo, until } from '../reviewFiles';
import { base, changes, eight, git, newAgent, type Step } from '../reviewSupport';

const present = (path: string) => async () => (await bytes(path)) !== null;

function repository(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'one');
}

suite("no change is missed, and no undo loses the user's files", () => {
  for (const isRepository of [true, false]) {
    const where = isRepository ? 'in a repository' : 'without a repository';
    test(`reviews a write sent and made simultaneously against the earlier text, ${where}`, async (context) => {
      const folder = await scratchFolder(context);
      const names = Array.from({ length: 12 }, (_, at) => `f${at}.txt`);
      for (const name of names) await file(folder, name, eight);
      if (isRepository) repository(folder);
      const agent = await newAgent(context);
      const text = eight.replace('two', 'TWO');
      const steps = names.flatMap((name, at): Step[] => {
        const [write, fs] = [
          { write: join(folder, name), text },
          { fs: join(folder, name), text },
        ];
        return at % 3 === 2 ? [fs, write] : [write, fs];
      });
      await agent.turn(...steps, { sign: join(folder, 'done') });
      await until(present(join(folder, 'done')), () => 'the agent did nothing');
      for (const name of names) await changes(join(folder, name), 1);
      for (const name of names) assert.equal(await base(join(folder, name)), eight, name);
      await undoneTo(Object.fromEntries(names.map((name) => [join(folder, name), eight])));
    });
  }

  test('restores files of a nested repository and lists those deleted there', async (context) => {
    needsPosix(context);
    const folder = await scratchFolder(context);
    await file(folder, 'a.txt', eight);
    repository(folder);
    const changed = await file(folder, 'nested/n.txt', eight);
    const gone = await file(folder, 'nested/gone.txt', 'gone\n');
    repository(join(folder, 'nested'));
    const made = join(folder, 'nested', 'made.txt');
    await (
      await newAgent(context)
    ).turn({ shell: `cd '${folder}/nested' && echo more >> n.txt && rm gone.txt && echo new > made.txt` });
    await changes(changed, 1);
    assert.equal(await base(changed), eight);
    await undoneTo({ [changed]: eight, [gone]: 'gone\n', [made]: null });
  });

  test('restores links, permissions, and ignored files', async (context) => {
    needsPosix(context);
    const folder = await scratchFolder(context);
    await file(folder, '.gitignore', '.env\ndist/\n');
    await file(folder, 'a.txt', eight);
    for (const name of ['moved', 'gone', 'replaced']) await symlink('a.txt', join(folder, name));
    repository(folder);
    const env = await file(folder, '.env', 'SECRET=1\n');
    await chmod(env, 0o600);
    const built = await file(folder, 'dist/b.js', 'built\n');
    const commands = [
      'ln -sfn elsewhere moved; rm gone; rm replaced; echo file > replaced; ln -s a.txt made',
      'rm .env; echo SECRET=2 > .env; chmod 644 .env; echo again > dist/b.js; touch done',
    ];
    await (await newAgent(context)).turn({ shell: `cd '${folder}'; ${commands.join('; ')}` });
    await until(present(join(folder, 'done')), () => 'the agent did nothing');
    const target = (name: string) => readlink(join(folder, name)).catch(() => 'no link');
    const state = async () => [
      ...(await Promise.all(['moved', 'gone', 'replaced', 'made'].map(target))),
      (await bytes(env))?.toString(),
      (await bytes(join(folder, 'done'))) === null,
    ];
    const expected = ['a.txt', 'a.txt', 'a.txt', 'no link', 'SECRET=1\n', true];
    await until(
      async () => {
        await vscode.commands.executeCommand('parley.review.undoAll');
        return JSON.stringify(await state()) === JSON.stringify(expected);
      },
      async () => JSON.stringify(await state()),
    );
    assert.equal(await mode(env), 0o600);
    // The change can't be undone, so the file isn't touched.
    assert.equal((await bytes(built))?.toString(), 'again\n');
  });

  test("restores files and folders replaced or removed, and removes the agent's folders", async (context) => {
    needsPosix(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'thing', eight);
    await mkdir(join(folder, 'empty'));
    await mkdir(join(folder, 'mine'));
    const commands = 'rm thing; mkdir -p thing/deep made/deeper; echo a > thing/deep/a; echo b > made/deeper/b';
    await (
      await newAgent(context)
    ).turn({ shell: `cd '${folder}'; ${commands}; echo c > mine/c; rmdir empty; touch done` });
    await until(present(join(folder, 'done')), () => 'the agent did nothing');
    const expected = ['empty', 'mine', 'thing'];
    await until(
      async () => {
        await vscode.commands.executeCommand('parley.review.undoAll');
        return JSON.stringify((await readdir(folder)).sort()) === JSON.stringify(expected);
      },
      async () => (await readdir(folder, { recursive: true })).join(', '),
    );
    assert.equal((await bytes(path))?.toString(), eight);
    assert.deepEqual(await readdir(join(folder, 'mine')), []);
  });
});
