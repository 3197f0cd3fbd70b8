import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankFiles } from './rankFiles';

const files = ['src/host/session.ts', 'src/session/store.ts', 'docs/session-notes.md', 'README.md', 'src/a/b/sess.ts'];
const found = (typed: string, limit = 10) =>
  rankFiles(
    files.map((path) => ({ path })),
    typed,
    limit,
  ).map(({ path }) => path);

test('ranks names before folders, prefixes before infixes, and subsequences last', () => {
  assert.deepEqual(found('sess'), [
    'src/a/b/sess.ts',
    'src/host/session.ts',
    'docs/session-notes.md',
    'src/session/store.ts',
  ]);
  assert.deepEqual(found('NOTES'), ['docs/session-notes.md']);
  assert.deepEqual(found('session/st'), ['src/session/store.ts']);
  assert.deepEqual(found('rdm'), ['README.md']);
  assert.deepEqual(found('nowhere'), []);
});

test('keeps the order up to the limit without a query', () => {
  assert.deepEqual(found('', 2), files.slice(0, 2));
});
