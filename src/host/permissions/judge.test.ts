import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeignShare } from './judge';

test('a network path of a host that the session does not work on is never looked up', () => {
  for (const path of ['\\\\evil\\share\\a', '//evil/share', '\\\\?\\UNC\\evil\\share\\a', '\\\\.\\pipe\\a'])
    assert.ok(isForeignShare(path, 'C:\\work', 'win32'), path);
  for (const path of ['C:\\a', '\\\\?\\D:\\a']) assert.ok(!isForeignShare(path, 'C:\\work', 'win32'), path);
  assert.ok(!isForeignShare('\\\\Server\\other', '\\\\server\\share\\work', 'win32'));
  assert.ok(isForeignShare('\\\\other\\share', '\\\\server\\share\\work', 'win32'));
  assert.ok(!isForeignShare('//a/b', '/work', 'linux'));
});
