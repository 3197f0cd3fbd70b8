import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BroughtChanges, SkippedFile } from './broughtChanges';
import { broughtNotice } from './bringWords';

const brought = (fields: Partial<BroughtChanges>): BroughtChanges => ({
  written: [],
  conflicts: [],
  skipped: [],
  snapshot: 'c1',
  ...fields,
});
const submodules = (count: number): SkippedFile[] =>
  Array.from({ length: count }, (_, at) => ({ path: `lib${at}`, reason: 'submodule' }));

test('a notice of brought changes lists nothing without problems', () => {
  assert.deepEqual(broughtNotice('fix', brought({ written: ['file:///a', 'file:///b'] })), {
    severity: 'info',
    title: 'Brought the changes in 2 files from “fix”',
  });
});

test('a notice of brought changes lists ten files at most', () => {
  const ten = broughtNotice('fix', brought({ skipped: submodules(10) }));
  assert.equal(ten.severity, 'warning');
  assert.equal(ten.description?.split('\n').length, 10);
  assert.match(ten.description, /^lib0 is a submodule\. Update it with Git\.$/m);
  const lines = broughtNotice('fix', brought({ skipped: submodules(13) })).description?.split('\n');
  assert.equal(lines?.length, 11);
  assert.equal(lines[9], 'lib9 is a submodule. Update it with Git.');
  assert.equal(lines[10], 'And 3 more.');
});

test('a file that could not be written says why', () => {
  const { description } = broughtNotice('fix', brought({ skipped: [{ path: 'a.ts', reason: { cause: 'no space' } }] }));
  assert.equal(description, 'a.ts couldn’t be written. Fix this and try again: no space');
});
