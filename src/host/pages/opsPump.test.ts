import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import { OpsPump, type PumpClock } from './opsPump';

const id = 'm1' as EntryId;
const chunk = (text: string): TranscriptOp => ({ op: 'appendText', id, block: 0, text });

class FakeClock implements PumpClock {
  time = 0;
  private timers: { at: number; action: () => void }[] = [];
  now(): number {
    return this.time;
  }
  schedule(action: () => void, ms: number) {
    const timer = { at: this.time + ms, action };
    this.timers.push(timer);
    return { dispose: () => void (this.timers = this.timers.filter((other) => other !== timer)) };
  }
  advance(ms: number): void {
    this.time += ms;
    const due = this.timers.filter((timer) => timer.at <= this.time);
    this.timers = this.timers.filter((timer) => timer.at > this.time);
    for (const timer of due) timer.action();
  }
}

function setUp() {
  const clock = new FakeClock();
  const posts: { ops: readonly TranscriptOp[]; from: number; to: number; done: (taken: boolean) => void }[] = [];
  const pump = new OpsPump(
    5,
    (ops, from, to) => new Promise((done) => void posts.push({ ops, from, to, done })),
    clock,
  );
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { clock, posts, pump, settle };
}

test('posts ops immediately after a pause', () => {
  const { posts, pump } = setUp();
  pump.push([chunk('a')], 6);
  assert.equal(posts.length, 1);
  assert.deepEqual([posts[0]?.from, posts[0]?.to], [5, 6]);
});

test('joins ops that arrive during two quick posts into the next', () => {
  const { clock, posts, pump } = setUp();
  pump.push([chunk('a')], 6);
  for (let rev = 7; rev < 107; rev += 1) pump.push([chunk('b')], rev);
  assert.equal(posts.length, 2);
  clock.advance(24);
  assert.equal(posts.length, 3);
  assert.deepEqual(posts[2]?.ops, [chunk('b'.repeat(99))]);
  assert.deepEqual([posts[2].from, posts[2].to], [7, 106]);
});

test('waits for a page that confirms none of four posts', async () => {
  const { clock, posts, pump, settle } = setUp();
  for (let rev = 6; rev < 206; rev += 1) {
    pump.push([chunk('a')], rev);
    clock.advance(1);
  }
  assert.equal(posts.length, 4);
  posts[0]?.done(true);
  await settle();
  assert.equal(posts.length, 5);
  assert.equal(posts[4]?.to, 205);
});

test('posts a slightly early chunk without waiting for the previous one', () => {
  const { clock, posts, pump } = setUp();
  pump.push([chunk('a')], 6);
  clock.advance(16);
  pump.push([chunk('b')], 7);
  assert.equal(posts.length, 2);
});

test('posts a flood of ops once per frame', async () => {
  const { clock, posts, pump, settle } = setUp();
  for (let at = 0, rev = 6; at < 120; at += 1, rev += 1) {
    pump.push([chunk('x')], rev);
    posts.at(-1)?.done(true);
    await settle();
    clock.advance(1);
  }
  assert.ok(posts.length <= 12, `${posts.length} posts in 120 ms`);
  assert.ok(posts.length >= 8, `${posts.length} posts in 120 ms`);
});

test('posts to a hidden page once a second, and immediately when shown', async () => {
  const { clock, posts, pump, settle } = setUp();
  pump.push([chunk('a')], 6);
  posts[0]?.done(true);
  await settle();
  pump.setVisible(false);
  pump.push([chunk('b')], 7);
  clock.advance(500);
  assert.equal(posts.length, 1);
  pump.setVisible(true);
  assert.equal(posts.length, 2);
});

test('a failed post does not stop the pump', async () => {
  const { clock, posts, pump, settle } = setUp();
  for (const [index, text] of ['a', 'b', 'c'].entries()) pump.push([chunk(text)], 6 + index);
  assert.equal(posts.length, 2);
  posts[0]?.done(false);
  await settle();
  clock.advance(30);
  assert.equal(posts.length, 3);
});

test('posts nothing after disposal', async () => {
  const { clock, posts, pump, settle } = setUp();
  for (const [index, text] of ['a', 'b', 'c'].entries()) pump.push([chunk(text)], 6 + index);
  pump.dispose();
  posts[0]?.done(true);
  clock.advance(2000);
  await settle();
  assert.equal(posts.length, 2);
});
