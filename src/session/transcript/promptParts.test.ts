import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attachment } from '../../shared/transcript/content';
import { contentOf, promptOf } from './promptParts';

test('a message is unchanged after conversion to content and back', () => {
  const attachments: readonly Attachment[] = [
    { type: 'resource_link', uri: 'file:///w/a.ts#L1-L2', name: 'a.ts' },
    { type: 'resource_link', uri: 'file:///w/b.ts', name: 'b.ts', linkOnly: true },
    { type: 'resource', uri: 'attachment:///Terminal%20zsh.txt', name: 'Terminal zsh.txt', text: 'out\n' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png', name: 'c.png', uri: 'file:///w/c.png' },
  ];
  const prompt = { text: 'Look', attachments };
  assert.deepEqual(promptOf(contentOf(prompt)), prompt);
});

test('the text of a file is attached again as the file', () => {
  const content = [{ type: 'resource', uri: 'file:///w/a.ts', text: 'old' }] as const;
  assert.deepEqual(promptOf(content).attachments, [{ type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' }]);
});
