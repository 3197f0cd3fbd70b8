import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fixWorktree } from '../../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../../test/unit-support/gitRepository';
import { needsGit } from '../../../../test/unit-support/platform';
import { editor } from '../../../../test/unit-support/vscode';
import { WorkspaceFiles } from './workspaceFiles';

let folder: string;

/** Writes files that the editor finds, and returns the paths that can be mentioned. */
async function mentionablePaths(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const found = new WorkspaceFiles();
  await found.settled();
  return ((await found.find('', 100, 'file')) ?? []).map(({ path }) => path);
}

void describe('files to mention', () => {
  beforeEach(() => {
    editor.reset();
    folder = mkdtempSync(join(tmpdir(), 'parley-mention-'));
    editor.folders = [folder];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  void it('exclude files ignored by any .gitignore', async () => {
    const paths = await mentionablePaths({
      '.gitignore': 'dist/\n*.log\n!keep.log\n',
      'a.ts': '',
      'dist/a.js': '',
      'x.log': '',
      'keep.log': '',
      'sub/.gitignore': 'own.txt\n',
      'sub/own.txt': '',
      'sub/b.ts': '',
      'own.txt': '',
    });
    assert.deepEqual(paths, ['.gitignore', 'a.ts', 'keep.log', 'own.txt', 'sub/.gitignore', 'sub/b.ts']);
  });

  void it('exclude a file in an ignored folder despite a negated pattern', async () => {
    assert.deepEqual(await mentionablePaths({ '.gitignore': 'out/\n!a.ts\n', 'out/a.ts': '', 'a.ts': '' }), [
      '.gitignore',
      'a.ts',
    ]);
  });

  void it('exclude files of packages even without an ignore file', async () => {
    assert.deepEqual(
      await mentionablePaths({ 'a.ts': '', 'node_modules/p/index.js': '', 'sub/node_modules/q/i.js': '' }),
      ['a.ts'],
    );
  });

  void it('exclude generated folders where no ignore rules exist', async () => {
    assert.deepEqual(await mentionablePaths({ 'a.ts': '', 'dist/a.js': '', 'sub/coverage/b.js': '' }), ['a.ts']);
    for (const name of ['__pycache__', '.venv', '.next', '.nuxt', '.cache', '.tox', '.gradle']) {
      assert.deepEqual(await mentionablePaths({ 'a.ts': '', [`${name}/b`]: '' }), ['a.ts'], name);
    }
  });

  void it('follow ignore rules from above the workspace folder', async () => {
    mkdirSync(join(folder, '.git/info'), { recursive: true });
    writeFileSync(join(folder, '.git/info/exclude'), 'mine.txt\n');
    writeFileSync(join(folder, '.gitignore'), 'out/\n/packages/app/own.js\n');
    const top = folder;
    folder = join(folder, 'packages/app');
    editor.folders = [folder];
    const files = { 'a.ts': '', 'own.js': '', 'out/a.js': '', 'mine.txt': '', 'dist/b.js': '' };
    const paths = await mentionablePaths(files);
    folder = top;
    assert.deepEqual(paths, ['a.ts', 'dist/b.js']);
  });

  void it('exclude files excluded by the settings', async () => {
    editor.settings['files.exclude'] = { '**/*.map': true, '**/*.ts': false };
    editor.settings['search.exclude'] = { 'vendor/**': true };
    assert.deepEqual(await mentionablePaths({ 'a.ts': '', 'a.js.map': '', 'vendor/v.ts': '' }), ['a.ts']);
  });

  void it('are those of the worktree in a session there', needsGit, async (t) => {
    const repository = new GitRepository(t);
    repository.write('a.ts', '');
    repository.commit();
    editor.folders = [repository.folder, folder];
    const { path } = (await fixWorktree(repository)).record;
    writeFileSync(join(path, 'there.ts'), '');
    writeFileSync(join(repository.folder, 'here.ts'), '');
    writeFileSync(join(folder, 'beside.ts'), '');
    const found = new WorkspaceFiles(path);
    t.after(() => found.dispose());
    await found.settled();
    const all = (await found.find('', 100, 'file')) ?? [];
    const beside = `${basename(folder)}/beside.ts`;
    assert.deepEqual(all.map((one) => one.path).sort(), [beside, 'fix/a.ts', 'fix/there.ts'].sort());
    assert.equal(all.find((one) => one.path === 'fix/a.ts')?.uri.fsPath, join(path, 'a.ts'));
    assert.equal((await found.at('fix/there.ts'))?.uri.fsPath, join(path, 'there.ts'));
  });
});
