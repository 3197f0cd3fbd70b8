import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { findProgram } from './findProgram';
import { beforeTests } from '../../test/unit-support/beforeTests';

let folder = '';
beforeTests(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-path-'));
  await mkdir(path.join(folder, 'a'));
  await mkdir(path.join(folder, 'b'));
  for (const name of ['a/tool.txt', 'a/plain', 'b/plain', 'b/tool.CMD', 'b/tool.EXE']) {
    await writeFile(path.join(folder, name), '');
  }
  await chmod(path.join(folder, 'b/plain'), 0o755);
});
after(() => rm(folder, { recursive: true, force: true }));

const options = { skip: process.platform === 'win32' ? 'POSIX paths' : false };

test('a non-executable file does not hide a later program', options, async () => {
  const PATH = `${folder}/a:${folder}/b`;
  assert.equal(await findProgram('plain', folder, { PATH }), path.join(folder, 'b/plain'));
  await assert.rejects(findProgram('plain', folder, { PATH: `${folder}/a` }), { code: 'EACCES' });
});

test('searches the default folders without a PATH', options, async () => {
  assert.match(await findProgram('sh', folder, {}), /^\/(usr\/)?bin\/sh$/);
});

test('never prefers the current folder to PATH on Windows', options, async () => {
  const env = { PATH: `relative;"${folder}/b"`, PATHEXT: '.COM;.EXE;.CMD;.TXT' };
  await writeFile(path.join(folder, 'a/tool.EXE'), '');
  assert.equal(await findProgram('tool', path.join(folder, 'a'), env, 'win32'), path.join(folder, 'b/tool.EXE'));
  // A script such as gradlew is found there.
  assert.equal(await findProgram('tool', path.join(folder, 'a'), {}, 'win32'), path.join(folder, 'a/tool.EXE'));
  await rm(path.join(folder, 'a/tool.EXE'));
  // A file that another program opens isn't a program.
  await assert.rejects(findProgram('tool', path.join(folder, 'a'), { PATHEXT: '.TXT' }, 'win32'), { code: 'ENOENT' });
});

test("tries extensions in order on Windows, whatever the variable's case", options, async () => {
  const env = { Path: `${folder}/a;${folder}/b`, PathExt: '.EXE;.CMD' };
  assert.equal(await findProgram('tool', '/', env, 'win32'), path.join(folder, 'b/tool.EXE'));
  assert.equal(await findProgram('tool.CMD', '/', env, 'win32'), path.join(folder, 'b/tool.CMD'));
  assert.equal(
    await findProgram('tool', path.join(folder, 'b'), { PATHEXT: '.CMD' }, 'win32'),
    path.join(folder, 'b/tool.CMD'),
  );
  await assert.rejects(findProgram('tool', '/', { ...env, PathExt: '.COM' }, 'win32'), { code: 'ENOENT' });
});
