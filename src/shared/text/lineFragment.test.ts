import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitLineFragment, withLines } from './lineFragment';

test('reads the lines of a file from its URI', () => {
  for (const lines of [
    { start: 3, end: 9 },
    { start: 4, end: 4 },
  ]) {
    assert.deepEqual(splitLineFragment(withLines('file:///a%23b.ts', lines)), { uri: 'file:///a%23b.ts', lines });
  }
  assert.equal(withLines('file:///a.ts', { start: 4, end: 4 }), 'file:///a.ts#L4');
  assert.deepEqual(splitLineFragment('file:///a.ts'), { uri: 'file:///a.ts' });
  assert.deepEqual(splitLineFragment('file:///a.ts#Lots'), { uri: 'file:///a.ts#Lots' });
  assert.deepEqual(splitLineFragment('file:///a.ts#L9-L3').lines, { start: 9, end: 9 });
});
