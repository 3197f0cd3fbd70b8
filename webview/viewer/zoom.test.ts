import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centered, fitted, kept, zoomed } from './zoom';

const frame = { width: 400, height: 300 };

test('fits a large image and shows a small one at its size', () => {
  assert.deepEqual(fitted({ width: 800, height: 400 }, frame, 1), { x: 0, y: 50, scale: 0.5 });
  assert.deepEqual(fitted({ width: 100, height: 100 }, frame, 1), { x: 150, y: 100, scale: 1 });
  assert.deepEqual(fitted({ width: 100, height: 100 }, frame, 2), { x: 100, y: 50, scale: 2 });
});

test('zooming keeps the point under the pointer in place', () => {
  const view = zoomed({ x: 0, y: 0, scale: 1 }, 2, 100, 50);
  assert.deepEqual(view, { x: -100, y: -50, scale: 2 });
  assert.deepEqual(zoomed(view, 0.5, 100, 50), { x: 0, y: 0, scale: 1 });
});

test('limits the scale', () => {
  assert.equal(zoomed({ x: 0, y: 0, scale: 10 }, 100, 0, 0).scale, 16);
  assert.equal(zoomed({ x: 0, y: 0, scale: 0.1 }, 0.001, 0, 0).scale, 0.05);
  assert.equal(centered({ width: 10, height: 10 }, frame, 1000).scale, 16);
});

test('keeps the image in sight', () => {
  const image = { width: 800, height: 100 };
  assert.deepEqual(kept({ x: 500, y: 500, scale: 1 }, image, frame), { x: 0, y: 100, scale: 1 });
  assert.deepEqual(kept({ x: -900, y: -9, scale: 1 }, image, frame), { x: -400, y: 100, scale: 1 });
});
