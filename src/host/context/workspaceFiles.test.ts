import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { editor, Uri, workspace } from '../../../test/unit-support/vscode';
import { WorkspaceFiles } from './workspaceFiles';

let folder: string;
const findNothing = workspace.findFiles;

/** Writes files, all of which the editor finds, and answers the paths that can be mentioned. */
async function mentioned(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  workspace.findFiles = () => Promise.resolve(Object.keys(files).map((name) => Uri.file(join(folder, name))));
  return (await new WorkspaceFiles().find('', 100)).map(({ path }) => path);
}

void describe('files to mention', () => {
  beforeEach(() => {
    editor.reset();
    folder = mkdtempSync(join(tmpdir(), 'parley-mention-'));
    editor.folders = [folder];
  });
  afterEach(() => {
    workspace.findFiles = findNothing;
    rmSync(folder, { recursive: true });
  });

  void it('files that git ignores are no choice for a mention, in whatever folder that is said', async () => {
    const paths = await mentioned({
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

  void it('a file in a folder that git ignores stays out, even if its name is let in', async () => {
    assert.deepEqual(await mentioned({ '.gitignore': 'out/\n!a.ts\n', 'out/a.ts': '', 'a.ts': '' }), [
      '.gitignore',
      'a.ts',
    ]);
  });

  void it('files of packages are no choice, although nothing says so', async () => {
    assert.deepEqual(await mentioned({ 'a.ts': '', 'node_modules/p/index.js': '', 'sub/node_modules/q/i.js': '' }), [
      'a.ts',
    ]);
  });

  void it('what the settings leave out of the list of files and of searches is no choice', async () => {
    editor.settings['files.exclude'] = { '**/*.map': true, '**/*.ts': false };
    editor.settings['search.exclude'] = { 'vendor/**': true };
    assert.deepEqual(await mentioned({ 'a.ts': '', 'a.js.map': '', 'vendor/v.ts': '' }), ['a.ts']);
  });
});
