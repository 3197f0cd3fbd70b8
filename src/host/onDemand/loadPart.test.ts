import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPart, once } from './loadPart';

test('what is loaded once is the same for all who ask, also while it is on its way', async () => {
  let loads = 0;
  const get = once(async () => ({ number: ++loads }));
  const [first, second] = await Promise.all([get(), get()]);
  assert.equal(first, second);
  assert.equal(await get(), first);
  assert.equal(loads, 1);
});

test('what failed is tried again by the next one who asks', async () => {
  let loads = 0;
  const get = once(async () => {
    if (++loads === 1) throw new Error('not yet');
    return loads;
  });
  await Promise.all([assert.rejects(get(), /not yet/), assert.rejects(get(), /not yet/)]);
  assert.equal(await get(), 2);
});

test('a bundle that is not there is a sentence with a cause and a next step, without the files that wanted it', async () => {
  const missing = new Error("Cannot find module './onDemand.js'\nRequire stack:\n- /home/someone/extension.js");
  await assert.rejects(
    loadPart(() => Promise.reject(missing)),
    ({ message, cause }: Error) => {
      const reason = "A part of Parley could not be loaded: Cannot find module './onDemand.js'.";
      assert.equal(message, `${reason} Reload the window; if that does not help, install Parley again.`);
      assert.equal(cause, missing);
      return true;
    },
  );
});
