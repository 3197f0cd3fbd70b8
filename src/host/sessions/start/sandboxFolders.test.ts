import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../../shared/values/ids';
import type { AskingSession } from '../../../shared/transcript/transcript';
import { sandboxFolders } from './sandboxFolders';

const roots = ['/work/a', '/work/b', '/work/c'];
const stored = { without: ['/work/b'], more: ['/other'], known: ['/other', '/older'] };
const cwd = '/work/a';

test('a sandbox is for the folders that the user chose', () => {
  assert.deepEqual(sandboxFolders({ cwd }, roots, undefined), roots);
  assert.deepEqual(sandboxFolders({ cwd }, roots, stored), ['/work/a', '/work/c', '/other']);
  assert.deepEqual(sandboxFolders({ cwd: '/work/b' }, roots, stored), ['/work/b', '/work/a', '/work/c', '/other']);
});

test('a session keeps its folders, and gets no others', () => {
  assert.deepEqual(sandboxFolders({ cwd, additionalDirectories: [] }, roots, stored), ['/work/a']);
  const additionalDirectories = ['/work/b', '/older', '/home/me'];
  assert.deepEqual(sandboxFolders({ cwd, additionalDirectories }, roots, stored), ['/work/a', '/work/b', '/older']);
  const askedBy = {
    session: 's' as SessionKey,
    first: 's' as SessionKey,
    title: '',
    depth: 1,
  } as unknown as AskingSession;
  assert.deepEqual(sandboxFolders({ cwd, askedBy }, roots, stored), roots);
});
