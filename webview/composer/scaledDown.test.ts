import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaledDown } from './scaledDown';

const pictureOf = (width: number, height: number, bytesPerPixel: number) => ({
  size: () => Promise.resolve({ width, height }),
  draw: (_: File, w: number, h: number) =>
    Promise.resolve(new Blob([new Uint8Array(Math.round(w * h * bytesPerPixel))], { type: 'image/png' })),
});
const file = new File(['x'], 'a.png', { type: 'image/png' });

test('an image becomes smaller until it fits', async () => {
  const smaller = await scaledDown(file, 1_000_000, pictureOf(4000, 2000, 1));
  assert.equal(smaller?.name, 'a.png');
  assert.ok(smaller.size <= 1_000_000 && smaller.size > 400_000);
});

test('an image that can’t be read isn’t taken', async () => {
  const broken = { ...pictureOf(1, 1, 1), size: () => Promise.reject(new Error('no image')) };
  assert.equal(await scaledDown(file, 10, broken), undefined);
});
