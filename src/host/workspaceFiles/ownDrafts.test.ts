import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnDraft, newDraftName } from './ownDrafts';

test('a draft is known by its name, which nobody else can make', () => {
  const [one, other] = [newDraftName('a\n.b.ts'), newDraftName('a\n.b.ts')];
  assert.notEqual(one, other);
  assert.deepEqual([one, other].map(isOwnDraft), [true, true]);
  const another = one.replace('a\n', 'c\n');
  const later = one.replace(/[0-9a-f]{4}(?=[0-9a-f]{16}\.)/, (digits) => (digits === '0000' ? '1111' : '0000'));
  const forged = `.a.${'0'.repeat(28)}.parley-draft`;
  for (const name of [another, later, forged, one.slice(1), `${one}x`, 'a.parley-draft', ''])
    assert.equal(isOwnDraft(name), false, name);
});
