import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestMatches } from './fuzzyMatch';

const paths = [
  'src/host/context/search/workspaceFiles.ts',
  'src/host/session.ts',
  'src/session/store.ts',
  'docs/session-notes.md',
  'README.md',
  'src/wallflower/x.ts',
];

async function found(typed: string, limit = 10): Promise<readonly string[]> {
  const items = paths.map((path) => ({ text: path, nameAt: path.lastIndexOf('/') + 1 }));
  return ((await bestMatches(items, typed, limit)) ?? []).map(({ item }) => item.text);
}

test('letters match word starts and camel humps before letters inside words', async () => {
  assert.equal((await found('wf'))[0], 'src/host/context/search/workspaceFiles.ts');
  assert.equal((await found('shs'))[0], 'src/host/session.ts');
  assert.equal((await found('sn'))[0], 'docs/session-notes.md');
});

test('ranks names before folders, ignores case, and matches letters in order', async () => {
  assert.deepEqual(await found('session'), ['src/host/session.ts', 'docs/session-notes.md', 'src/session/store.ts']);
  assert.deepEqual(await found('NOTES'), ['docs/session-notes.md']);
  assert.deepEqual(await found('session/st'), ['src/session/store.ts']);
  assert.deepEqual(await found('session\\st'), ['src/session/store.ts']);
  assert.deepEqual(await found('rdm'), ['README.md']);
  assert.deepEqual(await found('nowhere'), []);
  assert.deepEqual(await found('session', 1), ['src/host/session.ts']);
});

test('skips what has the letters only here and there', async () => {
  const items = ['README.md', 'package/server/user.ts', 'host/registry/download.ts'].map((text) => ({
    text,
    nameAt: text.lastIndexOf('/') + 1,
  }));
  const names = async (typed: string) => ((await bestMatches(items, typed, 10)) ?? []).map(({ item }) => item.text);
  assert.deepEqual(await names('retry'), []);
  assert.deepEqual(await names('rdm'), ['README.md']);
  assert.deepEqual(await names('server/us'), ['package/server/user.ts']);
});

test('reports the matched letters', async () => {
  const [match] = (await bestMatches([{ text: 'a/workspaceFiles.ts', nameAt: 2 }], 'wf', 1)) ?? [];
  assert.deepEqual(match?.letters, [2, 11]);
});

test('a search of many files yields, and ends when another starts', async () => {
  const many = Array.from({ length: 200_000 }, (_, at) => `folder/inner${at % 300}/sessionFile${at}.ts`);
  const items = many.map((path) => ({ text: path, nameAt: path.lastIndexOf('/') + 1 }));
  let isStale = false;
  const other = new Promise((resolve) => setImmediate(resolve)).then(() => (isStale = true));
  const search = bestMatches(items, 'sess', 10, () => isStale);
  await other;
  assert.equal(await search, undefined);
});
