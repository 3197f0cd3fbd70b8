import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FollowedChip } from './followedChip';

const uri = 'file:///w/src/retry.ts';
const file = { uri, name: 'retry.ts' };
const lines = { uri: `${uri}#L10-L24`, name: 'retry.ts' };

function chipOf(shown: Parameters<FollowedChip['follow']>[0]): FollowedChip {
  const chip = new FollowedChip(false, () => undefined);
  chip.follow(shown);
  return chip;
}

test('sends selected lines with their text, and a file as link', () => {
  assert.deepEqual(chipOf(lines).attachment([], false), { type: 'resource_link', ...lines });
  assert.deepEqual(chipOf(file).attachment([], false), { type: 'resource_link', ...file, linkOnly: true });
  assert.equal(chipOf(undefined).attachment([], false), undefined);
});

test('sends nothing twice', () => {
  const link = (address: string) => ({ type: 'resource_link', uri: address, name: 'retry.ts' }) as const;
  assert.equal(chipOf(lines).attachment([link(lines.uri)], false), undefined);
  assert.ok(chipOf(lines).attachment([link(`${uri}#L1`)], false), 'These are other lines.');
  assert.ok(chipOf(lines).attachment([link(uri)], false), 'The lines say what is meant in the file.');
  assert.equal(chipOf(file).attachment([link(uri)], false), undefined);
  assert.equal(chipOf(file).attachment([link(lines.uri)], false), undefined);
});

test('sends nothing with a lone command, when off, or if withheld', () => {
  assert.equal(chipOf(lines).attachment([], true), undefined);
  const off = new FollowedChip(true, () => undefined);
  off.follow(lines);
  assert.equal(off.attachment([], false), undefined);
  for (const withheld of ['outside', 'ignored', 'secret'] as const) {
    assert.equal(chipOf({ ...lines, withheld }).attachment([], false), undefined, withheld);
  }
});
