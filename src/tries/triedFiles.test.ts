import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needsGit } from '../../test/unit-support/platform';
import { writeFile, rm, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorktree } from '../worktree/made/createWorktree';
import { dirtyFiles, openRepository } from '../worktree/repository/repository';
import { userGit } from '../worktree/repository/userGit';
import { sideOfBase, sideOfTry, triedFiles } from './triedFiles';

it('lists what a try changed, without what was brought along', needsGit, async (context) => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'parley-tries-')));
  context.after(() => rm(top, { recursive: true, force: true }));
  const root = join(top, 'project');
  const git = async (...args: string[]) => {
    const { code, err } = await userGit(root, args);
    assert.equal(code, 0, err);
  };
  await userGit(top, ['init', '-q', '-b', 'main', root]);
  await git('config', 'user.name', 'Me');
  await git('config', 'user.email', 'me@example.com');
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
  await writeFile(join(root, 'b.txt'), 'b\n');
  await writeFile(join(root, 'long.txt'), 'old 1\nold 2\nold 3\nold 4\n');
  await writeFile(join(root, 'c.bin'), Buffer.from([0, 1]));
  await git('add', '.');
  await git('commit', '-qm', 'First');
  await writeFile(join(root, 'a.txt'), 'mine\ntwo\n');
  await writeFile(join(root, 'own.txt'), 'not committed\n');

  const repository = await openRepository(root);
  const changes = await dirtyFiles(repository);
  const request = { base: undefined, branch: 'parley/x', path: join(top, 'x'), changes, ignored: [] };
  const { record } = await createWorktree(repository, request, 1);
  assert.deepEqual(await triedFiles(record), []);

  await writeFile(join(record.path, 'a.txt'), 'mine\n2\n3\n');
  await rm(join(record.path, 'b.txt'));
  await writeFile(join(record.path, 'c.bin'), Buffer.from([0, 2]));
  await writeFile(join(record.path, 'name with\ttab é.txt'), 'new\n');
  await userGit(record.path, ['add', 'a.txt']);
  await writeFile(join(record.path, 'moved.txt'), 'old 1\nold 2\nold 3\nnew 4\n');
  await rm(join(record.path, 'long.txt'));
  const files = (await triedFiles(record)).map(({ content, ...rest }) => ({ ...rest, has: content !== '' }));
  assert.deepEqual(files, [
    { path: 'a.txt', kind: 'changed', added: 2, removed: 1, has: true },
    { path: 'b.txt', kind: 'deleted', added: 0, removed: 1, has: true },
    { path: 'c.bin', kind: 'changed', has: true },
    { path: 'moved.txt', from: 'long.txt', kind: 'changed', added: 1, removed: 1, has: true },
    { path: 'name with\ttab é.txt', kind: 'added', added: 1, removed: 0, has: true },
  ]);

  assert.deepEqual(await sideOfBase(record, 'a.txt'), { kind: 'text', bytes: Buffer.from('mine\ntwo\n') });
  assert.deepEqual(await sideOfTry(record, 'a.txt'), { kind: 'text', bytes: Buffer.from('mine\n2\n3\n') });
  assert.deepEqual(await sideOfTry(record, 'b.txt'), { kind: 'absent' });
  assert.deepEqual(await sideOfBase(record, 'name with\ttab é.txt'), { kind: 'absent' });
  assert.deepEqual(await sideOfTry(record, 'c.bin'), { kind: 'other' });
});
