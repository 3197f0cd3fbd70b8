import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readMedia } from './mediaFile';
import { beforeTests } from '../../../../test/unit-support/beforeTests';

let folder = '';
beforeTests(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-media-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function read(name: string, bytes: Uint8Array | string) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return readMedia(path);
}

test('recognizes images and audio by file name', async () => {
  const types = [
    ['a.PNG', 'image', 'image/png'],
    ['a.mp3', 'audio', 'audio/mpeg'],
    ['a.wav', 'audio', 'audio/wav'],
    ['a.ogg', 'audio', 'audio/ogg'],
    ['a.m4a', 'audio', 'audio/mp4'],
    ['a.flac', 'audio', 'audio/flac'],
    ['a.webm', 'audio', 'audio/webm'],
  ];
  for (const [name, type, mimeType] of types) {
    assert.deepEqual(await read(name!, 'abc'), { type, mimeType, data: 'YWJj' });
  }
  assert.equal(await read('a.txt', 'abc'), undefined);
});

test('videos, large files, and missing files are not audio', async () => {
  assert.equal(await read('film.webm', '....V_VP9....A_OPUS'), undefined);
  assert.notEqual(await read('voice.webm', '....A_OPUS'), undefined);
  assert.equal(await read('long.wav', new Uint8Array(5_000_001)), undefined);
  assert.notEqual(await read('short.wav', new Uint8Array(5_000_000)), undefined);
  assert.equal(await readMedia(join(folder, 'gone.mp3')), undefined);
});
