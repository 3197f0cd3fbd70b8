import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeContentBlock } from './decodeContent';

void describe('a content block', () => {
  void it('is an image, also with its data in a source', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    assert.deepEqual(decodeContentBlock(image), image);
    const source = { type: 'base64', data: 'AAAA', media_type: 'image/png' };
    assert.deepEqual(decodeContentBlock({ type: 'image', source }), image);
    assert.equal(decodeContentBlock({ type: 'image', source: { type: 'url', url: 'x' } })?.type, 'unknown');
  });
});
