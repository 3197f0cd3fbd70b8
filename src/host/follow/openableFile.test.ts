import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { openableFile } from './followedEditor';

/** A project and a folder beside it, which doesn't belong to the session. */
async function setUp(context: TestContext) {
  const folder = await realpath(tempFolder(context));
  const [project, outside] = [join(folder, 'project'), join(folder, 'outside')];
  for (const path of ['project/src/a.ts', 'project/.env', 'project/.vscode/tasks.json', 'outside/a.ts']) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), '');
  }
  const open = (path: string) => openableFile(path, project, [{ path: project, realPath: project }]);
  return { project, outside, open };
}

test('opens an existing file of the session only', async (context) => {
  const { project, outside, open } = await setUp(context);
  assert.equal((await open(join(project, 'src/a.ts')))?.realPath, join(project, 'src/a.ts'));
  const refused = [
    join(project, 'src/gone.ts'),
    join(project, 'src'),
    join(outside, 'a.ts'),
    join(project, '../outside/a.ts'),
    join(project, '.env'),
    join(project, '.vscode/tasks.json'),
  ];
  for (const path of refused) assert.equal(await open(path), undefined, path);
});

test(
  'follows links before it decides',
  { skip: process.platform === 'win32' && 'Windows lets only privileged users create links.' },
  async (context) => {
    const { project, outside, open } = await setUp(context);
    await symlink(join(outside, 'a.ts'), join(project, 'out.ts'));
    await symlink(join(project, '.env'), join(project, 'plain.txt'));
    await symlink(join(project, 'src/a.ts'), join(project, 'in.ts'));
    assert.equal(await open(join(project, 'out.ts')), undefined);
    assert.equal(await open(join(project, 'plain.txt')), undefined);
    assert.equal((await open(join(project, 'in.ts')))?.realPath, join(project, 'src/a.ts'));
  },
);
