import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesText } from './changesText';

test('changes of several files are one unified diff', () => {
  const text = changesText([
    { path: 'src/a.ts', before: 'one\ntwo\n', after: 'one\n2\n' },
    { path: 'new\n+++ b/evil.ts', before: undefined, after: 'x\n' },
    { path: 'old.ts', before: 'y\n', after: undefined },
  ]);
  assert.equal(
    text,
    [
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+2',
      '--- /dev/null',
      '+++ b/new +++ b/evil.ts',
      '@@ -0,0 +1,1 @@',
      '+x',
      '--- a/old.ts',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-y',
      '',
    ].join('\n'),
  );
});

test('a file that makes a diff too long is named instead', () => {
  const text = changesText([
    { path: 'long.txt', before: undefined, after: `${'x'.repeat(200_000)}\n` },
    { path: 'a.ts', before: '', after: 'a\n' },
  ]);
  assert.match(
    text,
    /^--- a\/a\.ts\n\+\+\+ b\/a\.ts\n@@ -0,0 \+1,1 @@\n\+a\n# Left out because the diff is too long: long\.txt\n$/,
  );
});
