import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestedAction } from '../../rules/requestedAction';
import { decodeDiff } from './decodeDiff';
import { readGitPatch } from './gitPatch';

const changes = (...list: readonly object[]) => list;
const patch = (text: string) => ({ format: 'git_patch', text });
const modify = (path: string) => ({ operation: 'modify', path });
const head = (path: string) => `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n`;

void describe('a diff of version 2', () => {
  void it('has one item for each place in its patch, with the line', () => {
    const text = `${head('/w/a b.txt')}@@ -1,2 +1,2 @@\n-one\n+One\n two\n@@ -9 +9,2 @@ function f() {\n nine\n+ten\n`;
    assert.deepEqual(decodeDiff({ changes: changes(modify('/w/a b.txt')), patch: patch(text) }), [
      { type: 'diff', path: '/w/a b.txt', oldText: 'one\ntwo\n', newText: 'One\ntwo\n', line: 1 },
      { type: 'diff', path: '/w/a b.txt', oldText: 'nine\n', newText: 'nine\nten\n', line: 9 },
    ]);
  });

  void it('shows new files, deleted files, and files without a last line break', () => {
    const text =
      'diff --git /w/new /w/new\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ /w/new\n@@ -0,0 +1 @@\n+fresh\n' +
      'diff --git /w/old /w/old\ndeleted file mode 100644\n--- /w/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n' +
      `${head('/w/end')}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n`;
    const list = changes(
      { operation: 'add', path: '/w/new' },
      { operation: 'delete', path: '/w/old' },
      modify('/w/end'),
    );
    assert.deepEqual(decodeDiff({ changes: list, patch: patch(text) }), [
      { type: 'diff', path: '/w/new', newText: 'fresh\n', line: 1 },
      { type: 'change', operation: 'delete', path: '/w/old' },
      { type: 'diff', path: '/w/old', oldText: 'gone\n', newText: '', line: 1 },
      { type: 'diff', path: '/w/end', oldText: 'a', newText: 'b', line: 1 },
    ]);
  });

  void it('lists moves, copies, binary files, and patchless changes', () => {
    const list = changes(
      { operation: 'move', oldPath: '/w/a', path: '/w/b' },
      { operation: 'copy', oldPath: '/w/c', path: '/w/d' },
      { operation: 'modify', path: '/w/x.png', fileType: 'binary', mimeType: 'image/png' },
      { operation: 'teleport', path: '/w/y' },
    );
    const expected = [
      { type: 'change', operation: 'move', path: '/w/b', oldPath: '/w/a' },
      { type: 'change', operation: 'copy', path: '/w/d', oldPath: '/w/c' },
      { type: 'change', operation: 'modify', path: '/w/x.png', isBinary: true },
      { type: 'change', operation: 'other', path: '/w/y' },
    ];
    assert.deepEqual(decodeDiff({ changes: list }), expected);
    const text =
      'diff --git /w/a /w/b\nsimilarity index 100%\nrename from /w/a\nrename to /w/b\n' +
      'diff --git /w/x.png /w/x.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\n';
    assert.deepEqual(decodeDiff({ changes: list, patch: patch(text) }), expected);
  });

  void it('always shows files named only in its patch and unknown parts', () => {
    const text = `${head('/w/a')}@@ -1 +1 @@\n-a\n+b\n${head('/etc/passwd')}@@ -1 +1 @@\n-x\n+y\n`;
    const paths = (diff: object) =>
      requestedAction({ toolKind: 'edit', content: decodeDiff({ ...diff }), locations: [] });
    const listed = paths({ changes: changes(modify('/w/a')), patch: patch(text) });
    assert.deepEqual([listed.paths, listed.isComplete], [['/w/a', '/etc/passwd'], true]);
    for (const strange of [
      { changes: changes(modify('/w/a')), patch: { format: 'ed_script', text: '1d' } },
      { changes: changes(modify('/w/a')), patch: patch('rm -rf /\n') },
      { changes: changes(modify('/w/a')), patch: patch(`${head('/w/a')}@@ -1,3 +1 @@\n-a\n`) },
      { changes: changes(modify('/w/a'), { operation: 'modify' }) },
      { changes: 'all of them' },
      {},
    ]) {
      assert.equal(paths(strange).isComplete, false, JSON.stringify(strange));
    }
    const renamed = '--- /etc/shadow\n+++ /w/a\n@@ -1 +1 @@\n-a\n+b\n';
    assert.deepEqual(paths({ changes: changes(modify('/w/a')), patch: patch(renamed) }).paths, ['/w/a', '/etc/shadow']);
    const moved = paths({ changes: changes({ operation: 'move', oldPath: '/etc/hosts', path: '/w/b' }) });
    assert.deepEqual(moved.paths, ['/w/b', '/etc/hosts']);
  });

  void it('reads quoted names, timestamps, and lines that resemble names', () => {
    const text =
      '--- "/w/\\303\\244\\t\\"x\\".txt"\t2026-01-01\n+++ "/w/\\303\\244\\t\\"x\\".txt"\n@@ -1,2 +1,2 @@\n--- no name\n+++ no name\n same\n';
    assert.deepEqual(readGitPatch(text), [
      {
        oldPath: '/w/ä\t"x".txt',
        newPath: '/w/ä\t"x".txt',
        hunks: [{ oldText: '-- no name\nsame\n', newText: '++ no name\nsame\n', line: 1 }],
      },
    ]);
  });
});
