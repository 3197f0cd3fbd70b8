import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldBase } from './toldBase';

const text = (content: string) => ({ kind: 'text', text: content });

test('a whole text that a tool call tells is the base, and a file that it created had none', () => {
  assert.deepEqual(toldBase('new\n', [{ oldText: 'old\n', newText: 'new\n' }]), text('old\n'));
  assert.deepEqual(toldBase('new\n', [{ newText: 'new\n' }]), { kind: 'absent' });
  assert.deepEqual(toldBase('new\n', [{ oldText: '', newText: 'new\n' }]), text(''));
});

test('a part is put back where the new text stands exactly once', () => {
  assert.deepEqual(toldBase('a\nB\nc\n', [{ oldText: 'b', newText: 'B' }]), text('a\nb\nc\n'));
  assert.equal(toldBase('B\nB\n', [{ oldText: 'b', newText: 'B' }]), undefined);
  assert.equal(toldBase('aaa', [{ oldText: 'b', newText: 'aa' }]), undefined);
  assert.equal(toldBase('a\nc\n', [{ oldText: 'b', newText: 'B' }]), undefined);
  assert.equal(toldBase('a\n', [{ oldText: 'b', newText: '' }]), undefined);
  assert.equal(toldBase('a\nB\n', [{ newText: 'B' }]), undefined);
  assert.deepEqual(toldBase('a $& b', [{ oldText: '$1$$', newText: '$&' }]), text('a $1$$ b'));
});

test('several are taken back in turn, the last one first', () => {
  const diffs = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'three' },
  ];
  assert.deepEqual(toldBase('say three', diffs), text('say one'));
  assert.equal(toldBase('say three', diffs.toReversed()), undefined);
  assert.equal(toldBase('x', [{ oldText: 'a', newText: 'b' }, { newText: 'x' }]), undefined);
  assert.equal(toldBase('x', []), undefined);
});

test('agents leave carriage returns out: they come back', () => {
  assert.deepEqual(toldBase('a\r\nB\r\n', [{ oldText: 'a\nb\n', newText: 'a\nB\n' }]), text('a\r\nb\r\n'));
  assert.equal(toldBase('a\r\nB\nc\n', [{ oldText: 'a\nb', newText: 'a\nB' }]), undefined);
  assert.deepEqual(toldBase('a\r\nB\nc\n', [{ oldText: 'b\n', newText: 'B\n' }]), text('a\r\nb\nc\n'));
});
