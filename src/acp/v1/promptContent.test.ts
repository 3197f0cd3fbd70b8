import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentBlock } from '../../shared/content';
import { promptContent } from './promptContent';

const text = { type: 'text', text: 'look' } as const;
const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } as const;
const content: readonly ContentBlock[] = [text, link, image, audio];
const read = (uri: string) => Promise.resolve(uri === link.uri ? 'let a;\n' : undefined);

test('an agent that takes everything gets the file’s text, the picture and the sound', async () => {
  const can = { image: true, audio: true, embeddedContext: true };
  assert.deepEqual(await promptContent(content, can, read), {
    blocks: [text, { type: 'resource', resource: { uri: link.uri, text: 'let a;\n' } }, image, audio],
    unsupportedBlocks: [],
  });
});

test('an agent that takes text and links alone gets nothing else, and what it does not get is known', async () => {
  const can = { image: false, audio: false, embeddedContext: false };
  const noRead = () => assert.fail('nothing is read that is not sent');
  assert.deepEqual(await promptContent(content, can, noRead), {
    blocks: [text, link],
    unsupportedBlocks: [image, audio],
  });
  assert.deepEqual((await promptContent(content, undefined, noRead)).blocks, [text, link]);
});

test('sound of a file goes as a link where it is not taken, and is known not to have gone as sound', async () => {
  const file = { ...audio, uri: 'file:///w/a%20b.wav' };
  const asLink = { type: 'resource_link', uri: file.uri, name: 'a b.wav', mimeType: 'audio/wav' };
  const can = { image: false, audio: false, embeddedContext: true };
  assert.deepEqual(await promptContent([file], can, read), { blocks: [asLink], unsupportedBlocks: [file] });
  assert.deepEqual((await promptContent([file], { ...can, audio: true }, read)).blocks, [audio]);
});

test('what cannot be read as text goes as a link', async () => {
  const other = { ...link, uri: 'file:///w/b.bin', name: 'b.bin' };
  const can = { image: false, audio: false, embeddedContext: true };
  assert.deepEqual((await promptContent([other], can, read)).blocks, [other]);
});
