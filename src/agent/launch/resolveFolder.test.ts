import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resolveFolder } from './resolveFolder';

const base = mkdtempSync(join(tmpdir(), 'parley-folder-'));
mkdirSync(join(base, 'src'));
writeFileSync(join(base, 'file'), '');
after(() => rmSync(base, { recursive: true }));

test('accepts absolute folders, or relative to the workspace folder or home', async () => {
  assert.equal(await resolveFolder(join(base, 'src'), '/elsewhere', homedir()), join(base, 'src'));
  assert.equal(await resolveFolder('src', base, homedir()), join(base, 'src'));
  assert.equal(await resolveFolder('./src/..', base, homedir()), base);
  assert.equal(await resolveFolder('~', '/elsewhere', base), base);
  assert.equal(await resolveFolder('~/src', '/elsewhere', base), join(base, 'src'));
});

test('rejects missing folders with the whole path and a next step', async () => {
  await assert.rejects(resolveFolder('file', base, homedir()), {
    message: `Couldn’t start a session: ${join(base, 'file')} isn’t a folder. Choose another folder.`,
  });
  await assert.rejects(resolveFolder('~/gone', '/', base), {
    message: `Couldn’t start a session: folder ${join(base, 'gone')} doesn’t exist. Create it or choose another folder.`,
  });
});
