import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync('docs/compare.md', 'utf8');
const [head = '', , ...rows] = page.split('\n').filter((line) => line.startsWith('|'));
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

test('what Parley does in the comparison names a test', () => {
  assert.ok(rows.length >= 10);
  for (const row of rows) {
    const [what = '', own = ''] = cellsOf(row);
    const named = [...own.matchAll(/\]\(\.\.\/(\S+\.test\.ts) ['"](.+?)['"]\)/g)];
    assert.ok(named.length > 0, what);
    for (const [, file = '', title = ''] of named)
      assert.ok(readFileSync(file, 'utf8').includes(title), `${file}: ${title}`);
  }
});

test('what others do in the comparison names a source', () => {
  const columns = cellsOf(head).length;
  const sources = new Set([...page.matchAll(/^\[([\w-]+)\]: https:\/\//gm)].map(([, name]) => name));
  for (const row of rows) {
    const [what = '', , ...others] = cellsOf(row);
    assert.equal(others.length, columns - 2, what);
    for (const cell of others) {
      const [, name] = /\]\[([\w-]+)\]/.exec(cell) ?? [];
      assert.ok(cell === '?' || sources.has(name), `${what}: ${cell}`);
    }
  }
});

test('every source of the comparison is listed with its date', () => {
  const [, list = ''] = page.split('## Sources');
  assert.match(list, /^\s*Read on \d{1,2} \w+ 20\d\d/);
  for (const [, name] of page.matchAll(/\]\[([\w-]+)\]/g)) assert.ok(list.includes(`][${name}]`), name);
});
