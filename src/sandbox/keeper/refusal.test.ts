import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { refusedPlace } from './refusal';

test('only calls that the sandbox has refused are told', posixOnly, (context) => {
  const home = tempFolder(context);
  const folder = join(home, 'project');
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  mkdirSync(join(home, '.cache'));
  writeFileSync(join(home, 'notes.txt'), '');
  symlinkSync(folder, join(home, 'link'));
  symlinkSync(join(home, 'notes.txt'), join(folder, 'out'));
  const policy = { state: [], shared: [], unreadable: [], hosts: [], localPorts: [], mode: 'files' } as const;
  const refused = (call: string, path: string) =>
    refusedPlace({ call, path }, { ...policy, folders: [folder], readOnly: [join(folder, '.vscode')] });
  for (const path of ['/', home, join(home, '.cache'), folder]) assert.equal(refused('mkdir', path), undefined, path);
  assert.equal(refused('mkdir', join(home, '.cache', 'a')), join(home, '.cache', 'a'));
  assert.equal(refused('mkdir', join(home, '.cache', 'a', 'b')), undefined);
  assert.equal(refused('openat', join(home, 'notes.txt')), join(home, 'notes.txt'));
  assert.equal(refused('openat', join(home, 'new.txt')), join(home, 'new.txt'));
  assert.equal(refused('openat', home), undefined);
  assert.equal(refused('unlinkat', join(home, 'nothing')), undefined);
  assert.equal(refused('openat', join(home, 'link', 'a.txt')), undefined);
  assert.equal(refused('openat', join(folder, 'out')), join(home, 'notes.txt'));
  assert.equal(refused('openat', join(home, 'link', '.vscode', 'tasks.json')), join(folder, '.vscode', 'tasks.json'));
});
