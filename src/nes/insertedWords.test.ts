import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertedWords } from './insertedWords';

test('an inserted line is drawn with its line break', () => {
  assert.equal(insertedWords('x = 1'), 'x = 1');
  assert.equal(insertedWords('  foo();\n'), 'foo(); ↵');
  assert.equal(insertedWords('\n  foo();'), '↵ foo();');
  assert.equal(insertedWords('\n\n'), '↵↵');
  assert.equal(insertedWords('\nfoo();\nbar();\n'), '↵ foo(); (1 more line) ↵');
  assert.equal(insertedWords('a\nb\nc'), 'a (2 more lines)');
});
