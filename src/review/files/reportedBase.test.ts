import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportedBase } from './reportedBase';

const text = (content: string) => ({ kind: 'text', text: content });

test('uses a reported whole text as base, and none for new files', () => {
  assert.deepEqual(reportedBase('new\n', [{ oldText: 'old\n', newText: 'new\n' }]), text('old\n'));
  assert.deepEqual(reportedBase('new\n', [{ newText: 'new\n' }]), { kind: 'absent' });
  assert.deepEqual(reportedBase('new\n', [{ oldText: '', newText: 'new\n' }]), text(''));
});

test('replaces a part if its new text occurs exactly once', () => {
  assert.deepEqual(reportedBase('a\nB\nc\n', [{ oldText: 'b', newText: 'B' }]), text('a\nb\nc\n'));
  assert.equal(reportedBase('B\nB\n', [{ oldText: 'b', newText: 'B' }]), undefined);
  assert.equal(reportedBase('aaa', [{ oldText: 'b', newText: 'aa' }]), undefined);
  assert.equal(reportedBase('a\nc\n', [{ oldText: 'b', newText: 'B' }]), undefined);
  assert.equal(reportedBase('a\n', [{ oldText: 'b', newText: '' }]), undefined);
  assert.equal(reportedBase('a\nB\n', [{ newText: 'B' }]), undefined);
  assert.deepEqual(reportedBase('a $& b', [{ oldText: '$1$$', newText: '$&' }]), text('a $1$$ b'));
});

test('reverts several changes in reverse order', () => {
  const diffs = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'three' },
  ];
  assert.deepEqual(reportedBase('say three', diffs), text('say one'));
  assert.equal(reportedBase('say three', diffs.toReversed()), undefined);
  assert.equal(reportedBase('x', [{ oldText: 'a', newText: 'b' }, { newText: 'x' }]), undefined);
  assert.equal(reportedBase('x', []), undefined);
});

test('restores carriage returns that agents omit', () => {
  assert.deepEqual(reportedBase('a\r\nB\r\n', [{ oldText: 'a\nb\n', newText: 'a\nB\n' }]), text('a\r\nb\r\n'));
  assert.equal(reportedBase('a\r\nB\nc\n', [{ oldText: 'a\nb', newText: 'a\nB' }]), undefined);
  assert.deepEqual(reportedBase('a\r\nB\nc\n', [{ oldText: 'b\n', newText: 'B\n' }]), text('a\r\nb\nc\n'));
});
