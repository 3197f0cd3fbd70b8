import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScrollWatch } from './scrollWatch';

const sight = (first: number, last: number, version = 1) => ({ first, last, version });
const scrolled = (line: number, ...sights: ReturnType<typeof sight>[]) => {
  const watch = new ScrollWatch(line);
  return sights.map((one) => watch.isScrolled(one));
};

test("the editor's own way to a line isn't scrolling", () => {
  assert.deepEqual(scrolled(100, sight(1, 40), sight(30, 70), sight(65, 105), sight(80, 120)), [
    false,
    false,
    false,
    false,
  ]);
});

test('a few lines away from the middle are scrolling', () => {
  assert.deepEqual(scrolled(100, sight(80, 120), sight(83, 123)), [false, true]);
  assert.deepEqual(scrolled(2, sight(1, 40), sight(3, 42)), [false, true]);
});

test('a line out of sight is scrolling, with wrapped lines too', () => {
  assert.deepEqual(scrolled(100, sight(80, 120), sight(101, 118)), [false, true]);
});

test("a change of the text or of the editor's height isn't scrolling", () => {
  assert.deepEqual(scrolled(100, sight(80, 120), sight(70, 110, 2), sight(70, 110, 2)), [false, false, false]);
  assert.deepEqual(scrolled(100, sight(80, 120), sight(80, 105)), [false, false]);
  assert.deepEqual(scrolled(100, sight(80, 120), sight(120, 160, 2), sight(121, 161, 2)), [false, false, false]);
});
