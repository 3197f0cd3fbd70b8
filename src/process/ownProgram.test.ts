import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../test/unit-support/platform';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { attempt } from '../shared/values/attempt';
import { isProgram } from './isProgram';
import { findOwnProgram, ownPath, type ProgramPlaces } from './ownProgram';

function places(path: readonly string[], open: readonly string[]): ProgramPlaces {
  return {
    env: { PATH: path.join(':') },
    platform: 'linux',
    open,
    isProgram: (one) => isProgram(one) && statSync(one).isFile(),
    realPath: (one) => attempt(() => realpathSync(one)),
  };
}

test('passes over programs that an agent can write', posixOnly, (t) => {
  const folder = tempFolder(t);
  const put = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'tool'), '');
    chmodSync(join(folder, name, 'tool'), 0o755);
    return join(folder, name);
  };
  const [venv, usual] = [put('work/.venv/bin'), put('usual')];
  const work = join(folder, 'work');
  const linked = join(folder, 'linked');
  symlinkSync(venv, linked);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(join(venv, 'tool'), join(elsewhere, 'tool'));
  mkdirSync(join(folder, 'folder/tool'), { recursive: true });
  const path = ['', '.', 'node_modules/.bin', venv, linked, elsewhere, join(folder, 'folder'), usual];
  assert.equal(findOwnProgram('tool', places(path, [work])), join(usual, 'tool'));
  assert.equal(findOwnProgram('tool', places(path.slice(0, -1), [work])), undefined);
  assert.equal(findOwnProgram('tool', places(path, [])), join(venv, 'tool'));
  assert.deepEqual(ownPath(places(path, [work])).split(':'), [elsewhere, join(folder, 'folder'), usual]);
});

test('finds only programs of Windows there, in any spelling of the folder', () => {
  const windows: ProgramPlaces = {
    env: { Path: 'C:\\WORK\\bin;bin;C:\\git\\cmd' },
    platform: 'win32',
    open: ['c:\\work'],
    isProgram: (path) => path.endsWith('git.exe'),
    realPath: (path) => path,
  };
  assert.equal(findOwnProgram('git', windows), 'C:\\git\\cmd\\git.exe');
  assert.equal(ownPath(windows), 'C:\\git\\cmd');
});
