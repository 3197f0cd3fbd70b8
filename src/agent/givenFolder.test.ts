import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { givenFolder } from './givenFolder';
import { tempFolder } from '../../test/unit-support/tempFolder';

const base = tempFolder({ after });
mkdirSync(join(base, 'src'));
writeFileSync(join(base, 'file'), '');

test('a folder may be absolute, relative to the workspace folder, or below the home', async () => {
  assert.equal(await givenFolder(join(base, 'src'), '/elsewhere', homedir()), join(base, 'src'));
  assert.equal(await givenFolder('src', base, homedir()), join(base, 'src'));
  assert.equal(await givenFolder('./src/..', base, homedir()), base);
  assert.equal(await givenFolder('~', '/elsewhere', base), base);
  assert.equal(await givenFolder('~/src', '/elsewhere', base), join(base, 'src'));
});

test('what is no folder, or not there, is refused with its whole path and what to do', async () => {
  await assert.rejects(givenFolder('file', base, homedir()), {
    message: new RegExp(`${base}/file is not a folder.*Name another`),
  });
  await assert.rejects(givenFolder('~/gone', '/', base), {
    message: new RegExp(`${base}/gone does not exist.*Make it`),
  });
});
