import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { BlobStore } from './blobStore';
import { tempFolder } from '../../test/unit-support/tempFolder';

test('content stored during a prune survives, even if it existed before', async (t) => {
  const folder = tempFolder(t);
  const store = new BlobStore(join(folder, 'contents'));
  const texts = Array.from({ length: 40 }, (_, at) => Buffer.from(`content ${at}`));
  for (const text of texts) await store.save(text);
  // At each step of the prune, one of them is stored again.
  const pruned = store.prune(0, new Set()).then(() => true);
  const again: Promise<string>[] = [];
  for (const text of texts) {
    again.push(store.save(text));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(await pruned, true);
  for (const hash of await Promise.all(again)) assert.ok(await store.get(hash), hash);
  await store.prune(0, new Set());
  for (const hash of await Promise.all(again)) assert.equal(await store.get(hash), undefined);
});
