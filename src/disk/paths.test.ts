import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasStrangeName, isForeignShare, pathKey, plainPath, wayBelow, withoutStrangeNames } from './paths';

suite('paths on Windows', () => {
  test("recognizes another machine's network paths without accessing them", () => {
    for (const path of ['\\\\evil\\share\\a', '//evil/share', '\\\\?\\UNC\\evil\\share\\a', '\\\\.\\pipe\\a'])
      assert.ok(isForeignShare(path, 'C:\\work', 'win32'), path);
    for (const path of ['C:\\a', '\\\\?\\D:\\a']) assert.ok(!isForeignShare(path, 'C:\\work', 'win32'), path);
    assert.ok(!isForeignShare('\\\\Server\\other', '\\\\server\\share\\work', 'win32'));
    assert.ok(isForeignShare('\\\\other\\share', '\\\\server\\share\\work', 'win32'));
    assert.ok(!isForeignShare('//a/b', '/work', 'linux'));
  });

  test('gives all spellings of a path the same key', () => {
    const spellings = [
      'C:\\Work\\A.txt',
      'c:/work/a.TXT',
      '\\\\?\\C:\\work\\a.txt',
      '\\\\.\\c:\\Work\\.\\A.txt',
      'C:\\work\\\\a.txt\\',
    ];
    assert.deepEqual([...new Set(spellings.map((path) => pathKey(path, 'win32')))], ['c:\\work\\a.txt']);
    const shares = ['\\\\Server\\Share\\a', '//server/share/a/', '\\\\?\\UNC\\server\\share\\A'];
    assert.deepEqual([...new Set(shares.map((path) => pathKey(path, 'win32')))], ['\\\\server\\share\\a']);
    assert.equal(pathKey('C:\\', 'win32'), 'c:\\');
    assert.equal(pathKey('\\\\server\\share\\', 'win32'), '\\\\server\\share\\');
  });

  test('removes only the prefix of long paths', () => {
    assert.equal(plainPath('\\\\?\\C:\\a', 'win32'), 'C:\\a');
    assert.equal(plainPath('\\\\?\\UNC\\server\\share\\a', 'win32'), '\\\\server\\share\\a');
    for (const path of ['C:\\a', '\\\\server\\share', '\\\\?\\Volume{1}\\a', '\\\\.\\PhysicalDrive0', '\\\\.\\pipe\\a'])
      assert.equal(plainPath(path, 'win32'), path);
    assert.equal(plainPath('\\\\?\\C:\\a', 'linux'), '\\\\?\\C:\\a');
  });

  test('finds a path below a folder or drive root, ignoring case', () => {
    assert.equal(wayBelow('c:\\work', 'C:\\Work\\Sub\\a', 'win32'), 'Sub\\a');
    assert.equal(wayBelow('Z:\\', 'z:\\a', 'win32'), 'a');
    for (const path of ['C:\\work', 'C:\\works\\a', 'D:\\work\\a', 'C:\\work\\'])
      assert.equal(wayBelow('C:\\work', path, 'win32'), undefined, path);
  });

  test('recognizes streams, devices, and names that programs change', () => {
    const strange = ['C:\\a.txt:b', 'C:\\a.txt::$DATA', 'C:\\.git.\\config', 'C:\\a \\b', 'C:\\nul', 'C:\\x\\COM1.txt'];
    for (const path of strange) assert.ok(hasStrangeName(path, 'win32'), path);
    for (const path of ['C:\\a.txt', '\\\\?\\C:\\.env', 'C:\\console', 'C:\\', '\\\\server\\share\\a', 'C:\\com10'])
      assert.ok(!hasStrangeName(path, 'win32'), path);
    for (const path of strange) assert.ok(!hasStrangeName(path, 'linux'), path);
    assert.equal(withoutStrangeNames('C:\\.git. \\config::$DATA', 'win32'), 'C:\\.git\\config');
    assert.equal(withoutStrangeNames('C:\\a\\b.txt', 'win32'), 'C:\\a\\b.txt');
  });
});

suite('paths on other systems', () => {
  test('macOS ignores case and how accents are composed', () => {
    assert.equal(pathKey('/Work/Cafe\u0301.txt', 'darwin'), pathKey('/work/caf\u00e9.TXT', 'darwin'));
    assert.equal(wayBelow('/Users/me/Work', '/users/Me/work/a', 'darwin'), 'a');
  });

  test('Linux ignores nothing', () => {
    assert.notEqual(pathKey('/a/B', 'linux'), pathKey('/a/b', 'linux'));
    assert.equal(wayBelow('/a', '/A/b', 'linux'), undefined);
    assert.equal(wayBelow('/', '/a\\b', 'linux'), 'a\\b');
  });
});
