import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fixWorktree } from '../../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../../test/unit-support/gitRepository';
import { needsGit } from '../../../../test/unit-support/platform';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { editor, languages, Uri } from '../../../../test/unit-support/vscode';
import { ProblemMentions } from './problems';

test('a session in a worktree mentions the problems there', needsGit, async (t) => {
  editor.reset();
  const repository = new GitRepository(t);
  repository.write('a.ts', '');
  repository.commit();
  const beside = tempFolder(t);
  editor.folders = [repository.folder, beside];
  const { path } = (await fixWorktree(repository)).record;
  const range = { start: { line: 0, character: 0 } };
  const places = [repository.folder, path, beside].map((folder) => join(folder, 'a.ts'));
  const { getDiagnostics } = languages;
  const found = () =>
    places.map((place) => [Uri.file(place), [{ range, message: basename(join(place, '..')), severity: 0 }]]);
  Object.assign(languages, { getDiagnostics: found });
  t.after(() => void Object.assign(languages, { getDiagnostics }));
  const mentioned = async (folder?: string) => (await new ProblemMentions().find('', folder)).map(({ label }) => label);
  const names = [repository.folder, path, beside].map((folder) => basename(folder));
  assert.deepEqual(await mentioned(path), ['All problems', ...names.slice(1)]);
  assert.deepEqual(await mentioned(), ['All problems', ...names]);
});
