import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPieces, patchesIn } from './patches';

const lines = (text: string) => text.split('\n');

function patched(file: string, patch: string, language = 'diff'): string | undefined {
  const [first] = patchesIn(lines(patch), language) ?? [];
  return first && applyPieces(lines(file), first.pieces)?.join('\n');
}

test('applies a unified diff by its context, ignoring wrong line numbers', () => {
  const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -90,3 +90,3 @@ function\n one\n-two\n+zwei\n three\n';
  assert.equal(patched('zero\none\ntwo\nthree\n', diff), 'zero\none\nzwei\nthree\n');
  assert.deepEqual(
    patchesIn(lines(diff), 'ts')?.map(({ path, kind }) => [path, kind]),
    [['src/a.ts', 'change']],
  );
});

test('uses the line number to choose between equal places, or changes nothing', () => {
  const file = 'a\nx\nb\na\nx\nb';
  assert.equal(patched(file, '@@ -4,3 +4,3 @@\n a\n-x\n+y\n b'), 'a\nx\nb\na\ny\nb');
  assert.equal(patched(file, '@@ @@\n a\n-x\n+y\n b'), undefined);
  assert.equal(patched(file, '-x\n+y'), undefined);
  assert.equal(patched('a\nx\nb', '-x\n+y'), 'a\ny\nb');
});

test('distinguishes changed, new, deleted, and renamed files', () => {
  const diff =
    '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+new\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n--- a/x.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-x\n+y';
  assert.deepEqual(
    patchesIn(lines(diff), 'diff')?.map(({ path, kind }) => [path, kind]),
    [
      ['a.ts', 'change'],
      ['new.ts', 'create'],
      ['old.ts', 'delete'],
      ['y.ts', 'rename'],
    ],
  );
});

test('applies search and replace blocks only where they match once', () => {
  const block =
    'src/a.ts\n<<<<<<< SEARCH\n  two\n=======\n  zwei\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nfour\n=======\n>>>>>>> REPLACE';
  const [file, other] = patchesIn(lines(block), 'ts') ?? [];
  assert.equal(other, undefined);
  assert.equal(file?.path, 'src/a.ts');
  assert.deepEqual(applyPieces(['one', '  two', 'three', 'four'], file.pieces), ['one', '  zwei', 'three']);
  assert.equal(applyPieces(['  two', '  two', 'four'], file.pieces), undefined);
  assert.equal(applyPieces(['one'], file.pieces), undefined);
});

test('preserves unchanged lines, including their trailing white space', () => {
  assert.equal(patched('a  \nx\nb', '@@ -1,3 +1,3 @@\n a\n-x\n+y\n b'), 'a  \ny\nb');
});

test('recognizes no patch in other code', () => {
  assert.equal(patchesIn(['const a = 1;', '- b', '+ c'], 'ts'), undefined);
  assert.equal(patchesIn(['plain'], 'diff'), undefined);
  assert.equal(patchesIn(['<<<<<<< SEARCH', 'a'], 'ts'), undefined);
});
