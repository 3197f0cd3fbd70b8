import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RepeatedReport } from '../runner/repeated.mjs';
import { linesOfDiff, namesAt } from '../runner/testNames.mjs';

const file = `import { test } from 'node:test';

const two = 1 + 1;

test('adds (both)', () => {
  two;
});

for (const way of ['a', 'b']) {
  test(\`goes \${way}, too\`, () => {
    two;
  });
}

describe('a group', () => {
  it('is inside', () => {
    two;
  });
});
`;

const at = (...numbers: number[]) => {
  const names = namesAt(
    file,
    numbers.map((line) => ({ from: line, to: line })),
  );
  return names === 'all' ? names : names.map(({ pattern, part }) => [pattern.source, part]);
};

test('finds the tests around changed lines', () => {
  assert.deepEqual(at(6), [['adds \\(both\\)$', 'adds (both)']]);
  assert.deepEqual(at(11, 17), [
    ['goes .*, too$', 'goes '],
    ['is inside$', 'is inside'],
  ]);
  assert.deepEqual(at(1, 2), [], 'an import alone changes no test');
  assert.equal(at(3, 6), 'all', 'what several tests share changes all of them');
  assert.equal(at(15), 'all');
});

test('reads the changed lines of each file from a difference', () => {
  const diff = [
    '--- a/src/one.test.ts',
    '+++ b/src/one.test.ts',
    '@@ -3 +3,2 @@ test()',
    '+a',
    '+b',
    '@@ -9,2 +10,0 @@',
    '-c',
    '-d',
    '--- a/src/gone.test.ts',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
  ].join('\n');
  assert.deepEqual(
    [...linesOfDiff(diff)],
    [
      [
        'src/one.test.ts',
        [
          { from: 3, to: 4 },
          { from: 10, to: 11 },
        ],
      ],
    ],
  );
});

test('a test that failed once in many runs has failed', () => {
  const repeated = new RepeatedReport();
  for (const error of [undefined, 'too late', undefined]) repeated.add({ name: 'rare', error });
  for (let time = 0; time < 3; time += 1) repeated.add({ name: 'sound' });
  const told: unknown[] = [];
  repeated.passTo({ add: ({ name, error, note }) => told.push([name, error, note]) });
  assert.deepEqual(told, [
    ['rare', 'Failed in 1 of 3 runs.\ntoo late', undefined],
    ['sound', undefined, '3 times'],
  ]);
});
