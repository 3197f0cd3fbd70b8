import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import { isSafeFolderName, safeEntryPath, staysInside } from './entryPath';

test('entry names become paths below their folder', () => {
  for (const [name, path] of [
    ['./bin/agent', 'bin/agent'],
    ['bin\\agent.exe', 'bin/agent.exe'],
    ['bin//./agent/', 'bin/agent'],
    ['./', ''],
    ['..data/...x', '..data/...x'],
  ] as const) {
    assert.equal(safeEntryPath(name), path);
  }
  for (const name of ['..', 'a/../../b', '/a', '\\a', 'C:a', 'c:\\a', 'a\0b', 'a\nb', 'a/..\\..', 'x'.repeat(300)]) {
    assert.equal(safeEntryPath(name), undefined, name);
    assert.equal(safeEntryPath(name, false), undefined, name);
  }
  // Valid on systems without devices and streams.
  for (const name of ['aux.js', 'Foo::Bar', 'end.', 'a/con/b']) {
    assert.equal(safeEntryPath(name), undefined, name);
    assert.equal(safeEntryPath(name, false), name);
  }
});

test('no name leads outside the folder', () => {
  const pieces = [
    '..',
    '.',
    '/',
    '\\',
    'a',
    'b.txt',
    'C:',
    ' ',
    '\0',
    '~',
    '...',
    '%2e%2e',
    '．．',
    'con',
    '//',
    '\u2215',
  ];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  let safe = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const name = Array.from({ length: 1 + random(7) }, () => pieces[random(pieces.length)]).join('');
    for (const anywhere of [true, false]) {
      const path = safeEntryPath(name, anywhere);
      if (path === undefined) continue;
      safe += 1;
      assert.ok(`${posix.resolve('/base/agent', path)}/`.startsWith('/base/agent/'), name);
      if (anywhere) assert.ok(`${win32.resolve('C:\\root\\agent', path)}\\`.startsWith('C:\\root\\agent\\'), name);
    }
  }
  assert.ok(safe > 1000);
});

test('resolves links from their own location', () => {
  assert.ok(staysInside('bin/agent', '../lib/agent'));
  assert.ok(staysInside('agent', './lib/../lib/x'));
  for (const target of ['../../x', '/etc/passwd', '', 'lib/../../..', 'C:/x', '..\\..\\x'])
    assert.ok(!staysInside('bin/agent', target), target);
});

test('version folders have safe names', () => {
  for (const name of ['1.2.3', '0.1.0-beta.1+7', 'claude-acp']) assert.ok(isSafeFolderName(name), name);
  for (const name of ['', '.', '..', 'a/b', 'a\\b', 'NUL', 'com1.x', 'a.', 'a ', 'a:b', 'a*'])
    assert.ok(!isSafeFolderName(name), name);
});
