import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsGit, posixOnly } from '../../test/unit-support/platform';
import { StartingRepository, waysIn } from '../../test/unit-support/startingRepository';
import { fullGit, safeGit } from './git';

/** Commands that start programs of a repository if they can. */
const commands: readonly (readonly string[])[] = [
  ['status', '--ignore-submodules=all'],
  ['diff', '--ignore-submodules=all'],
  ['diff', '--ext-diff', '--textconv', '--ignore-submodules=all', 'HEAD'],
  ['log', '-p', '--ignore-submodules=all'],
  ['show', '--show-signature', '--ignore-submodules=all'],
  ['ls-files', '--others'],
  ['check-attr', '--all', 'a.txt'],
  ['check-ignore', '--no-index', 'a.txt'],
  ['cat-file', '--filters', 'HEAD:a.txt'],
  ['cat-file', '--textconv', 'HEAD:a.txt'],
  ['cat-file', '-p', '0123456789012345678901234567890123456789'],
  ['hash-object', '-w', 'a.txt'],
  ['fetch'],
  ['ls-remote', 'origin'],
  ['update-ref', 'refs/parley/x', 'HEAD'],
  ['add', '--all', '--', '.', ':!sub', ':!other'],
  ['write-tree'],
  ['read-tree', 'HEAD'],
  ['commit-tree', 'HEAD^{tree}', '-m', 'x'],
  ['submodule', 'update'],
  ['reset', '--mixed', 'HEAD'],
  ['checkout-index', '--force', '--all'],
  ['commit', '--allow-empty', '-m', 'x'],
  ['gc', '--auto'],
];

for (const way of waysIn) {
  test(`starts no program by ${way}`, { ...posixOnly, ...needsGit }, async (t) => {
    const repository = new StartingRepository(t, way);
    const status = await safeGit(repository.inner, ['status', '--porcelain', '--ignore-submodules=all']);
    assert.match(status.out.toString(), /^ M a.txt$/m, 'Git works there.');
    for (const command of commands) {
      const more = {
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@b',
      };
      await safeGit(repository.inner, command, { more, timeoutMs: 20_000 });
      assert.equal(repository.started(), '', command.join(' '));
    }
    // It's worth something only if the user's own git starts it.
    for (const command of commands.slice(0, 3)) await fullGit(repository.inner, command);
    await fullGit(repository.inner, ['update-ref', 'refs/parley/y', 'HEAD']);
    assert.notEqual(repository.started(), '');
  });
}
