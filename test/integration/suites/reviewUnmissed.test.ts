import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, scratchFolder } from '../filesSupport';
import { hasModes, needsGit, needsLinks } from '../platform';
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
      if (isRepository) needsGit(context);
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
    needsGit(context);
    const folder = await scratchFolder(context);
    await file(folder, 'a.txt', eight);
    repository(folder);
    const changed = await file(folder, 'nested/n.txt', eight);
    const gone = await file(folder, 'nested/gone.txt', 'gone\n');
    repository(join(folder, 'nested'));
    const made = join(folder, 'nested', 'made.txt');
    const script = "appendFileSync('n.txt', 'more\\n'); rmSync('gone.txt'); writeFileSync('made.txt', 'new\\n')";
    await (await newAgent(context)).turn({ script, cwd: join(folder, 'nested') });
    await changes(changed, 1);
    assert.equal(await base(changed), eight);
    await undoneTo({ [changed]: eight, [gone]: 'gone\n', [made]: null });
  });

  test('restores links', async (context) => {
    needsGit(context);
    needsLinks(context);
    const folder = await scratchFolder(context);
    await file(folder, 'a.txt', eight);
    for (const name of ['moved', 'gone', 'replaced']) await symlink('a.txt', join(folder, name));
    repository(folder);
    const script = `for (const name of ['moved', 'gone', 'replaced']) rmSync(name);
      symlinkSync('elsewhere', 'moved'); writeFileSync('replaced', 'file'); symlinkSync('a.txt', 'made');
      writeFileSync('done', '');`;
    await (await newAgent(context)).turn({ script, cwd: folder });
    await until(present(join(folder, 'done')), () => 'the agent did nothing');
    const target = (name: string) => readlink(join(folder, name)).catch(() => 'no link');
    const state = async () => [
      ...(await Promise.all(['moved', 'gone', 'replaced', 'made'].map(target))),
      (await bytes(join(folder, 'done'))) === null,
    ];
    const expected = ['a.txt', 'a.txt', 'a.txt', 'no link', true];
    await until(
      async () => {
        await vscode.commands.executeCommand('parley.review.undoAll');
        return JSON.stringify(await state()) === JSON.stringify(expected);
      },
      async () => JSON.stringify(await state()),
    );
  });

  test('restores permissions and small ignored files', async (context) => {
    needsGit(context);
    const folder = await scratchFolder(context);
    await file(folder, '.gitignore', '.env\ndist/\n');
    repository(folder);
    const env = await file(folder, '.env', 'SECRET=1\n');
    await chmod(env, 0o600);
    const built = await file(folder, 'dist/b.js', 'built\n');
    const done = join(folder, 'done');
    const script = `rmSync('.env'); writeFileSync('.env', 'SECRET=2'); chmodSync('.env', 0o644);
      writeFileSync('dist/b.js', 'again'); writeFileSync('done', '');`;
    await (await newAgent(context)).turn({ script, cwd: folder });
    await until(present(done), () => 'the agent did nothing');
    await undoneTo({ [env]: 'SECRET=1\n', [done]: null });
    if (hasModes) assert.equal(await mode(env), 0o600);
    // The change can't be undone, so the file isn't touched.
    assert.equal((await bytes(built))?.toString(), 'again');
  });

  test("restores removed files and empty folders, and keeps the user's folders", async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'thing', eight);
    for (const name of ['empty', 'mine']) await mkdir(join(folder, name));
    const script = "rmSync('thing'); writeFileSync('mine/c', 'c'); rmdirSync('empty'); writeFileSync('done', '')";
    await (await newAgent(context)).turn({ script, cwd: folder });
    await until(present(join(folder, 'done')), () => 'the agent did nothing');
    await undoneToNames(folder, ['empty', 'mine', 'thing']);
    assert.equal((await bytes(path))?.toString(), eight);
  });

  test('removes folders that the agent made, also in place of files', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'thing', eight);
    const script = `rmSync('thing');
      for (const [folder, name] of [['thing/deep', 'a'], ['made/deeper', 'b']]) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, name), name);
      }
      writeFileSync('done', '');`;
    await (await newAgent(context)).turn({ script, cwd: folder });
    await until(present(join(folder, 'done')), () => 'the agent did nothing');
    await undoneToNames(folder, ['thing']);
    assert.equal((await bytes(path))?.toString(), eight);
  });
});

/** Undoes all changes as they appear until the folder contains exactly these files and folders, at any depth. */
async function undoneToNames(folder: string, names: readonly string[]): Promise<void> {
  await until(
    async () => {
      await vscode.commands.executeCommand('parley.review.undoAll');
      return JSON.stringify((await readdir(folder, { recursive: true })).sort()) === JSON.stringify(names);
    },
    async () => (await readdir(folder, { recursive: true })).join(', '),
  );
}
