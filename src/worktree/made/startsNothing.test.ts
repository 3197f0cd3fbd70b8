import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly, needsGit } from '../../../test/unit-support/platform';
import { StartingRepository, waysIn } from '../../../test/unit-support/startingRepository';
import { Checkouts } from '../../baseline/checkedOut';
import { eachBlob, git, GitContents, GitIgnores } from '../../baseline/git';
import { repositoryOf } from '../../baseline/gitBaseline';
import { gitPlaceOf } from '../../git/gitPlace';
import { checkedOut } from '../repository/checkedOut';
import { snapshot } from './createWorktree';
import { innerRepositories, isElsewhereToo } from '../repository/innerRepositories';
import {
  baseBranches,
  dirtyFiles,
  ignoredAmong,
  ignoredFiles,
  incompleteParts,
  openRepository,
} from '../repository/repository';
import { untrackedRepositories } from '../repository/stageAll';
import { plainGit } from '../repository/userGit';
import { listWorktrees } from './worktreeList';
import { lossOf } from '../end/worktreeLoss';
import { renamedBetween } from '../bring/worktreeChanges';

/** What Parley asks git by itself. */
const looks: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  'the repository of a folder': repositoryOf,
  'the files that git tracks': async (folder) => {
    const asked = await new Checkouts().repository(folder);
    assert.ok(asked);
    return new Checkouts().look(asked.known, () => Promise.resolve([]));
  },
  status: (folder) => git(folder, ['status', '--porcelain=v2', '--ignore-submodules=all'], 20_000),
  ignores: async (folder) => {
    const ignores = new GitIgnores(folder);
    await ignores.isIgnored('a.txt');
    ignores.dispose();
  },
  contents: async (folder) => {
    const place = await gitPlaceOf(folder);
    assert.ok(place);
    const contents = new GitContents(place);
    assert.equal((await contents.read('HEAD:a.txt'))?.toString(), 'a.txt\n');
    contents.dispose();
    await eachBlob(folder, ['HEAD:a.txt'], 20_000, () => undefined);
  },
  'a worktree’s start': openRepository,
  branches: (root) => baseBranches({ root }),
  'uncommitted files': async (folder) => dirtyFiles(await openRepository(folder)),
  'ignored files': async (folder) => ignoredFiles(await openRepository(folder), ['.env']),
  'what is ignored': (folder) => ignoredAmong(folder, ['a.txt']),
  'what a worktree lacks': incompleteParts,
  'a snapshot': snapshot,
  'repositories inside': async (folder) => [await innerRepositories(folder), await untrackedRepositories(folder)],
  'whether a repository is elsewhere, too': isElsewhereToo,
  worktrees: listWorktrees,
  'what would be lost': async (path) => {
    const listed = { path, head: '', branch: 'main', locked: undefined };
    const record = { id: 'a1', path, branch: 'main', base: 'HEAD', from: path, createdAt: 0 };
    return lossOf({ record, listed });
  },
  'a file as it was': async (folder) => {
    assert.equal((await checkedOut(folder, 'HEAD', 'a.txt')).out.toString(), 'a.txt\n');
  },
  'a comparison': async (folder) => renamedBetween(folder, 'HEAD', await snapshot(folder)),
  'a mention': (folder) => plainGit(folder, ['show', '--no-color', 'HEAD']),
};

for (const way of waysIn) {
  test(`no look at a repository starts a program by ${way}`, { ...posixOnly, ...needsGit }, async (t) => {
    const repository = new StartingRepository(t, way);
    for (const [name, look] of Object.entries(looks)) {
      await look(repository.inner);
      await look(repository.folder);
      assert.equal(repository.started(), '', name);
    }
  });
}
