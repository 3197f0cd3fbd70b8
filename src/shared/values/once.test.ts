import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from './once';

test('concurrent and later callers get the same value', async () => {
  let loads = 0;
  const get = once(async () => ({ number: ++loads }));
  const [first, second] = await Promise.all([get(), get()]);
  assert.equal(first, second);
  assert.equal(await get(), first);
  assert.equal(loads, 1);
});

test('the next caller retries after a failure', async () => {
  let loads = 0;
  const get = once(async () => {
    if (++loads === 1) throw new Error('not yet');
    return loads;
  });
  await Promise.all([assert.rejects(get(), /not yet/), assert.rejects(get(), /not yet/)]);
  assert.equal(await get(), 2);
});
