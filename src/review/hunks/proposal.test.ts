import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editedPrompt, proposedText, writtenText } from './proposal';

test('a proposal without an old text is the whole file', () => {
  assert.equal(proposedText('old\n', [{ newText: 'new\r\n' }]), 'new\n');
  assert.equal(proposedText(undefined, [{ oldText: '', newText: 'new' }]), 'new');
});

test('puts a piece where its old text is', () => {
  const file = 'one\r\ntwo\r\nthree\r\n';
  assert.equal(proposedText(file, [{ oldText: 'two\n', newText: 'TWO\n' }]), 'one\nTWO\nthree\n');
  assert.equal(proposedText(file, [{ oldText: 'four', newText: '4' }]), undefined);
});

test('puts several pieces into one file, each after the one before', () => {
  const pieces = [
    { oldText: 'one', newText: 'uno' },
    { oldText: 'uno\ntwo', newText: 'uno dos' },
  ];
  assert.equal(proposedText('one\ntwo\n', pieces), 'uno dos\n');
});

test('guesses no place among several', () => {
  const piece = { oldText: 'x', newText: 'y' };
  assert.equal(proposedText('x\nx\n', [piece]), undefined);
  assert.equal(proposedText('x\nx\n', [{ ...piece, line: 2 }]), 'x\ny\n');
  assert.equal(proposedText('x\nx\n', [{ ...piece, line: 7 }]), undefined);
  assert.equal(proposedText('x\nx\n', [piece], true), 'y\ny\n');
});

test('finds a piece with line breaks that the file lacks', () => {
  assert.equal(proposedText('Hello wrld', [{ oldText: '\nHello wrld\n', newText: '\nHello world\n' }]), 'Hello world');
  assert.equal(proposedText('a\nb', [{ oldText: 'b\n', newText: 'c\n' }]), 'a\nc');
  assert.equal(proposedText('b\na', [{ oldText: '\nb', newText: '\nc' }]), 'c\na');
  assert.equal(proposedText('a\nbc\n', [{ oldText: 'b\n', newText: 'c\n' }]), undefined);
});

test('an insertion of $& stays as it is', () => {
  assert.equal(proposedText('a b', [{ oldText: 'b', newText: '$&$1' }], true), 'a $&$1');
});

test('tells which version was written', () => {
  const proposal = { before: 'a\n', agents: 'b\n', mine: 'c\n' };
  assert.equal(writtenText('c\r\n', proposal), 'mine');
  assert.equal(writtenText('b\n', proposal), 'agents');
  assert.equal(writtenText('a\n', proposal), 'before');
  assert.equal(writtenText('b', proposal), 'other');
  assert.equal(writtenText(undefined, proposal), 'other');
  assert.equal(writtenText(undefined, { ...proposal, before: undefined }), 'before');
});

test('tells the agent what the user changed', () => {
  assert.equal(
    editedPrompt([{ path: 'src/a.ts', agents: 'one\ntwo\n', mine: 'one\n2\n' }]),
    [
      'I changed your edit before I allowed it. This is the difference between your version and mine:',
      'src/a.ts:',
      '```diff\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n```',
      'The file has my version now. Keep it in your next edits.',
    ].join('\n\n'),
  );
  assert.match(editedPrompt([{ path: 'a', agents: 'one\n', mine: 'one' }]), /^a: without a line break at the end$/m);
  const long = 'x\n'.repeat(20_000);
  assert.match(editedPrompt([{ path: 'a', agents: '', mine: long }]), /a: read the file/);
});
