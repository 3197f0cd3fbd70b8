import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentBlock } from '../../shared/transcript/content';
import { promptContent } from './promptContent';

const text = { type: 'text', text: 'look' } as const;
const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } as const;
const content: readonly ContentBlock[] = [text, link, image, audio];
const read = (uri: string) => Promise.resolve(uri === link.uri ? 'let a;\n' : undefined);

test('an agent that supports everything gets file text, images, and audio', async () => {
  const can = { image: true, audio: true, embeddedContext: true };
  assert.deepEqual(await promptContent(content, can, read), {
    blocks: [text, { type: 'resource', resource: { uri: link.uri, text: 'let a;\n' } }, image, audio],
    unsupportedBlocks: [],
  });
});

test('an agent that supports only text and links reports the unsupported blocks', async () => {
  const can = { image: false, audio: false, embeddedContext: false };
  const noRead = () => assert.fail('nothing is read that is not sent');
  assert.deepEqual(await promptContent(content, can, noRead), {
    blocks: [text, link],
    unsupportedBlocks: [image, audio],
  });
  assert.deepEqual((await promptContent(content, undefined, noRead)).blocks, [text, link]);
});

test('sends unsupported audio files as links and reports them', async () => {
  const file = { ...audio, uri: 'file:///w/a%20b.wav' };
  const asLink = { type: 'resource_link', uri: file.uri, name: 'a b.wav', mimeType: 'audio/wav' };
  const can = { image: false, audio: false, embeddedContext: true };
  assert.deepEqual(await promptContent([file], can, read), { blocks: [asLink], unsupportedBlocks: [file] });
  assert.deepEqual((await promptContent([file], { ...can, audio: true }, read)).blocks, [audio]);
});

test('sends files that are not readable as text as links', async () => {
  const other = { ...link, uri: 'file:///w/b.bin', name: 'b.bin' };
  const can = { image: false, audio: false, embeddedContext: true };
  assert.deepEqual((await promptContent([other], can, read)).blocks, [other]);
});

test('sends only a link if only the link is meant', async () => {
  const can = { image: false, audio: false, embeddedContext: true };
  const noRead = () => assert.fail('nothing is read that is not sent');
  const { blocks } = await promptContent([{ ...link, linkOnly: true }], can, noRead);
  assert.deepEqual(blocks, [link]);
});

test('sends fileless text as message text to agents without embedded context', async () => {
  const block = { type: 'resource', uri: 'attachment:///a%20b.diff', text: '-one\n+```\n' } as const;
  const { type, uri, text: content } = block;
  const noRead = () => assert.fail('there is nothing to read');
  const can = { image: false, audio: false, embeddedContext: true };
  assert.deepEqual((await promptContent([block], can, noRead)).blocks, [{ type, resource: { uri, text: content } }]);
  assert.deepEqual((await promptContent([block], undefined, noRead)).blocks, [
    { type: 'text', text: 'a b.diff:\n````\n-one\n+```\n````' },
  ]);
});
