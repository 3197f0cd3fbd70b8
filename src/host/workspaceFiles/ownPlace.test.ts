import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { ownPlace } from './ownPlace';

async function folder(context: TestContext): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-place-')));
  context.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('does not follow the last name and accepts missing folders', posixOnly, async (context) => {
  const root = await folder(context);
  await symlink('/etc/hosts', join(root, 'a.txt'));
  assert.equal(await ownPlace(join(root, 'a.txt'), [root]), join(root, 'a.txt'));
  assert.equal(await ownPlace(join(root, 'new', 'b.txt'), [root]), join(root, 'new', 'b.txt'));
});

test('refuses a folder link out of the workspace and accepts one inside', posixOnly, async (context) => {
  const [root, other] = [await folder(context), await folder(context)];
  await mkdir(join(root, 'packages'));
  await symlink(other, join(root, 'src'));
  await symlink(join(root, 'packages'), join(root, 'linked'));
  await assert.rejects(ownPlace(join(root, 'src', 'deep', 'a.txt'), [root]), {
    kind: 'linkedAway',
    detail: join(root, 'src'),
  });
  assert.equal(await ownPlace(join(root, 'linked', 'a.txt'), [root]), join(root, 'packages', 'a.txt'));
  assert.equal(await ownPlace(join(root, 'src', 'a.txt'), [root, other]), join(other, 'a.txt'));
  await assert.rejects(ownPlace(join(root, 'src', 'a.txt'), []), { kind: 'linkedAway' });
});

test("keeps the user's path of a workspace opened through a link", posixOnly, async (context) => {
  const root = await folder(context);
  await mkdir(join(root, 'real'));
  await writeFile(join(root, 'real', 'a.txt'), '');
  await symlink(join(root, 'real'), join(root, 'name'));
  assert.equal(await ownPlace(join(root, 'name', 'a.txt'), [join(root, 'name')]), join(root, 'real', 'a.txt'));
});
