import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { branchProblem, suggestBranch } from './branchName';

test('suggests a branch from the words of a message', () => {
  assert.equal(suggestBranch('Can you fix the uploads of large files, please?', []), 'parley/fix-uploads-large-files');
  assert.equal(suggestBranch('Größe prüfen', []), 'parley/große-prufen');
  assert.equal(suggestBranch('', []), 'parley/session');
});

test('suggests another branch if one is taken in any case', () => {
  assert.equal(suggestBranch('Retry', ['Parley/retry', 'parley/retry-2']), 'parley/retry-3');
});

test('explains names that Git can’t have', needsGit, async (t) => {
  const { folder } = new GitRepository(t);
  assert.equal(await branchProblem(folder, 'parley/a', ['main']), undefined);
  for (const name of ['a b', '-a', '@{-1}', 'a..b', 'x.lock']) {
    assert.match((await branchProblem(folder, name, [])) ?? '', /isn’t valid/, name);
  }
  assert.match((await branchProblem(folder, 'main/a', ['main'])) ?? '', /can’t have the branches/);
  assert.match((await branchProblem(folder, 'Main', ['main'])) ?? '', /already exists/);
});
