import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputBatcher } from './outputBatcher';

function setUp() {
  const seen: string[] = [];
  const timers: (() => void)[] = [];
  const batcher = new OutputBatcher({
    interval: 16,
    highWater: 10,
    timer: {
      start(action) {
        timers.push(action);
        return { dispose: () => void timers.splice(timers.indexOf(action), 1) };
      },
    },
    onBatch: (text) => seen.push(text),
    onPause: () => seen.push('(pause)'),
    onResume: () => seen.push('(resume)'),
  });
  return { batcher, seen, timers, tick: () => timers.shift()?.() };
}

test('the first piece goes out at once, what follows goes out together', () => {
  const { batcher, seen, timers, tick } = setUp();
  batcher.push('a');
  batcher.push('b');
  batcher.push('c');
  assert.deepEqual(seen, ['a']);
  tick();
  assert.deepEqual(seen, ['a', 'bc']);
  tick();
  assert.equal(timers.length, 0, 'no timer runs while nothing comes');
  batcher.push('d');
  assert.deepEqual(seen, ['a', 'bc', 'd']);
});

test('a flood makes the source wait until its batch is out', () => {
  const { batcher, seen, tick } = setUp();
  batcher.push('a');
  batcher.push('0123456789');
  batcher.push('x');
  assert.deepEqual(seen, ['a', '(pause)']);
  tick();
  assert.deepEqual(seen, ['a', '(pause)', '0123456789x', '(resume)']);
});

test('a flush sends what waits, and a disposed batcher leaves no timer', () => {
  const { batcher, seen, timers } = setUp();
  batcher.push('a');
  batcher.push('b');
  batcher.flush();
  assert.deepEqual(seen, ['a', 'b']);
  batcher.dispose();
  assert.equal(timers.length, 0);
});
