import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePermissionOptions, permissionAnswer } from './decodePermissionOptions';

test('options keep the kinds of the protocol', () => {
  for (const kind of ['allow_once', 'allow_always', 'reject_once', 'reject_always']) {
    assert.deepEqual(decodePermissionOptions([{ optionId: 'a', name: 'A', kind }]), [
      { optionId: 'a', name: 'A', kind },
    ]);
  }
});

test('options are read leniently, and dropped only without an id', () => {
  const options = [{ optionId: 'a', kind: 'allow_forever' }, { name: 'B', kind: 'allow_once' }, 7, null];
  assert.deepEqual(decodePermissionOptions(options), [{ optionId: 'a', name: 'a', kind: 'unknown' }]);
  assert.throws(() => decodePermissionOptions({}), { message: /options must be a list/ });
});

test('an answer names the option, or says that there is none', () => {
  assert.deepEqual(permissionAnswer('a'), { outcome: { outcome: 'selected', optionId: 'a' } });
  assert.deepEqual(permissionAnswer(undefined), { outcome: { outcome: 'cancelled' } });
});
