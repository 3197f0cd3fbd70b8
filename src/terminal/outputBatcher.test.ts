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

test('sends the first chunk immediately and batches the next ones', () => {
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

test('pauses the source during a flood until its batch is sent', () => {
  const { batcher, seen, tick } = setUp();
  batcher.push('a');
  batcher.push('0123456789');
  batcher.push('x');
  assert.deepEqual(seen, ['a', '(pause)']);
  tick();
  assert.deepEqual(seen, ['a', '(pause)', '0123456789x', '(resume)']);
});

test('flush sends pending output, and dispose leaves no timer', () => {
  const { batcher, seen, timers } = setUp();
  batcher.push('a');
  batcher.push('b');
  batcher.flush();
  assert.deepEqual(seen, ['a', 'b']);
  batcher.dispose();
  assert.equal(timers.length, 0);
});
