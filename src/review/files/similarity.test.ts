import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileState } from './fileState';
import { similarity, mostSimilar } from './similarity';

const text = (content: string): FileState => ({ kind: 'text', text: content });
const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';

test('prefers equal content to similar content, and the same name to another', () => {
  const candidates = [
    { path: 'x/alike', state: text(ten.replace('5', 'five')) },
    { path: 'x/equal', state: text(ten) },
    { path: 'y/name', state: text(ten) },
  ];
  assert.equal(mostSimilar('z/name', text(ten), candidates), 'y/name');
  assert.equal(mostSimilar('z/other', text(ten), candidates), 'x/equal');
  assert.equal(mostSimilar('z/other', text(ten.replace('5', 'five\nmore')), candidates), 'x/alike');
});

test('does not match files with little or no content in common', () => {
  const candidates = [
    { path: 'a', state: text('1\n2\n3\n') },
    { path: 'empty', state: text('') },
    { path: 'gone', state: { kind: 'absent' as const } },
  ];
  assert.equal(mostSimilar('b', text(ten), candidates), undefined);
  assert.equal(mostSimilar('b', text(''), candidates), undefined);
  assert.equal(similarity(['a', '', 'b'], [' b', 'a', 'c', 'd']), 0.5);
  assert.equal(similarity(['', ''], ['']), 0);
});

test('matches binary files by hash', () => {
  const binary = (hash: string): FileState => ({ kind: 'binary', hash, size: 3 });
  const candidates = [
    { path: 'a', state: binary('one') },
    { path: 'b', state: binary('two') },
  ];
  assert.equal(mostSimilar('c', binary('two'), candidates), 'b');
  assert.equal(mostSimilar('c', binary('three'), candidates), undefined);
});
