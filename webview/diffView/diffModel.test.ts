import { test } from 'node:test';
import assert from 'node:assert/strict';
import { countRows, diffModel, diffRows, type DiffRow } from './diffModel';

const short = (rows: Iterable<DiffRow>) =>
  [...rows].map((row) =>
    row.kind === 'gap' ? `~${row.count}` : `${{ same: ' ', add: '+', del: '-' }[row.kind]}${row.line} ${row.text}`,
  );
const lines = (count: number, prefix = 'line') => Array.from({ length: count }, (_, at) => `${prefix} ${at + 1}`);

test('shows a changed line as removed and added between its neighbors', () => {
  const model = diffModel('a\nb\nc\n', 'a\nx\nc\n');
  assert.deepEqual(short(diffRows(model)), [' 1 a', '-2 b', '+2 x', ' 3 c']);
  assert.deepEqual([model.added, model.removed], [1, 1]);
});

test('folds unchanged regions between changes and omits them at the ends', () => {
  const before = lines(60);
  const after = before.with(9, 'new 10').with(49, 'new 50');
  const model = diffModel(before.join('\n'), after.join('\n'));
  const rows = short(diffRows(model));
  assert.deepEqual(rows.slice(0, 6), [
    ' 7 line 7',
    ' 8 line 8',
    ' 9 line 9',
    '-10 line 10',
    '+10 new 10',
    ' 11 line 11',
  ]);
  assert.ok(rows.includes('~33'));
  assert.equal(rows.at(-1), ' 53 line 53');
  assert.equal(rows.length, countRows(model));
  const gap = [...diffRows(model)].find((row) => row.kind === 'gap');
  const unfolded = new Set(gap?.kind === 'gap' ? [gap.segment] : []);
  assert.equal([...diffRows(model, unfolded)].length, rows.length - 1 + 33);
  assert.equal(countRows(model, unfolded), rows.length - 1 + 33);
});

test('shows a new, an emptied, and an unchanged file correctly', () => {
  assert.deepEqual(short(diffRows(diffModel('', 'a\nb\n'))), ['+1 a', '+2 b']);
  assert.deepEqual(short(diffRows(diffModel('a\n', ''))), ['-1 a']);
  assert.deepEqual(short(diffRows(diffModel('a\nb', 'a\nb'))), []);
});

test('ignores differences in line endings', () => {
  const model = diffModel('a\r\nb\r\n', 'a\nb\n');
  assert.deepEqual([model.added, model.removed], [0, 0]);
});

test('applying a diff to the old text produces the new one', () => {
  let seed = 5;
  const random = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % limit;
  };
  for (let round = 0; round < 200; round++) {
    const before = Array.from({ length: random(30) }, () => `l${random(6)}`);
    const after = before.flatMap((line) => [[line], [], [line, `n${random(6)}`]][random(3)] ?? []);
    const model = diffModel(before.join('\n'), after.join('\n'));
    const all = new Set(model.segments.keys());
    const built = [...diffRows(model, all)].flatMap((row) =>
      row.kind === 'same' || row.kind === 'add' ? [row.text] : [],
    );
    assert.deepEqual(built, after, `round ${round}`);
    assert.equal(countRows(model), [...diffRows(model)].length);
  }
});

test('compares entirely different texts in bounded time', () => {
  const model = diffModel(lines(20_000, 'old').join('\n'), lines(20_000, 'new').join('\n'));
  assert.equal(model.added, 20_000);
  assert.equal(diffModel('x'.repeat(1_500_000), 'y'.repeat(1_500_000)).tooLarge, true);
});
