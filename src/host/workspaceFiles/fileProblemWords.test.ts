import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeOf } from './fileProblemWords';

test('a refused file on Windows may be held by another program', () => {
  const refused = Object.assign(new Error('EPERM'), { code: 'EPERM' });
  assert.match(causeOf(refused, 'linux'), /permission/);
  assert.match(causeOf(refused, 'win32'), /another program is using it/);
  assert.match(causeOf(Object.assign(refused, { syscall: 'symlink' }), 'win32'), /Developer Mode/);
  assert.match(causeOf(Object.assign(new Error('EBUSY'), { code: 'EBUSY' }), 'win32'), /^Another program is using/);
});
