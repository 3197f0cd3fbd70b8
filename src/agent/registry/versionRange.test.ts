import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInRange, lowestMajor } from './versionRange';

test('determines which versions of Node.js a package supports', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['v20.20.2', '>=22', false],
    ['v22.0.0', '>=22', true],
    ['22.11.0', '^20.19.0 || >=22.12.0', false],
    ['20.19.0', '^20.19.0 || >=22.12.0', true],
    ['21.0.0', '^20.19.0 || >=22.12.0', false],
    ['24.1.0', '>= 18 <24', false],
    ['23.9.9', '>= 18 <24', true],
    ['22.5.1', '22.x', true],
    ['23.0.0', '22.x', false],
    ['22.5.1', '22', true],
    ['22.5.1', '~22.4', false],
    ['22.5.1', '18 - 22', true],
    ['23.0.0', '18 - 22', false],
    ['22.0.0', '>22', false],
    ['22.9.0', '<=22', true],
    ['20.0.0', '*', true],
    ['20.0.0', '', true],
    ['20.0.0', 'whatever', true],
  ];
  for (const [version, range, isIn] of cases) assert.equal(isInRange(version, range), isIn, `${version} in ${range}`);
});

test('finds the version to ask for', () => {
  assert.equal(lowestMajor('>=22'), '22');
  assert.equal(lowestMajor('>=22.12.0 || ^20.19.0'), '20');
  assert.equal(lowestMajor('*'), undefined);
});
