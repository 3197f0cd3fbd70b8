import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attachment } from '../../src/shared/transcript/content';
import { MentionedAttachments } from './mentioned';

const file = (name: string): Attachment => ({ type: 'resource_link', uri: `file:///w/${name}`, name });

test('removes and restores an attachment with its word', () => {
  const mentioned = new MentionedAttachments();
  const retry = file('retry.ts');
  mentioned.add('@retry.ts', retry);
  assert.deepEqual(mentioned.follow('See @retry.ts '), { added: [retry], removed: [] });
  assert.deepEqual(mentioned.follow('See @retry.ts now.'), { added: [], removed: [] });
  assert.deepEqual(mentioned.follow('See @retry.t'), { added: [], removed: [retry] });
  assert.deepEqual(mentioned.follow('See @retry.ts.'), { added: [retry], removed: [] });
});

test('a longer word is different; attachments without a word stay', () => {
  const mentioned = new MentionedAttachments();
  const retry = file('retry.ts');
  mentioned.add('@retry.ts', retry);
  mentioned.follow('@retry.ts');
  assert.deepEqual(mentioned.follow('@retry.tsx @retry.ts-old @retry.ts.bak').removed, [retry]);
  mentioned.forget(retry);
  assert.deepEqual(mentioned.follow('@retry.ts'), { added: [], removed: [] });
});

test("connects another draft's attachments with the words in its text", () => {
  const mentioned = new MentionedAttachments();
  const [a, b] = [file('a.ts'), file('b.ts')];
  mentioned.show('Compare @a.ts', [a, b]);
  assert.deepEqual(mentioned.follow(''), { added: [], removed: [a] });
  assert.equal(mentioned.isTaken('@a.ts', 'file:///other/a.ts'), false);
});

test('a word that mentions something else is not reused', () => {
  const mentioned = new MentionedAttachments();
  mentioned.show('@a.ts', [file('a.ts')]);
  assert.equal(mentioned.isTaken('@a.ts', 'file:///w/sub/a.ts'), true);
  assert.equal(mentioned.isTaken('@a.ts', 'file:///w/a.ts'), false);
});

test('one of two words for the same attachment is enough', () => {
  const mentioned = new MentionedAttachments();
  const a = file('a.ts');
  mentioned.add('@a.ts', a);
  mentioned.add('@w/a.ts', a);
  mentioned.follow('@a.ts @w/a.ts');
  assert.deepEqual(mentioned.follow('@w/a.ts').removed, []);
  assert.deepEqual(mentioned.follow('').removed, [a]);
});
