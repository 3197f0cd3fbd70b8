import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDelta, deltaOf } from './textDelta';

const lines = (count: number, name = 'line') => Array.from({ length: count }, (_, at) => `${name} ${at} of the file`);

test('restores a slightly changed text from a short delta', () => {
  const base = lines(200);
  const text = base.with(20, 'changed').toSpliced(100, 3).toSpliced(150, 0, 'new 1', 'new 2');
  const delta = deltaOf(base.join('\n'), text.join('\n'));
  assert.ok(delta);
  assert.equal(applyDelta(base.join('\n'), delta), text.join('\n'));
  assert.ok(JSON.stringify(delta).length < 200, JSON.stringify(delta));
});

test('a text with little in common is sent as a whole', () => {
  assert.equal(deltaOf(lines(50).join('\n'), lines(50, 'other').join('\n')), undefined);
  assert.equal(deltaOf('', 'text'), undefined);
});

test('restores random edits with any line endings', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 500; round++) {
    const breaks = ['\n', '\r\n', '\r'][random(3)] ?? '\n';
    const base = Array.from({ length: random(40) }, () => `a line that is one of ${random(6)}`);
    const text = [...base];
    for (let edit = random(8); edit > 0; edit--) {
      text.splice(random(text.length + 1), random(3), ...Array.from({ length: random(3) }, () => `x${random(4)}`));
    }
    const [from, to] = [base.join(breaks), text.join(breaks) + (random(2) ? breaks : '')];
    const delta = deltaOf(from, to);
    if (delta) assert.equal(applyDelta(from, delta), to);
  }
});
