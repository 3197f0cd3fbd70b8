import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SerialQueue } from './serialQueue';

function gate(): { open: () => void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

test('runs tasks of one key in order and cleans up after them', async () => {
  const queue = new SerialQueue();
  const first = gate();
  const seen: string[] = [];
  const one = queue.run('file', async () => {
    seen.push('one begins');
    await first.passed;
    seen.push('one ends');
  });
  const two = queue.run('file', async () => {
    seen.push('two');
  });
  const other = queue.run('other', async () => {
    seen.push('other');
  });
  await other;
  assert.deepEqual(seen, ['one begins', 'other']);
  first.open();
  await Promise.all([one, two]);
  assert.deepEqual(seen, ['one begins', 'other', 'one ends', 'two']);
  assert.equal(queue.size, 0);
});

test('a failure reaches its caller and does not stop the next task', async () => {
  const queue = new SerialQueue();
  const failing = queue.run('file', async () => Promise.reject(new Error('no')));
  const next = queue.run('file', async () => 7);
  await assert.rejects(failing, /no/);
  assert.equal(await next, 7);
});

test('aborting a waiting task rejects immediately and the task never runs', async () => {
  const queue = new SerialQueue();
  const first = gate();
  const abort = new AbortController();
  let ran = false;
  const running = queue.run('file', () => first.passed);
  const waiting = queue.run(
    'file',
    async () => {
      ran = true;
    },
    abort.signal,
  );
  abort.abort();
  await assert.rejects(waiting);
  first.open();
  await running;
  await queue.run('file', async () => undefined);
  assert.equal(ran, false);
});
