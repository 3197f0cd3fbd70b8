import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlaceTrail } from './placeTrail';

const at = (path: string, line?: number) => ({ path, ...(line !== undefined && { line }) });

test('goes back and forward over the places of an agent', () => {
  const trail = new PlaceTrail();
  assert.deepEqual([trail.canGoBack, trail.canGoForward, trail.step(-1)], [false, false, undefined]);
  assert.deepEqual([trail.add(at('a', 1)), trail.add(at('a', 9)), trail.add(at('b'))], [true, true, true]);
  assert.deepEqual(trail.step(-1), at('a', 9));
  assert.deepEqual(trail.step(-1), at('a', 1));
  assert.equal(trail.step(-1), undefined);
  assert.deepEqual(trail.step(1), at('a', 9));
  assert.deepEqual([trail.canGoBack, trail.canGoForward], [true, true]);
});

test('shows no new place while the user looks at an earlier one', () => {
  const trail = new PlaceTrail();
  trail.add(at('a'));
  trail.add(at('b'));
  trail.step(-1);
  assert.equal(trail.add(at('c')), false);
  assert.deepEqual([trail.current, trail.step(1), trail.step(1)], [at('a'), at('b'), at('c')]);
  assert.equal(trail.add(at('d')), true);
});

test('adds the same place once and forgets the oldest of many', () => {
  const trail = new PlaceTrail();
  trail.add(at('a'));
  trail.add(at('a'));
  assert.equal(trail.canGoBack, false);
  for (let line = 1; line <= 150; line++) trail.add(at('b', line));
  let steps = 0;
  while (trail.step(-1)) steps += 1;
  assert.deepEqual([steps, trail.current], [99, at('b', 51)]);
  for (let line = 1; line <= 150; line++) trail.add(at('c', line));
  assert.deepEqual(trail.current, at('c', 51));
});
